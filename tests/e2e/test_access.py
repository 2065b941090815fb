"""R49: axe finds nothing on any page, on a phone and on a desk, light and dark; and pages are light (R53)."""

import gzip
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, Page

from games.selectors.away import Away
from games.selectors.mine import NextGame
from tests.e2e import boards
from tests.e2e.boards import LAST, line, waiting
from tests.e2e.conftest import Console, People
from tests.e2e.stage import Stage
from tests.e2e.test_games import by_clicks, moved, my_turn, new_game, tap
from tests.games.rendered import board

# Each width and each scheme once: colours are the same on both screens.
SCREENS: Final[list[tuple[int, int, Literal["light", "dark"]]]] = [(360, 640, "light"), (1366, 768, "dark")]
# Elements are named of what is broken only: to hand over all of them would take longer than to look.
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"],
    "resultTypes": ["violations"],
}


def check(page: Page) -> None:
    page.wait_for_load_state()
    page.evaluate(AXE_SCRIPT)
    for width, height, scheme in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("options => axe.run(document, options)", WCAG)
        assert len(found["passes"]) > 5
        broken = [(each["id"], each["nodes"][0]["html"][:300]) for each in found["violations"]]
        assert broken == [], (page.url, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture
def finished(people: People) -> Page:
    """A finished game: one seat takes what it may, until it has lost."""
    page = new_game(people(), seats=3, deals=2, taking="anyone")
    while my_turn(page):
        if page.locator("button[name=take]").count():
            version = page.locator("#board").get_attribute("data-version")
            tap(page, page.locator("#take summary"))
            tap(page, page.locator("#confirm .yes"))
            moved(page, version)
        else:
            by_clicks(page)
    return page


def test_pages_for_everybody(people: People, console: Console) -> None:
    context = people()
    page = context.new_page()
    for path in ("/", "/help/", "/new/"):
        page.goto(path)
        check(page)
    page.goto("/")
    page.get_by_role("button", name="Sign out").click()
    for path in ("/accounts/signin/", "/accounts/signup/", "/"):
        page.goto(path)
        check(page)
    page.goto("/accounts/signup/")
    page.get_by_role("button", name="Make the account").click()
    check(page)
    console.expected("422")


def test_a_refused_form_and_a_missing_page(people: People, console: Console) -> None:
    page = people().new_page()
    page.goto("/new/")
    page.get_by_text("Name, deals, the loser\u2019s title").click()
    page.get_by_label("How many deals?").fill("99")
    page.get_by_role("button", name="Deal the cards").click()
    check(page)
    page.goto("/games/bbbbbbbbbb/")
    check(page)
    console.expected("422")
    console.expected("404")


AWAY = Away("Since you were away", 13, (line(19, "Bilal plays a tochoo."), line(13, "And 6 more cards.")))
NEXT = NextGame("zzzzz23456", 2)
FOULS = tuple(each.card for each in boards.my_turn().refusals)
BOARDS: dict[str, Callable[[Stage], Page]] = {
    "my turn": lambda stage: stage.open(boards.my_turn()),
    "chosen": lambda stage: _tapped(stage.open(boards.my_turn())),
    "waiting": lambda stage: stage.open(waiting(tricks=4, last=LAST)),
    "last trick": lambda stage: stage.open(waiting(tricks=4, last=LAST, table=(), winning=None)),
    "refused": lambda stage: stage.open(boards.my_turn(), alert="The game has moved on: look at the table."),
    "fouls": lambda stage: stage.open(boards.my_turn(fouls=FOULS, refusals=())),
    "back": lambda stage: stage.open(waiting(), board=replace(board(waiting()), away=AWAY, next=NEXT)),
}


def _tapped(page: Page) -> Page:
    page.locator("#card-8H-1").click()
    return page


@pytest.mark.parametrize("shown", BOARDS.values(), ids=BOARDS)
def test_the_table(still: Stage, shown: Callable[[Stage], Page]) -> None:
    check(shown(still))


def test_a_finished_game(finished: Page, console: Console) -> None:
    check(finished)
    table = finished.url
    for end in ("replay/0/", "replay/1/"):
        finished.goto(table + end)
        check(finished)
    finished.goto("/")
    check(finished)
    finished.goto(table)
    finished.get_by_role("link", name="Standings", exact=True).click()
    check(finished)


def weight(context: BrowserContext, path: str) -> tuple[int, dict[str, int]]:
    """The bytes of a first load, page and all that it asks for; what never changes goes compressed in production."""
    page = context.new_page()
    sizes: dict[str, int] = {}

    def add(response: Any) -> None:
        body = response.body() if response.status == 200 else b""
        sent = gzip.compress(body, 9) if "/static/" in response.url else body
        sizes[response.url.rsplit("/", 2)[-1] or response.url] = len(sent)

    page.on("requestfinished", lambda request: add(request.response()))
    page.goto(path)
    page.wait_for_load_state("networkidle" if "games" not in path else "load")
    page.close()
    return sum(sizes.values()), sizes


def test_a_first_load_is_light(people: People) -> None:
    """R53: at most 100 KB, of which we take less; a new board at most 8 KB once compressed."""
    context = people()
    page = new_game(context, seats=4)
    total, sizes = weight(context, page.url)
    assert total <= 64 * 1024, sizes
    assert weight(context, "/")[0] <= 20 * 1024


def test_forced_colours_keep_what_is_needed(stage: Stage) -> None:
    """R43."""
    stage.page.emulate_media(forced_colors="active")
    page = stage.open(boards.my_turn())
    borders = {
        code: page.evaluate(
            "(id) => getComputedStyle(document.getElementById(id), '::before').borderTopWidth", f"card-{code}-1"
        )
        for code in ("8H", "AS")
    }
    assert borders == {"8H": "2px", "AS": "1px"}
    stage.bring(waiting(version=30), [line(30, "News.")])
