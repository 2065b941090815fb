"""The table's script, before boards made by hand: choosing, confirming, news, focus, keys."""

from dataclasses import replace

import pytest
from django.utils.safestring import mark_safe
from playwright.sync_api import Locator, Page, expect

from games.rules.cards import card, hand_of
from games.rules.moves import Play, Take
from games.rules.state import LastTrick
from games.rules.view import Refusal, SeatView, TableCard
from games.selectors.sentences import Line
from tests.e2e.conftest import Console
from tests.e2e.stage import Stage
from tests.e2e.test_hands import table
from tests.games import rendered
from tests.games.rendered import with_hand

HAND = hand_of("AS KS QH 8H 5H 9C 2D")


def my_turn(**changes: object) -> SeatView:
    """Hearts are led, and it is the reader's turn."""
    legal = tuple(Play(0, each) for each in HAND if each.code[1] == "H")
    refusals = tuple(
        Refusal(each, "follow_suit", "You hold hearts: follow hearts.") for each in HAND if each.code[1] != "H"
    )
    given = {"legal": legal, "refusals": refusals, "awaited": (0,), "table": (TableCard(3, card("4H")),), "power": 3}
    return with_hand(table(), HAND, **{"tricks": 3, "version": 20, "winning": 3} | given | changes)


def waiting(**changes: object) -> SeatView:
    refusals = tuple(Refusal(each, "not_your_turn", "It is not your turn: wait.") for each in HAND)
    view = my_turn(version=21)
    hand = with_hand(view, HAND, refusals=refusals, awaited=(1,))
    return replace(hand, **changes)  # type: ignore[arg-type]


def button(page: Page, code: str, copy: int = 1) -> Locator:
    return page.locator(f"#card-{code}-{copy}")


def bar(page: Page) -> Locator:
    return page.locator("#confirm .yes")


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
    expect(page.get_by_role("status")).to_have_text("Wait: it is Bilal\u2019s turn.")
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
    expect(page.locator("#confirm")).to_contain_text("A foul: you take the cards on the table.")
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
    page.get_by_text("Take a hand").click()
    expect(page.locator("#take")).to_contain_text("they come into your hand and Bilal has got away.")
    page.locator("#take-button").click()
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


