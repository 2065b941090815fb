"""The table's script: choosing, confirming, sending."""

import pytest
from playwright.sync_api import expect

from games.rules.cards import card
from games.rules.moves import Play, Take
from tests.e2e.boards import bar, button, my_turn, waiting
from tests.e2e.conftest import Console
from tests.e2e.stage import Stage
from tests.games import rendered


def test_a_tap_chooses_and_a_second_tap_plays(stage: Stage) -> None:
    """R6, R14: choosing asks nothing of the network."""
    page = stage.open(my_turn())
    stage.answer = 200, rendered.html(waiting())
    button(page, "8H").click()
    expect(button(page, "8H")).to_have_attribute("aria-pressed", "true")
    expect(bar(page)).to_have_text("Play 8 of hearts")
    expect(page.locator("#confirm")).to_contain_text("No undo.")
    button(page, "QH").click()
    expect(button(page, "8H")).not_to_have_attribute("aria-pressed", "true")
    expect(bar(page)).to_have_text("Play queen of hearts")
    assert stage.moves == []
    button(page, "QH").click()
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["QH"]
    expect(page.locator("#confirm")).to_be_hidden()


def test_the_bar_plays_or_lets_go(stage: Stage) -> None:
    page = stage.open(my_turn())
    stage.answer = 200, rendered.html(waiting())
    button(page, "5H").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#confirm")).to_be_hidden()
    button(page, "5H").click()
    bar(page).click()
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["5H"]


def test_an_illegal_card_says_why_and_sends_nothing(stage: Stage) -> None:
    """R5."""
    page = stage.open(my_turn())
    # Playwright takes what is aria-disabled for dead, and a person does not.
    button(page, "AS").click(force=True)
    expect(page.get_by_role("status")).to_have_text("You hold hearts: follow hearts.")
    button(page, "AS").click(force=True)
    button(page, "AS").press("Enter")
    expect(page.locator("#confirm")).to_be_hidden()
    stage.bring(waiting())
    button(page, "QH").click(force=True)
    expect(page.get_by_role("status")).to_have_text("Wait: it is \u2068Bilal\u2069\u2019s turn.")
    assert stage.moves == []


def test_sliding_off_a_card_does_nothing(stage: Stage) -> None:
    """R8."""
    page = stage.open(my_turn())
    button(page, "8H").click()
    box = button(page, "8H").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] - 200)
    page.mouse.up()
    page.wait_for_timeout(100)
    assert stage.moves == []


def test_a_forced_card_is_chosen_already(stage: Stage) -> None:
    """R10: one tap plays it."""
    view = my_turn(legal=(Play(0, card("8H")),))
    page = stage.open(view)
    stage.answer = 200, rendered.html(waiting())
    expect(bar(page)).to_have_text("Play 8 of hearts")
    button(page, "8H").click()
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["8H"]


def test_a_foul_is_confirmed_once_more(stage: Stage) -> None:
    page = stage.open(my_turn(fouls=(card("AS"),), refusals=()))
    stage.answer = 200, rendered.html(waiting())
    button(page, "AS").click()
    expect(page.locator("#confirm")).to_contain_text("A foul: you take the card on the table and lead next.")
    bar(page).click()
    assert stage.moves == []
    expect(bar(page)).to_have_text("Play it all the same")
    bar(page).click()
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["AS"]


def test_taking_a_hand_is_confirmed_once_more(stage: Stage) -> None:
    """R13."""
    view = my_turn(legal=(*my_turn().legal, Take(0, 1)))
    page = stage.open(view)
    stage.answer = 200, rendered.html(waiting())
    page.get_by_text("Take Bilal\u2019s 13 cards\u2026").click()
    expect(page.locator("#confirm")).to_contain_text("they come into your hand and Bilal has got away.")
    page.wait_for_timeout(100)
    assert stage.moves == []
    expect(bar(page)).to_have_text("Take Bilal\u2019s 13 cards: sure?")
    expect(bar(page)).to_be_focused()
    bar(page).click()
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["1"]


def test_a_lost_connection_keeps_the_choice(stage: Stage, console: Console) -> None:
    page = stage.open(my_turn())
    button(page, "8H").click()
    bar(page).click()
    expect(page.get_by_role("status")).to_contain_text("Not sent")
    expect(button(page, "8H")).to_have_attribute("aria-pressed", "true")
    stage.answer = 200, rendered.html(waiting())
    bar(page).click()
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["8H", "8H"]
    console.expected("ERR_INTERNET_DISCONNECTED")
    console.expected("htmx:")


@pytest.mark.parametrize("status", [409, 422])
def test_a_refusal_brings_the_fresh_board_and_its_sentence(stage: Stage, console: Console, status: int) -> None:
    """R9; what was chosen stays chosen while it may still be played."""
    page = stage.open(my_turn())
    stage.answer = status, rendered.html(my_turn(version=22), alert="The game has moved on: choose again.")
    button(page, "8H").click()
    bar(page).click()
    expect(page.get_by_role("alert")).to_have_text("The game has moved on: choose again.")
    expect(page.locator("#board")).to_have_attribute("data-version", "22")
    expect(button(page, "8H")).to_have_attribute("aria-pressed", "true")
    console.expected(f"{status}")


def test_two_taps_send_one_card(stage: Stage) -> None:
    page = stage.open(my_turn())
    stage.answer = 200, rendered.html(waiting())
    button(page, "8H").click()
    page.evaluate(
        "() => { const yes = document.querySelector('#confirm .yes'); yes.click(); yes.click(); yes.click(); }"
    )
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["8H"]


def test_a_card_that_came_too_often_is_kept_and_asked_to_wait(stage: Stage, console: Console) -> None:
    page = stage.open(my_turn())
    stage.answer = (429, "")
    button(page, "8H").click()
    bar(page).click()
    expect(page.locator("#why")).to_have_text("That was too often: wait a minute and try again.")
    expect(bar(page)).to_have_text("Play 8 of hearts")
    console.expected("429")
