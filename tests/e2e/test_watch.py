"""Who watches, who leaves, and guests: on a phone, in a real browser."""

import sqlite3
from contextlib import closing
from dataclasses import fields

import pytest
from django.utils.safestring import mark_safe
from playwright.sync_api import Page, expect

from games.rules.view import PublicView, SeatView
from games.selectors.sentences import Line
from tests.e2e.boards import line, my_turn, waiting
from tests.e2e.conftest import People
from tests.e2e.stage import Stage
from tests.e2e.test_access import check
from tests.e2e.test_games import by_clicks, new_game
from tests.e2e.test_games import my_turn as is_my_turn
from tests.e2e.test_steady import busy, over, top, turn
from tests.games import rendered
from tests.site.test_serve import Running

LONG = "Muhammad Abdul-Rahman of Chittagong"
LEFT = Line(21, "Handed", mark_safe("<bdi>Roza</bdi> has left: a bot plays on, <bdi>Bilal</bdi>."))


def public(view: SeatView) -> PublicView:
    """What the public may see of what a seat may see."""
    return PublicView(**{each.name: getattr(view, each.name) for each in fields(PublicView)})


def let_watch(site: Running, page: Page) -> None:
    """Let anybody watch the game of a page."""
    code = page.url.rstrip("/").rsplit("/", 1)[-1]
    with closing(sqlite3.connect(site.data / "getaway.sqlite3", timeout=20)) as database, database:
        its_table = "(SELECT table_id FROM games_game WHERE code = ?)"
        found = database.execute(f"UPDATE games_table SET watch = 'anyone' WHERE id = {its_table}", [code])
        assert found.rowcount == 1


def test_a_watcher_sees_a_card_fall(people: People, site: Running) -> None:
    """It comes by polling, and no card of a hand with it."""
    player = new_game(people(), seats=4)
    let_watch(site, player)
    watcher = people().new_page()
    watcher.goto(player.url)
    expect(watcher.locator("#banner")).to_contain_text("You watch")
    watcher.evaluate("window.loadedOnce = true")
    assert is_my_turn(player)
    # The bots wait for the player now: whatever comes is that card, and what the bots answer.
    version = player.locator("#board").get_attribute("data-version")
    watcher.locator(f"#board[data-version='{version}']").wait_for()
    by_clicks(player)
    # The newest sentence stands first; the card itself comes last of what it brought about.
    expect(watcher.locator(f".log li[data-step='{int(version or 0) + 1}']").last).to_contain_text("Nani")
    assert watcher.evaluate("window.loadedOnce")
    assert watcher.locator("#hand, button[name=card], #lie").count() == 0
    assert watcher.locator(".face").count() <= int(watcher.locator("#board").get_attribute("data-version") or 0)


def test_a_watcher_without_script_looks_again(people: People, site: Running) -> None:
    player = new_game(people(), seats=3)
    let_watch(site, player)
    page = people(java_script_enabled=False).new_page()
    page.goto(player.url)
    page.get_by_role("link", name="Look again").click()
    expect(page.locator("#banner")).to_contain_text("You watch")
    page.get_by_role("link", name="replay").click()
    expect(page.locator(".open-hand")).to_have_count(0)


@pytest.mark.parametrize("seats", [4, 8, 12])
def test_what_a_guest_is_asked_moves_no_card(stage: Stage, seats: int) -> None:
    quiet = turn(busy(seats, seats // 2))
    page = stage.open(quiet)
    place = top(page)
    stage.bring(quiet, asks_email=True, can_leave=True, revision=8)
    assert top(page) == place
    for row in page.locator("#hand .row").all():
        box = row.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 640
    notice = page.locator("#guest")
    expect(notice).to_contain_text("Only this browser holds your seat. Add an email")
    notice.scroll_into_view_if_needed()
    for link in (*notice.get_by_role("link").all(), page.get_by_role("link", name="Leave the game")):
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 24
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("seats", [4, 8, 12])
def test_a_bot_that_plays_on_moves_no_card(stage: Stage, seats: int) -> None:
    quiet = busy(seats, seats // 2)
    page = stage.open(quiet)
    place = top(page)
    instead = dict.fromkeys(range(1, seats), LONG)
    board = rendered.board(quiet, [LEFT], instead=instead, revision=8)
    stage.next = rendered.html(quiet, board=board)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#board[data-revision='8']").wait_for()
    assert top(page) == place
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    expect(page.locator(".for")).to_have_count(seats - 1)


def test_that_somebody_left_is_read_out_once(stage: Stage) -> None:
    """It is no entry of the log: the version stays, the revision grows."""
    page = stage.open(waiting(version=21))
    polite = page.locator("[aria-live=polite]")
    stage.bring(waiting(version=21), [LEFT, line(21, "Bilal plays.")], revision=8)
    expect(polite).to_have_text("Roza has left: a bot plays on, Bilal.")
    stage.bring(waiting(version=22), [line(22, "Bilal plays."), LEFT], revision=9)
    expect(polite).to_have_text("Bilal plays.")


BOARDS = {
    "watching": lambda: rendered.board(public(busy(8, 4)), [LEFT], instead={1: "Roza", 3: LONG}),
    "nothing yet": lambda: rendered.board(public(busy(4, 0, last=None, tricks=0, version=0))),
    "left": lambda: rendered.board(public(busy(4, 1)), [LEFT], left=True),
    "over": lambda: rendered.board(public(over(5)), [LEFT], instead={0: "Roza", 2: LONG}),
    "guest": lambda: rendered.board(my_turn(), [LEFT], instead={2: "Roza"}, asks_email=True, can_leave=True),
}


@pytest.mark.parametrize("name", BOARDS)
def test_axe_finds_nothing(stage: Stage, name: str) -> None:
    board = BOARDS[name]()
    check(stage.open(my_turn(), board=board))


def test_leaving_from_the_board(people: People) -> None:
    """The board, the form, and how the table stands: a bot plays the game to its end."""
    page = new_game(people(), seats=3, deals=2)
    board = page.url
    is_my_turn(page)
    page.wait_for_timeout(750)  # a tap on what has just moved does nothing
    page.get_by_role("link", name="Leave the game").click()
    expect(page.locator("form#leave")).to_be_in_viewport()
    page.locator("form#leave button").click()
    expect(page.locator("#left")).to_contain_text("You have left this table")
    table = page.url
    page.goto(board)
    expect(page.locator("#left")).to_be_visible()
    if page.url == table:
        expect(page.locator("#board")).to_have_count(0)
    check(page)
