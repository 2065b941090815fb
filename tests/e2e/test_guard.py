"""What comes by itself takes nothing from the reader: for a moment, taps on what it has moved do nothing."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from games.rules.cards import card
from games.rules.moves import Play
from games.rules.view import SeatView
from games.selectors.mine import NextGame
from tests.e2e.boards import bar, button, line, my_turn, waiting
from tests.e2e.stage import Stage
from tests.games import rendered

# Brings a board, by itself or as an answer, and taps at once, as fast as no hand can.
TAP = """async ({ html, thing, pushed, detail }) => {
  const { show, settled } = await import("/static/games/boards.js");
  show(html, { pushed });
  await settled();
  const tap = new MouseEvent("click", { bubbles: true, cancelable: true, detail });
  document.querySelector(thing).dispatchEvent(tap);
}"""
MOVED = "The table moved: tap again."


def tap(page: Page, html: str, thing: str = "#card-AS-1", *, pushed: bool = True, keys: bool = False) -> None:
    page.evaluate(TAP, {"html": html, "thing": thing, "pushed": pushed, "detail": 0 if keys else 1})


def lower(view: SeatView) -> str:
    """A board on which a line more stands above the hand."""
    return rendered.html(view, board=replace(rendered.board(view), next=NextGame("bcdfgh2347", 2)))


def test_a_tap_on_what_has_moved_waits_a_moment(stage: Stage) -> None:
    page = stage.open(waiting())
    tap(page, lower(waiting(version=22)))
    expect(page.locator("#why")).to_have_text(MOVED)
    page.wait_for_timeout(750)
    button(page, "AS").click(force=True)
    expect(page.locator("#why")).to_contain_text("Wait: it is")


def test_what_is_new_waits_too(stage: Stage) -> None:
    """A bar that rises under the finger plays nothing."""
    page = stage.open(waiting())
    tap(page, rendered.html(my_turn(version=22, legal=(Play(0, card("8H")),))), "#confirm .yes")
    expect(page.locator("#why")).to_have_text(MOVED)
    expect(bar(page)).to_have_text("Play 8 of hearts")
    assert stage.moves == []


def test_what_stays_in_its_place_answers_at_once(stage: Stage) -> None:
    """One's turn has come: the hand is where it was, and play is not slowed."""
    page = stage.open(waiting())
    tap(page, rendered.html(my_turn(version=22)), "#card-8H-1")
    expect(button(page, "8H")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#why")).to_have_text("")


@pytest.mark.parametrize(("pushed", "keys"), [(True, True), (False, False)])
def test_keys_pass_and_ones_own_moves_guard_nothing(stage: Stage, pushed: bool, keys: bool) -> None:
    page = stage.open(waiting())
    tap(page, lower(waiting(version=22)), pushed=pushed, keys=keys)
    expect(page.locator("#why")).to_contain_text("Wait: it is")


def test_a_form_that_came_by_itself_is_sent_by_the_script(stage: Stage) -> None:
    """It is new to htmx, and carries the token of the page."""
    sent: list[str] = []
    # On a busy computer the page may say meanwhile what it has shown.
    stage.page.on("request", lambda each: sent.append(each.post_data or "") if "/back/" in each.url else None)
    page = stage.open(waiting())
    board = replace(rendered.board(my_turn(version=22)), frame=replace(rendered.FRAME, stood_in=True))
    stage.next = rendered.html(my_turn(), board=board, csrf_token="-")
    stage.answer = 200, rendered.html(my_turn(version=23))
    page.wait_for_timeout(750)
    page.get_by_role("button", name="I am back").click()
    page.locator("#board[data-version='23']").wait_for()
    expect(page.locator("#confirm")).to_have_count(1)  # it is the same page
    assert sent == ["csrfmiddlewaretoken=" + "t" * 64]


HELD = """() => {
  const { anchorNode, focusNode } = getSelection();
  return [scrollY, String(getSelection()), anchorNode === focusNode, document.querySelector("#lie").open];
}"""


def test_selection_scroll_and_boxes_stay(stage: Stage) -> None:
    lines = [line(step, f"Event {step}.") for step in range(21, 1, -1)]
    page = stage.open(waiting(), board=rendered.board(waiting(), lines))
    page.get_by_text("How my cards lie").click()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('[data-step=\"5\"]'))")
    page.evaluate("scrollTo(0, 700)")
    page.locator("#lie summary").focus()
    page.wait_for_timeout(100)
    held = page.evaluate(HELD)
    assert held[1:] == ["Event 5.", True, True]
    for version in range(22, 27):
        stage.bring((my_turn if version % 2 else waiting)(version=version), lines)
        assert page.evaluate(HELD) == held
        expect(page.locator("#lie summary")).to_be_focused()
    # Lines that come above push nothing on, either.
    place = page.evaluate("document.querySelector('[data-step=\"5\"]').getBoundingClientRect().top")
    stage.bring(waiting(version=27), [line(27, "News."), *lines])
    page.wait_for_timeout(100)
    now = page.evaluate("document.querySelector('[data-step=\"5\"]').getBoundingClientRect().top")
    assert abs(now - place) <= 1
