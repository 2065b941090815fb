"""Messages go when they are no longer true; what was confirmed once is not confirmed for another board."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games.rules.cards import card, hand_of
from games.rules.events import Fouled, PickedUp
from games.rules.moves import Play, Take
from games.rules.view import SeatView
from tests.e2e.boards import HAND, bar, button, my_turn, waiting
from tests.e2e.conftest import Console
from tests.e2e.stage import Stage
from tests.games import rendered

FOULS = tuple(each.card for each in my_turn().refusals)
FOLLOW = "You hold hearts: follow hearts."


def message(page: Page) -> Locator:
    return page.locator("#why")


def told(stage: Stage) -> Page:
    """A page that says why a card may not be played."""
    page = stage.open(my_turn())
    button(page, "AS").click(force=True)
    expect(message(page)).to_have_text(FOLLOW)
    return page


def test_a_message_goes_when_the_board_changes(stage: Stage) -> None:
    page = told(stage)
    stage.bring(my_turn(), revision=8)
    expect(message(page)).to_have_text(FOLLOW)
    stage.bring(my_turn(version=22))
    expect(message(page)).to_have_text("")
    page.wait_for_timeout(100)
    expect(message(page)).to_have_text("")


def test_a_message_goes_by_itself(stage: Stage) -> None:
    page = told(stage)
    page.wait_for_timeout(4000)
    expect(message(page)).to_have_text(FOLLOW)
    expect(message(page)).to_have_text("", timeout=5000)


def test_a_message_goes_by_escape_and_by_any_tap(stage: Stage) -> None:
    page = told(stage)
    page.keyboard.press("Escape")
    expect(message(page)).to_have_text("")
    button(page, "AS").click(force=True)
    expect(message(page)).to_have_text(FOLLOW)
    page.mouse.click(180, 100)
    expect(message(page)).to_have_text("")


def test_a_message_lets_taps_through_and_stands_above_the_bar(stage: Stage, console: Console) -> None:
    page = told(stage)
    hit = """() => {
      const box = document.getElementById("why").getBoundingClientRect();
      return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).closest(".dock") === null;
    }"""
    assert page.evaluate(hit)
    button(page, "8H").click()
    bar(page).click()
    expect(message(page)).to_contain_text("Not sent")
    above, below = message(page).bounding_box(), page.locator("#confirm").bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    console.expected("ERR_INTERNET_DISCONNECTED")
    console.expected("htmx:")


def test_what_was_not_sent_is_told_until_the_reader_acts(stage: Stage, console: Console) -> None:
    stage.page.clock.install()
    page = stage.open(my_turn())
    page.route("**/play/", lambda route: route.abort("internetdisconnected"))
    button(page, "8H").click()
    bar(page).click()
    page.clock.run_for(1000)
    expect(message(page)).to_contain_text("Not sent")
    page.clock.run_for(20_000)
    expect(message(page)).to_contain_text("Not sent")
    expect(bar(page)).to_have_text("Play 8 of hearts")
    button(page, "9C").click(force=True)
    expect(message(page)).not_to_contain_text("Not sent")
    console.expected("ERR_INTERNET_DISCONNECTED")
    console.expected("htmx:")


def test_a_lost_connection_is_told_until_it_is_back(stage: Stage, console: Console) -> None:
    stage.shut = 4000
    page = stage.open(waiting())
    page.route("**/board/*", lambda route: route.abort("internetdisconnected"))
    expect(page.locator("#live")).to_contain_text("There is no connection")
    page.unroute("**/board/*")
    stage.shut = 0
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#live")).to_have_text("")
    console.expected("ERR_INTERNET_DISCONNECTED")


@pytest.mark.parametrize("status", [409, 422])
def test_a_refusal_is_told_where_the_reader_is(stage: Stage, console: Console, status: int) -> None:
    page = stage.open(my_turn())
    stage.answer = status, rendered.html(my_turn(version=22), alert="The game has moved on: choose again.")
    button(page, "8H").click()
    bar(page).click()
    expect(message(page)).to_have_text("The game has moved on: choose again.")
    expect(message(page)).to_be_in_viewport(ratio=1)
    # It has been read out already, once.
    expect(page.get_by_role("alert")).to_have_text("The game has moved on: choose again.")
    expect(page.get_by_role("status")).to_have_count(0)
    stage.bring(my_turn(version=23))
    expect(message(page)).to_have_text("")
    console.expected(f"{status}")


def strict(version: int = 20, **changes: object) -> SeatView:
    return my_turn(version=version, fouls=FOULS, refusals=(), **changes)


def armed(stage: Stage) -> Page:
    """A page on which a foul is confirmed once."""
    page = stage.open(strict())
    button(page, "AS").click()
    bar(page).click()
    expect(bar(page)).to_have_text("Play it all the same")
    return page


def test_a_foul_is_confirmed_anew_after_any_change(stage: Stage) -> None:
    page = armed(stage)
    stage.bring(strict(version=21))
    expect(bar(page)).to_have_text("Play ace of spades")
    # By key: a tap on what has just changed is not taken.
    bar(page).press("Enter")
    expect(bar(page)).to_have_text("Play it all the same")
    stage.bring(strict(version=21, awaited=(1,), legal=()), revision=9)
    expect(bar(page)).to_have_text("Play ace of spades")
    bar(page).press("Enter")
    button(page, "KS").press("Enter")
    expect(bar(page)).to_have_text("Play king of spades")
    bar(page).press("Enter")
    expect(bar(page)).to_have_text("Play it all the same")
    assert stage.moves == []


def test_a_foul_that_has_become_legal_is_a_card_like_any_other(stage: Stage) -> None:
    page = armed(stage)
    stage.bring(my_turn(version=24, table=(), legal=tuple(Play(0, each) for each in HAND), refusals=()))
    stage.answer = 200, rendered.html(waiting(version=25))
    expect(bar(page)).to_have_text("Play ace of spades")
    expect(page.locator("#confirm")).to_contain_text("No undo.")
    expect(page.locator("#confirm")).not_to_contain_class("warn")
    bar(page).press("Enter")
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["AS"]


TRICK = hand_of("2H 3H 4S")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "A foul: you take the card on the table and lead next."),
        ({"table": ()}, "A foul: the card goes back and you must lead next."),
        (
            {"table": (), "events": (PickedUp(2, TRICK, None),)},
            "A foul: you take the 3 cards just picked up and lead next.",
        ),
        (
            {"table": (), "events": (Fouled(2, card("4S")), PickedUp(2, TRICK, None))},
            "A foul: the card goes back and you must lead next.",
        ),
    ],
)
def test_a_foul_tells_what_it_brings(stage: Stage, changes: dict[str, Any], sentence: str) -> None:
    page = stage.open(strict(awaited=(1,), legal=(), winning=None, **changes))
    button(page, "AS").click()
    expect(page.locator("#confirm")).to_contain_text(sentence)
    stage.bring(waiting(version=30))
    expect(page.locator("#confirm")).to_be_hidden()


def test_an_offer_that_lapses_is_told(stage: Stage) -> None:
    offer = replace(waiting(table=(), winning=None), legal=(Take(0, 1),))
    page = stage.open(offer)
    page.locator("#take-open").click()
    stage.bring(replace(offer, version=22))
    expect(bar(page)).to_have_text("Take Bilal\u2019s 13 cards: sure?")
    stage.bring(waiting(version=23))
    expect(page.locator("#confirm")).to_be_hidden()
    expect(message(page)).to_have_text("The hand that you were about to take is not offered any more.")
    expect(page.locator("#banner")).to_be_focused()


def test_the_bar_gives_the_focus_back(stage: Stage) -> None:
    """R47: to the card that was let go, or to the banner after it was played."""
    page = stage.open(my_turn())
    stage.answer = 200, rendered.html(waiting())
    button(page, "8H").click()
    page.get_by_role("button", name="Cancel").press("Enter")
    expect(button(page, "8H")).to_be_focused()
    button(page, "8H").press("Enter")
    bar(page).focus()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    expect(button(page, "8H")).to_be_focused()
    button(page, "8H").press("Enter")
    stage.answer = 200, rendered.html(replace(waiting(), hand=tuple(each for each in HAND if each.code != "8H")))
    bar(page).press("Enter")
    page.locator("#board[data-state=waiting]").wait_for()
    expect(page.locator("#banner")).to_be_focused()
