"""Pages as a scripted client reads them: elements with their attributes and their text."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final

from django.test import Client

from accounts.models import User
from games.models import Game, Holder
from games.rules.cards import PACK
from tests.accounts.doors import sign_in

_VOID: Final = {"area", "br", "hr", "img", "input", "link", "meta", "use", "path", "wbr"}
_NAMES: Final = {each.name: each.code for each in PACK}
# Told so that the search for their first letters comes first: millions of pages are read.
_CODE: Final = re.compile(r"[2-9TJQKA][CDHS](?<![A-Za-z0-9]..)(?![A-Za-z0-9])")
_WORDS: Final = re.compile("|".join(sorted(_NAMES)))
_RANDOM: Final = re.compile(r"""name="(?:key|csrfmiddlewaretoken)" value="[^"]*"|nonce="[^"]*"|'nonce-[^']*'""")


@dataclass(eq=False)
class Element:
    """An element: its tag, its attributes ("" for those without a value), and all text inside."""

    tag: str
    attrs: dict[str, str]
    inside: "tuple[Element, ...]" = ()
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    @property
    def classes(self) -> set[str]:
        return set(self.attrs.get("class", "").split())

    def within(self, **attrs: str) -> bool:
        """Whether an element around it has these attributes."""
        return any(attrs.items() <= each.attrs.items() for each in self.inside)


class Page(HTMLParser):
    """A parsed answer."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        assert not self._open, f"never closed: {self._open[-1].tag}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs}, tuple(self._open))
        self.elements.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        # The letters in a picture are no text of what is around it.
        pictures = (at for at, each in enumerate(self._open) if each.tag == "svg")
        for each in self._open[next(pictures, 0) :]:
            each.pieces.append(data)

    def all(self, tag: str = "", /, *, css: str = "", **attrs: str) -> list[Element]:
        wanted = {name.replace("_", "-"): value for name, value in attrs.items()}
        return [
            each
            for each in self.elements
            if (not tag or each.tag == tag)
            and (not css or css in each.classes)
            and wanted.items() <= each.attrs.items()
        ]

    def one(self, tag: str = "", /, *, css: str = "", **attrs: str) -> Element:
        found = self.all(tag, css=css, **attrs)
        assert len(found) == 1, f"{len(found)} of {tag} .{css} {attrs}"
        return found[0]

    @property
    def board(self) -> Element:
        return self.one(id="board")

    @property
    def state(self) -> str:
        return self.board.attrs["data-state"]

    @property
    def playable(self) -> list[str]:
        """The cards that the form would play, fouls too."""
        return [each.attrs["value"] for each in self.all("button", name="card")]

    @property
    def takes(self) -> list[str]:
        return [each.attrs["value"] for each in self.all("button", name="take")]

    def form(self, **changes: str) -> dict[str, str]:
        """What the form of the hand, or of a taking, sends beside the button."""
        fields = {each.attrs["name"]: each.attrs["value"] for each in self.all("input", type="hidden")}
        return fields | changes


def page_of(client: Client, path: str, **headers: Any) -> Page:
    response = client.get(path, headers=headers or None)
    assert response.status_code == 200, response.status_code
    return Page(response.content.decode())


def client_of(user: User) -> Client:
    return sign_in(Client(), user)


def clients(game: Game) -> dict[int, Client]:
    """A signed-in client for each person at a game, by seat."""
    holders = Holder.objects.filter(table=game.table, until=None, user__isnull=False).select_related("seat", "user")
    return {each.seat.number: client_of(each.user) for each in holders if each.user is not None}


def without_randoms(html: str) -> str:
    """A page without what is drawn anew for each answer."""
    return _RANDOM.sub("", html)


def cards_on(html: str) -> set[str]:
    """The codes of all cards that a page names, as a code or in words."""
    text = without_randoms(html)
    return set(_CODE.findall(text)) | {_NAMES[name] for name in _WORDS.findall(text.lower())}
