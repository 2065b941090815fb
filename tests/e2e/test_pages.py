"""Every page of the site but the boards, as rendered for everybody it is for: axe finds nothing, the console is silent.

The pages come from the crawl (`tests.site.crawl`), so that a new address is looked at without being listed here.
"""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import Client
from playwright.sync_api import Page, Request, Route, sync_playwright
from pytest_django import Settings

from accounts.models import User
from games.models import Game, Halt, Pause, Table, Turn, Vote
from games.rules.ruleset import Ruleset
from tests.e2e.test_access import SCREENS, WCAG
from tests.games.correcting import corrected
from tests.games.pages import Page as Parsed
from tests.games.serial import series_of_losers
from tests.games.stored import NOW
from tests.site.crawl import World, world

ORIGIN: Final = "http://crawl.test"
WEEK: Final = dt.timedelta(days=7)
LATER: Final = NOW.replace(year=2100)
# Boards have tests of their own (`test_access`, `test_watch`); the admin is Django's; some answer with no page.
_SKIPPED: Final = ("/list/", "/games/", "/admin/", "/healthz", "/readyz", "/dev/mail/{mail}/html/", "/dev/enter/")
_ROLES: Final = ("outsider", "stranger", "guest", "player", "host")
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}
_HERE: Final[dict[str, Any]] = {"REMOTE_ADDR": "127.0.0.1", "SERVER_NAME": "localhost"}


class Shot(NamedTuple):
    """An answer of the site, as the browser shall get it."""

    status: int
    html: str
    policy: str


def pages(site: World) -> Iterator[tuple[str, Shot]]:
    """(a name, the page) of every page of every address; once where several are made of the same elements."""
    seen = set[frozenset[tuple[str, str, str]]]()
    for role in _ROLES:
        client = site.client(role)
        for key, path in site.addresses():
            answer = client.get(path, **_HERE)
            kind = answer.headers.get("Content-Type", "")
            if key.startswith(_SKIPPED) or answer.status_code in (301, 302, 303, 405) or "html" not in kind:
                continue
            elements = Parsed(answer.content.decode()).elements
            # The head of the page is one of two, and stands on other pages, too.
            inner = [each for each in elements if each.within(id="main")]
            look = frozenset((each.tag, each.attrs.get("id", ""), each.attrs.get("class", "")) for each in inner)
            if look not in seen:
                seen.add(look)
                yield f"{role} {key}", _shot(answer)


def refusals(site: World) -> Iterator[tuple[str, Shot]]:
    """The same for forms that were refused, and for who is about to be erased."""
    client = site.client("host")
    for path, fields in (
        ("/me/name/", {"name": "\u202e"}),
        ("/new/", {"seats": "99"}),
        (f"/tables/{site.things['tables/code']['lobby']}/start/", {"short": "no"}),
        (f"/tables/{site.things['tables/code']['open']}/rename/", {"name": ""}),
        (f"/tables/{site.things['tables/code']['open']}/invites/", {"addresses": "nobody"}),
        ("/accounts/settings/", {"zone": "Mars"}),
        ("/me/away/", {"first": "2026-01-01", "last": ""}),
    ):
        answer = client.post(path, fields, **_HERE)
        assert answer.status_code in (400, 409, 422), path
        yield f"refused {path}", _shot(answer)
    guest = site.client("guest")
    User.objects.filter(pk=site.guest.pk).update(erase_at=NOW)
    yield "erasing", _shot(guest.get("/me/delete/"))
    yield "not at once", _shot(guest.post("/me/delete/", {"when": "now", "confirm": "no"}))
    yield "wrong way in", _shot(Client().post("/accounts/signup/", {"name": "", "email": "x"}))


def asking(site: World) -> Iterator[tuple[str, Shot]]:
    """A board whose table pauses and is asked something while the site stands still, and one that may ask for all."""
    client, code = site.client("host"), site.things["games/code"]["running"]
    game = Game.objects.get(code=code)
    Table.objects.filter(pk=game.table_id).update(
        pace="move", pace_start=WEEK, pace_increment=WEEK, pace_cap=WEEK, missed="nudge"
    )
    Turn.objects.filter(game=game).update(nudges=1)
    yield "board that may ask", _shot(client.get(f"/games/{code}/", **_HERE))
    Pause.objects.create(table=game.table, since=NOW, until=LATER)
    Vote.objects.create(table=game.table, kind="extend", days=3, opened=NOW, closes=LATER)
    Halt.objects.create(kind="freeze", since=NOW, why="We move house")
    yield "board that asks", _shot(client.get(f"/games/{code}/", **_HERE))


def standings(site: World) -> Iterator[tuple[str, Shot]]:
    """The page of a series that goes on and of one that is over, with all that may be told, and a board with some."""
    client, persons = site.client("host"), [site.host, site.player, site.guest, site.stranger]
    for deals in (5, 3):
        games = series_of_losers([1, 2, 1], persons=persons, bots=3, deals=deals, rules=Ruleset(game="donkey"))
        corrected(games[0], 2, cards=3, why="He says that he slipped")
        corrected(games[1], None, why="W" * 300)
        Table.objects.filter(pk=games[0].table_id).update(tie_break="first")
        yield f"series of {deals}", _shot(client.get(f"/tables/{games[0].table.code}/", **_HERE))
        yield f"board of {deals}", _shot(client.get(f"/games/{games[0].code}/", **_HERE))


def _shot(answer: HttpResponse | Any) -> Shot:
    return Shot(answer.status_code, answer.content.decode(), answer.headers["Content-Security-Policy"])


@pytest.mark.django_db
def test_axe_and_the_console(tmp_path: Path, settings: Settings, browser_type_launch_args: dict[str, Any]) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    site = world(str(settings.MAIL_FOLDER))
    shots = dict(enumerate([*pages(site), *standings(site), *asking(site), *refusals(site)]))
    assert len(shots) > 35
    complaints: list[str] = []

    def serve(route: Route, request: Request) -> None:
        path = request.url.removeprefix(ORIGIN).split("?")[0].strip("/")
        if path.startswith("static/"):
            file = Path(str(finders.find(path.removeprefix("static/"))))
            route.fulfill(body=file.read_bytes(), content_type=_KINDS[file.suffix])
        elif path.isdigit():
            shot = shots[int(path)][1]
            headers = {"Content-Security-Policy": shot.policy}
            route.fulfill(status=shot.status, body=shot.html, content_type="text/html; charset=utf-8", headers=headers)
        else:
            # What scripts ask for.
            route.fulfill(status=204)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**browser_type_launch_args)
        page = browser.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route("**/*", serve)
        # An open socket that says nothing.
        page.route_web_socket("**/*", lambda _: None)
        for number, (name, shot) in shots.items():
            page.goto(f"{ORIGIN}/{number}/")
            check(page, name)
            assert [each for each in complaints if f"status of {shot.status}" not in each] == [], name
            complaints.clear()
        browser.close()


def check(page: Page, name: str) -> None:
    """Look at a page on a light phone and a dark desk, with everything opened that can be."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(AXE_SCRIPT)
    for width, height, scheme in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("options => axe.run(document, options)", WCAG)
        assert len(found["passes"]) > 5
        broken = [(each["id"], each["nodes"][0]["html"][:300]) for each in found["violations"]]
        assert broken == [], (name, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
