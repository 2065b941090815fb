"""Coming back to a table: what happened there, up to where that was seen, and on to the next game."""

from dataclasses import replace
from typing import Any

from playwright.sync_api import Page, expect

from games.rules.view import SeatView
from games.selectors.away import Away
from games.selectors.board import Board
from games.selectors.mine import NextGame
from tests.e2e.boards import bar, button, line, my_turn, waiting
from tests.e2e.stage import ORIGIN, Stage
from tests.games import rendered

TOLD = Away("Since you were away", 13, (line(19, "Bilal plays a tochoo."), line(13, "And 6 more cards.")))
OTHER = "/games/zzzzz23456/"


def back(view: SeatView, **extra: Any) -> Board:
    return replace(rendered.board(view), **extra)


def opened(stage: Stage, view: SeatView, *, still: bool = True, **extra: Any) -> Page:
    """Open a page whose time stands still but for what a test lets pass."""
    stage.page.clock.install(time=0)
    if still:
        stage.page.clock.pause_at(1000)
    return stage.open(view, board=back(view, **extra))


def played(stage: Stage, view: SeatView, **extra: Any) -> None:
    """Play a card; the answer is a board."""
    stage.answer = (200, rendered.html(view, board=back(view, **extra)))
    button(stage.page, "8H").click()
    bar(stage.page).click()
    stage.page.locator(f"#board[data-version='{view.version}']").wait_for()


def test_what_happened_stays_until_the_reader_plays_and_counts_once_it_was_in_view(stage: Stage) -> None:
    page = opened(stage, my_turn(), still=False, away=TOLD, seen=12)
    box = page.locator("#away")
    expect(box.get_by_role("link")).to_have_text(["Bilal plays a tochoo.", "And 6 more cards.", "Show me"])
    assert page.evaluate("document.getElementById('show-me').pathname").endswith("/replay/13/")
    with page.expect_response("**/seen/"):
        page.clock.run_for(1100)
    assert stage.seen == [20]
    stage.bring(my_turn(), revision=8)
    expect(box).to_be_visible()
    # What is watched is told now and then.
    stage.bring(my_turn(version=24))
    page.clock.run_for(1500)
    assert stage.seen == [20]
    with page.expect_response("**/seen/"):
        page.clock.run_for(10_000)
    assert stage.seen == [20, 24]
    played(stage, waiting(version=25))
    expect(box).to_have_count(0)


def test_what_is_out_of_view_has_not_been_seen(stage: Stage) -> None:
    page = opened(stage, my_turn(), away=TOLD, seen=12)
    page.evaluate("document.querySelector('#away').style.marginTop = '-9999px'")
    page.clock.run_for(3000)
    assert stage.seen == []


def test_a_glance_is_not_enough(stage: Stage) -> None:
    page = opened(stage, my_turn(), away=TOLD, seen=12)
    page.clock.run_for(900)
    assert stage.seen == []
    with page.expect_response("**/seen/"):
        page.clock.run_for(200)
    assert stage.seen == [20]


def test_the_box_is_closed_by_a_button(stage: Stage) -> None:
    page = opened(stage, my_turn(), away=TOLD, seen=12)
    with page.expect_response("**/seen/"):
        page.get_by_role("button", name="Close").click()
    expect(page.locator("#away")).to_have_count(0)
    expect(page.locator("#banner")).to_be_focused()
    assert stage.seen == [20]


def test_after_a_card_the_next_game_comes_by_itself(stage: Stage) -> None:
    """R24."""
    page = opened(stage, my_turn())
    expect(page.locator("#next-game")).to_have_count(0)
    played(stage, waiting(), next=NextGame("zzzzz23456", 2, wait=2))
    expect(page).to_have_title("(2) \u2068Nani's table\u2069")
    expect(page.locator("#next-game")).to_have_text("Next game waiting for you (2)")
    expect(page.locator("#next-note")).not_to_be_empty()
    page.clock.run_for(1500)
    expect(page).not_to_have_url(ORIGIN + OTHER)
    page.clock.run_for(1000)
    page.wait_for_url(ORIGIN + OTHER)


def test_whoever_does_anything_stays(stage: Stage) -> None:
    page = opened(stage, my_turn())
    played(stage, waiting(), next=NextGame("zzzzz23456", 1, wait=2))
    page.keyboard.press("Tab")
    expect(page.locator("#next-note")).to_be_empty()
    page.clock.run_for(5000)
    expect(page.locator("#next-game")).to_be_visible()
    assert page.url != ORIGIN + OTHER
    # Nor is anybody led away whom it was not promised, or once it is their turn again.
    for view, wait in ((waiting(version=22), 0), (my_turn(version=23), 2)):
        stage.open(my_turn())
        played(stage, view, next=NextGame("zzzzz23456", 1, wait=wait))
        page.clock.run_for(5000)
        assert page.url != ORIGIN + OTHER
