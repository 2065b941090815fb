"""The table's script: news, focus, keys, and what is read out."""

from dataclasses import replace

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.rules.cards import hand_of
from games.selectors.board import Board
from games.selectors.pauses import StopsShown
from games.selectors.waits import Clocks
from tests.e2e.boards import HAND, LAST, bar, button, line, my_turn, table, waiting
from tests.e2e.stage import Stage
from tests.games import rendered
from tests.games.rendered import with_hand


def test_news_keep_choice_focus_and_open_boxes(stage: Stage) -> None:
    """R47."""
    page = stage.open(my_turn())
    page.get_by_text("How my cards lie").click()
    page.get_by_label("from two to ace").check()
    button(page, "8H").click()
    button(page, "8H").focus()
    for revision in range(8, 28):
        stage.bring(my_turn(), revision=revision)
        expect(button(page, "8H")).to_be_focused()
    expect(button(page, "8H")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#lie")).to_have_attribute("open", "")
    expect(page.get_by_label("from two to ace")).to_be_checked()
    stage.bring(with_hand(waiting(version=23), hand_of("AS KS")))
    expect(page.locator("#banner")).to_be_focused()
    expect(page.locator("#confirm")).to_be_hidden()


def asking(*kinds: str, revision: int = 7) -> Board:
    """A board on which these things may be asked of the table."""
    return replace(rendered.board(my_turn(), revision=revision), stops=StopsShown(asks=kinds))


def test_what_is_about_to_be_asked_of_the_table_stays_while_it_can_be(stage: Stage) -> None:
    page = stage.open(my_turn(), board=asking("pause"))
    page.get_by_text("Pause this table").click()
    page.get_by_label("Days").select_option("9")
    stage.next = rendered.html(my_turn(), board=asking("pause", revision=8))
    expect(page.locator("#board")).to_have_attribute("data-revision", "8")
    expect(page.get_by_label("Days")).to_have_value("9")
    stage.next = rendered.html(my_turn(), board=asking("extend", "resume", revision=9))
    expect(page.locator("#ask")).to_have_attribute("data-asks", "extend resume")
    expect(page.locator("#ask")).not_to_have_attribute("open", "")


def test_old_boards_never_come_back(stage: Stage) -> None:
    page = stage.open(waiting())
    stage.next = rendered.html(my_turn())
    page.wait_for_timeout(1600)
    expect(page.locator("#board")).to_have_attribute("data-version", "21")


@pytest.mark.parametrize("live", [False, True])
def test_a_finished_trick_stays_a_while(stage: Stage, live: bool) -> None:
    """R20: although the next card has fallen, until the reader acts, live for three seconds; R18: then one tap away."""
    page, clocks = stage.open(waiting()), Clocks(timezone.now(), live=live)
    last = page.locator("#last")
    done = waiting(version=25, tricks=4, last=LAST)
    stage.bring(done, clocks=clocks)
    expect(last).to_contain_text("Last trick: Chandni picked up 3 cards")
    expect(last.locator(".played")).to_be_visible()
    expect(page.locator(".now-trick")).to_be_hidden()
    page.wait_for_timeout(2000)
    expect(page.locator(".now-trick")).to_be_hidden()
    page.wait_for_timeout(1500)
    expect(page.locator(".now-trick")).to_be_visible(visible=live)
    expect(last.locator(".played")).to_be_visible(visible=not live)
    done = replace(done, tricks=5, last=LAST._replace(number=3))
    stage.bring(replace(done, version=29), clocks=clocks)
    expect(page.locator(".now-trick")).to_be_hidden()
    page.mouse.click(180, 150)
    expect(page.locator(".now-trick")).to_be_visible(timeout=1500)
    last.locator("summary").click()
    expect(last.locator(".played")).to_be_visible()
    stage.bring(replace(done, version=30), clocks=clocks)
    expect(last.locator(".played")).to_be_visible()


def test_an_empty_table_shows_the_last_trick(stage: Stage) -> None:
    page = stage.open(waiting(version=25, tricks=4, last=LAST, table=(), winning=None))
    expect(page.locator("#last .played")).to_be_visible()
    page.wait_for_timeout(3500)
    expect(page.locator("#last .played")).to_be_visible()


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
    assert page.title() == "(1) Your turn: \u2068Nani's table\u2069"
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