def test_news_keep_choice_focus_and_open_boxes(stage: Stage) -> None:
    """R47."""
    take = (*my_turn().legal, Take(0, 1))
    page = stage.open(my_turn(legal=take))
    page.get_by_text("Take a hand").click()
    button(page, "8H").click()
    button(page, "8H").focus()
    for revision in range(8, 28):
        stage.bring(my_turn(legal=take), revision=revision)
        expect(button(page, "8H")).to_be_focused()
    expect(button(page, "8H")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#take")).to_have_attribute("open", "")
    stage.bring(with_hand(waiting(version=23), hand_of("AS KS")))
    expect(page.locator("#banner")).to_be_focused()
    expect(page.locator("#confirm")).to_be_hidden()


def test_old_boards_never_come_back(stage: Stage) -> None:
    page = stage.open(waiting())
    stage.next = rendered.html(my_turn())
    page.wait_for_timeout(1600)
    expect(page.locator("#board")).to_have_attribute("data-version", "21")


LAST = LastTrick((Play(1, card("TC")), Play(2, card("JC")), Play(3, card("3D"))), 2, 2)


def test_a_finished_trick_stays_a_while(stage: Stage) -> None:
    """R20: three seconds, although the next card has fallen, or until the reader acts; R18: then one tap away."""
    page = stage.open(waiting())
    last = page.locator("#last")
    done = waiting(version=25, tricks=4, last=LAST)
    stage.bring(done)
    expect(last).to_contain_text("Last trick: Chandni picked up 3 cards")
    expect(last.locator(".played")).to_be_visible()
    expect(page.locator(".now-trick")).to_be_hidden()
    page.wait_for_timeout(2000)
    expect(page.locator(".now-trick")).to_be_hidden()
    expect(page.locator(".now-trick")).to_be_visible(timeout=2000)
    expect(last.locator(".played")).to_be_hidden()
    stage.bring(replace(done, version=29, tricks=5))
    expect(page.locator(".now-trick")).to_be_hidden()
    page.mouse.click(180, 150)
    expect(page.locator(".now-trick")).to_be_visible(timeout=500)
    last.locator("summary").click()
    expect(last.locator(".played")).to_be_visible()
    stage.bring(replace(done, version=30, tricks=5))
    expect(last.locator(".played")).to_be_visible()


def test_an_empty_table_shows_the_last_trick(stage: Stage) -> None:
    page = stage.open(waiting(version=25, tricks=4, last=LAST, table=(), winning=None))
    expect(page.locator("#last .played")).to_be_visible()
    page.wait_for_timeout(3500)
    expect(page.locator("#last .played")).to_be_visible()


def line(step: int, text: str) -> Line:
    return Line(step, "Played", mark_safe(text))


def test_what_happens_is_read_out_once(stage: Stage) -> None:
    """R45: one region politely, in order; one at once, for one's turn."""
    page = stage.open(waiting())
    polite, assertive = page.locator("[aria-live=polite]"), page.locator("[aria-live=assertive]")
    old = [line(20, "Old news.")]
    stage.bring(waiting(version=23), [line(23, "Chandni plays."), line(22, "Bilal plays."), *old])
    expect(polite).to_have_text("Bilal plays. Chandni plays.")
    expect(assertive).to_have_text("")
    five = [line(step, f"Event {step}.") for step in range(28, 23, -1)]
    stage.bring(my_turn(version=28), five)
    expect(polite).to_have_text("5 things happened. Event 26. Event 27. Event 28.")
    expect(assertive).to_have_text("Your turn follow hearts")
    assert page.title() == "Your turn: Nani's table"
    assert page.locator("[aria-live]").count() == 2


def test_keys_move_in_the_hand_and_play(stage: Stage) -> None:
    """R46: one stop of the tab key, arrows, Enter twice; Escape lets go."""
    page = stage.open(my_turn())
    stage.answer = 200, rendered.html(waiting())
    assert page.locator(".card[tabindex='0']").count() == 1
    button(page, "QH").focus()
    for key, code in (
        ("ArrowRight", "8H"),
        ("ArrowRight", "5H"),
        ("ArrowRight", "9C"),
        ("ArrowUp", "QH"),
        ("ArrowUp", "AS"),
        ("ArrowUp", "AS"),
        ("End", "KS"),
        ("ArrowDown", "8H"),
        ("Home", "QH"),
        ("ArrowLeft", "KS"),
        ("ArrowDown", "8H"),
    ):
        page.keyboard.press(key)
        expect(button(page, code)).to_be_focused()
    page.keyboard.press("Enter")
    expect(bar(page)).to_have_text("Play 8 of hearts")
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.locator("#board[data-state=waiting]").wait_for()
    assert stage.moves == ["8H"]


def test_the_hand_is_groups_of_named_buttons(stage: Stage) -> None:
    """R44."""
    page = stage.open(my_turn())
    expect(page.locator("#hand")).to_match_aria_snapshot(
        """
        - form "Your hand, 7 cards":
          - heading "Your hand, 7 cards" [level=2]
          - group "Spades, 2 cards":
            - heading "Spades, 2 cards" [level=3]
            - button "Ace of spades, not now, 1 of 2 in spades" [disabled]
            - button "King of spades, not now, 2 of 2 in spades" [disabled]
          - group "Hearts, 3 cards":
            - heading "Hearts, 3 cards" [level=3]
            - button "Queen of hearts, playable, 1 of 3 in hearts"
            - button "Eight of hearts, playable, 2 of 3 in hearts"
            - button "Five of hearts, playable, 3 of 3 in hearts"
          - group "Clubs, 1 card":
            - heading "Clubs, 1 card" [level=3]
            - button "Nine of clubs, not now, 1 of 1 in clubs" [disabled]
          - group "Diamonds, 1 card":
            - heading "Diamonds, 1 card" [level=3]
            - button "Two of diamonds, not now, 1 of 1 in diamonds" [disabled]
        """
    )


HIDDEN = """() => {
  const focused = document.activeElement;
  if (focused === document.body || focused.closest("#confirm, .skip, #banner")) return "";
  const box = focused.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
  return hit && hit.closest("#confirm, #banner") ? focused.outerHTML : "";
}"""


def test_nothing_fixed_hides_what_has_the_focus(stage: Stage) -> None:
    """R48: neither the banner nor the confirm bar."""
    page = stage.open(my_turn())
    button(page, "8H").click()
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(HIDDEN) == ""


def test_the_direction_is_drawn_and_told(stage: Stage) -> None:
    """R22."""
    page = stage.open(with_hand(table(direction="anticlockwise"), HAND))
    expect(page.locator(".facts")).to_contain_text("Play goes anticlockwise")
    turned = page.evaluate("getComputedStyle(document.querySelector('.anticlockwise .turn')).transform")
    assert turned == "matrix(-1, 0, 0, 1, 0, 0)"
    page = stage.open(with_hand(table(), HAND))
    assert page.evaluate("getComputedStyle(document.querySelector('.clockwise .turn')).transform") == "none"


def test_nothing_moves_for_who_wants_no_motion(stage: Stage) -> None:
    stage.page.emulate_media(reduced_motion="reduce")
    page = stage.open(my_turn())
    button(page, "8H").click()
    assert page.evaluate("document.getAnimations().length") == 0
