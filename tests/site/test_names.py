"""Hostile names wherever a name appears (S30): refused in one sentence with nothing changed, or shown as text."""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any, Final

import pytest
from django.test import Client

from accounts.models import User
from accounts.names import name_cleaned, name_problem
from games.models import Holder, Rating, RatingPool, Report, Table
from games.rules.ruleset import Ruleset
from games.services.people import exported
from games.templatetags.avatar import avatar, initials
from tests.accounts.doors import sign_in
from tests.games.gathering import LATER, draft, sit
from tests.games.pages import Page, client_of
from tests.games.stored import everything, game_of, over, person, play_on
from tests.hostile import HOSTILE

pytestmark = pytest.mark.django_db

SHOWN: Final = [cleaned for each in HOSTILE if name_problem(cleaned := name_cleaned(each)) is None]
REFUSED: Final = [each for each in HOSTILE if name_problem(name_cleaned(each))]
# Halves of signs come out of a request as signs that say so.
SENT: Final = [each for each in REFUSED if not any("\ud800" <= sign <= "\udfff" for sign in each)]
# A table takes eleven beside the one who looks; what fits the name of a table fits everywhere.
GROUPS: Final = list(batched(SHOWN, 11))
_PATHS: Final = ("/", "/me/", "/games/{game}/", "/games/{game}/board/", "/games/{game}/replay/3/", "/tables/{table}/")


def test_there_are_enough() -> None:
    assert len(set(HOSTILE)) >= 200
    assert len(SHOWN) >= 150
    assert len(REFUSED) >= 100


def fits(name: str, most: int) -> str:
    return name if name_problem(name, most=most) is None else "Sunday"


class World:
    """A finished and a running game of twelve people, who are called otherwise again and again."""

    def __init__(self, seats: int = 12) -> None:
        self.viewer = person("Nani")
        self.others = [person(f"Plain {at}") for at in range(1, seats)]
        rules = Ruleset(packs=2 if seats > 6 else 1)
        self.over = over(game_of(rules, persons=[self.viewer, *self.others]))
        self.running = game_of(rules, persons=[self.viewer, *self.others])
        play_on(self.running, lambda state: state.tricks >= 1)
        self.client, self.stranger = client_of(self.viewer), client_of(person("Stranger"))
        self.waiting = draft(self.viewer, free=4)
        for user in self.others[:3]:
            sit(self.waiting, user)
        for user in self.others:
            Report.objects.create(kind="name", by=self.viewer, about=user, said=user.name, words=user.name, at=LATER)
        pool = RatingPool.objects.create(kind="getaway", seats=12)
        Rating.objects.bulk_create(Rating(pool=pool, user=each, mu=25, sigma=2, deals=30) for each in self.others)
        User.objects.filter(rating__pool=pool).update(notices={"listed": True})

    def call(self, names: Sequence[str]) -> None:
        """Call the others by names, and the tables and their losers by the first of them."""
        for user, name in zip(self.others, names, strict=False):
            User.objects.filter(pk=user.pk).update(name=name)
            Holder.objects.filter(user=user).update(name=name)
            Report.objects.filter(about=user).update(said=name, words=name)
        Table.objects.update(name=fits(names[0], 60), title=fits(names[0], 40))

    def pages(self) -> Iterator[tuple[str, str]]:
        """(a name for the page, its HTML) of every page on which names are shown."""
        for key, game in (("over", self.over), ("running", self.running)):
            for path in _PATHS:
                yield f"{key} {path}", self.get(path.format(game=game.code, table=game.table.code))
        yield "person", self.get(f"/people/{self.others[0].code}/")
        yield "leaders", self.get("/leaderboards/")
        yield "ratings", self.get(f"/people/{self.others[0].code}/ratings/")
        yield "reports", self.get("/me/reports/")
        yield "waiting", self.get(f"/tables/{self.waiting.code}/")
        yield "like", self.get(f"/new/?like={self.waiting.code}")
        yield "to join", self.get(f"/tables/{self.waiting.code}/", self.stranger)
        yield "lobby", self.get("/lobby/", self.stranger)

    def get(self, path: str, client: Client | None = None) -> str:
        answer = (client or self.client).get(path)
        assert answer.status_code == 200, path
        return answer.content.decode()


def skeleton(html: str) -> list[tuple[Any, ...]]:
    """What a page is made of without its text: tags and the names of their attributes, without pictures."""
    return [
        (each.tag, *sorted({*each.attrs} - {"checked"}))
        for each in Page(html).elements
        if each.tag != "svg" and not any(around.tag == "svg" for around in each.inside)
    ]


def test_pages_show_them_as_text() -> None:
    world = World()
    world.call([f"Plain {at}" for at in range(11)])
    plain = {key: skeleton(html) for key, html in world.pages()}
    for names in GROUPS:
        world.call(names)
        shown = set[str]()
        for key, html in world.pages():
            # No name adds an element, takes one away, or opens an attribute; and each is in a fence of its own.
            assert skeleton(html) == plain[key], (key, names)
            page = Page(html)
            shown |= {each.text for each in page.all("bdi")}
            outside = re.sub("\u2068[^\u2069]*\u2069", "", page.all("title")[0].text) if page.all("title") else ""
            assert not any(len(name) > 3 and name in outside for name in names), key
        assert {" ".join(name.split()) for name in names} <= shown


def test_downloads_hold_them_as_data() -> None:
    world = World(4)
    for names in batched(SHOWN, 3):
        world.call(names)
        record = world.client.get(f"/games/{world.over.code}/record.json")
        assert json.loads(record.content)
        files = zipfile.ZipFile(io.BytesIO(exported(user=world.viewer, now=LATER)))
        # Paths are made of codes.
        assert all(re.fullmatch(r"[a-z]+(/[a-z0-9]+)*(/[a-z-]+)?\.json", each) for each in files.namelist())
        table = json.loads(files.read(f"tables/{world.over.table.code}.json"))
        assert [each["name"] for each in table["who_sits"]][1 : 1 + len(names)] == list(names)
        assert table["name"] == fits(names[0], 60)


@pytest.mark.parametrize("name", SHOWN)
def test_pictures_hold_them_as_text(name: str) -> None:
    drawn = Page(avatar(name))
    assert {each.tag for each in drawn.elements} == {"svg", "rect", "g", "path", "circle", "text"}
    assert drawn.one("text").text == " ".join(initials(name).split())


def test_the_admin_shows_them_as_text() -> None:
    staff = User.objects.create_superuser("root@example.org", name="Root")
    client = sign_in(Client(), staff)
    game = game_of(persons=[person("Nani")], bots=2)
    paths = ["/admin/games/table/", f"/admin/games/table/{game.table.pk}/change/", "/admin/games/holder/"]
    paths += ["/admin/accounts/user/"]

    def made_of(path: str) -> set[tuple[Any, ...]]:
        answer = client.get(path)
        assert answer.status_code == 200, path
        return {
            (tag, *sorted(names)) for tag, names in re.findall(r"<([a-z]+)((?: [a-z-]+)*)", answer.content.decode())
        }

    plain = {path: made_of(path) for path in paths}
    for name in [each for each in SHOWN if "<" in each][:12]:
        User.objects.exclude(pk=staff.pk).update(name=name)
        Holder.objects.update(name=name)
        Table.objects.update(name=fits(name, 60))
        for path in paths:
            assert made_of(path) == plain[path], (path, name)


class TestRefused:
    @pytest.mark.parametrize("name", SENT)
    def test_as_another_name(self, name: str) -> None:
        nani = person("Nani")
        before = everything()
        answer = client_of(nani).post("/me/name/", body(name=name), content_type=FORM)
        check_refused(answer, "id_name_error")
        after = everything()
        # Signing in has been noted.
        assert {key: rows for key, rows in after.items() if key != "User"} == {
            key: rows for key, rows in before.items() if key != "User"
        }
        assert User.objects.get(pk=nani.pk).name == "Nani"

    @pytest.mark.parametrize("name", SENT[::4])
    def test_at_the_door(self, name: str) -> None:
        before = everything()
        answer = Client().post("/accounts/signup/", body(name=name, email="n@example.org"), content_type=FORM)
        check_refused(answer)
        assert everything() == before

    @pytest.mark.parametrize("name", SENT[::4])
    @pytest.mark.parametrize("field", ["name", "own_title"])
    def test_as_a_table_or_a_title(self, name: str, field: str) -> None:
        if name_problem(name_cleaned(name), most=60) is None:
            name = "x" * 61
        nani = person("Nani")
        fields = {"preset": "Getaway (Punjab)", "seats": "3", "name": "Sunday", "deals": "1", "title": "own"}
        answer = client_of(nani).post("/new/", body(**fields | {"own_title": "x", field: name}), content_type=FORM)
        check_refused(answer)
        assert not Table.objects.exists()


FORM: Final = "application/x-www-form-urlencoded"


def body(**fields: str) -> bytes:
    """A form as a browser or a script of bad intentions may send it, halves of signs included."""
    from urllib.parse import quote_from_bytes

    pairs = [f"{key}={quote_from_bytes(value.encode('utf-8', 'surrogatepass'))}" for key, value in fields.items()]
    return "&".join(pairs).encode()


def check_refused(answer: Any, error: str = "") -> None:
    """A refusal is a page with a sentence."""
    assert 400 <= answer.status_code < 500
    assert answer.status_code in (400, 413, 422), answer.status_code
    page = Page(answer.content.decode())
    if answer.status_code == 422 and error:
        assert page.one(id=error).text.endswith(".")
    elif answer.status_code == 422:
        assert any(each.text.endswith(".") for each in page.all("ul", css="errorlist"))


def test_names_that_are_fine_are_kept_to_the_letter() -> None:
    nani = person("Nani")
    client = client_of(nani)
    for name in SHOWN:
        answer = client.post("/me/name/", body(name=name), content_type=FORM)
        assert answer.status_code == 303, name
        assert User.objects.get(pk=nani.pk).name == name
