"""Cards are seen to travel (R19, R20, R41), and everything else stays alive meanwhile."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.rules.cards import card, hand_of
from games.rules.moves import Play
from games.rules.state import LastTrick
from games.rules.view import SeatView, TableCard
from tests.e2e.boards import LAST, bar, button, line, my_turn, waiting
from tests.e2e.stage import Stage
from tests.games import rendered
from tests.games.rendered import with_hand

# Keeps a record of every animation that is on the page in any frame, once: what it moves, how long, from where.
RECORD = """() => {
  const known = new Set();
  window.moves = [];
  const look = () => {
    for (const each of document.getAnimations()) {
      const { effect } = each;
      if (known.has(each) || (effect.pseudoElement ?? "").match(/old|new/)) continue;
      known.add(each);
      const moment = effect.getComputedTiming();
      const scaled = effect.getKeyframes().some(({ scale }) => scale);
      const what = effect.pseudoElement ? "travels" : scaled ? "pulses" : "other";
      const kind = document.querySelector("#board [style*=view-transition-class]")?.style.viewTransitionClass;
      window.moves.push({ what, kind, ms: moment.duration, from: effect.getKeyframes()[0].transform ?? "" });
    }
    requestAnimationFrame(look);
  };
  look();
}"""
HOLD_STILL = """async () => {
  const travels = () => document.getAnimations().filter(({ effect }) => effect.pseudoElement);
  while (!travels().length) await new Promise(requestAnimationFrame);
  for (const each of travels()) each.pause();
}"""
STILL = "!document.getAnimations().length && !document.querySelector('#board [style]')"


def moves(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.moves")
    return [each for each in found if each["what"] != "other"]


def at(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"], box["y"]


def start(move: dict[str, Any]) -> tuple[float, float]:
    """Where a travel begins: the last two numbers of its matrix."""
    left, top = move["from"].rstrip(")").split(",")[-2:]
    return float(left), float(top)


def near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < 3 and abs(one[1] - other[1]) < 12  # a chosen card is raised


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1366, 768)])
def test_ones_own_card_goes_from_the_hand_to_the_table(stage: Stage, width: int, height: int) -> None:
    stage.page.set_viewport_size({"width": width, "height": height})
    page = stage.open(my_turn())
    lies = (TableCard(3, card("4H")), TableCard(0, card("8H")))
    stage.answer = 200, rendered.html(with_hand(waiting(table=lies, winning=0), hand_of("AS KS QH 5H 9C 2D")))
    button(page, "8H").click()
    page.evaluate(RECORD)
    origin = at(page, "#card-8H-1")
    page.keyboard.press("Enter")
    page.locator("#board[data-state=waiting]").wait_for()
    stage.until(STILL)
    [move] = moves(page)
    assert (move["what"], move["kind"], move["ms"]) == ("travels", "card", 300)
    assert near(start(move), origin)


def test_anothers_card_comes_from_their_seat(stage: Stage) -> None:
    page = stage.open(waiting())
    page.evaluate(RECORD)
    origin = at(page, ".seat.at-1 .count")
    stage.bring(waiting(version=22, table=(TableCard(3, card("4H")), TableCard(1, card("9H"))), winning=1))
    stage.until(STILL)
    [move] = moves(page)
    assert (move["what"], move["kind"]) == ("travels", "deal")
    assert near(start(move), origin)


def finished(**changes: Any) -> SeatView:
    """Dilip has thrown a tochoo: Chandni picks up."""
    return waiting(version=25, tricks=4, table=(), winning=None, awaited=(2,), last=LAST, **changes)


BEFORE = waiting(table=(TableCard(1, card("TC")), TableCard(2, card("JC"))), winning=2, awaited=(3,))


def test_a_tochoo_shows_in_three_steps(stage: Stage) -> None:
    """R19: the card lands, the highest pulses, the stack goes; the trick stays to be read, and is told in words."""
    page = stage.open(BEFORE)
    page.evaluate(RECORD)
    stage.bring(finished(), [line(25, "Chandni picks up 3 cards.")])
    stage.until("window.moves.filter(({ what }) => what !== 'other').length === 3")
    expect(page.locator("#last .played")).to_be_visible()
    stage.until(STILL)
    found = moves(page)
    assert [each["what"] for each in found] == ["travels", "pulses", "travels"]
    # Between the steps there is a frame or two.
    assert sum(each["ms"] for each in found) <= 1000
    assert near(start(found[2]), at(page, "#last .played"))
    expect(page.locator("#last .played")).to_be_visible()
    expect(page.locator("#polite")).to_have_text("Chandni picks up 3 cards.")


def test_a_finished_trick_goes_to_the_waste_once_the_reader_acts(stage: Stage) -> None:
    plays = tuple(Play(seat, card(code)) for seat, code in ((3, "4H"), (0, "8H"), (1, "KH"), (2, "AH")))
    lies = tuple(TableCard(each.seat, each.card) for each in plays)
    page = stage.open(waiting(table=lies[:3]))
    then = waiting(
        version=26, tricks=4, last=LastTrick(4, plays, 2, None), table=(TableCard(2, card("TC")),), winning=2
    )
    stage.bring(then)
    stage.until(STILL)
    page.wait_for_timeout(750)  # a tap on what has just come does nothing
    page.evaluate(RECORD)
    page.mouse.click(180, 160)
    expect(page.locator(".now-trick .played")).to_be_visible()
    stage.until(STILL)
    [move] = moves(page)
    assert (move["what"], move["ms"]) == ("travels", 400)


@pytest.mark.parametrize("by", ["system", "choice"])
def test_nothing_travels_for_who_wants_no_motion(stage: Stage, by: str) -> None:
    """R41; the words are the same."""
    stage.page.emulate_media(reduced_motion="reduce" if by == "system" else "no-preference")
    page = stage.open(BEFORE)
    if by == "choice":
        page.evaluate("document.documentElement.dataset.still = ''")
    eased = "[...document.querySelectorAll('.card')].some((each) => getComputedStyle(each).transitionDuration !== '0s')"
    assert page.evaluate(eased) is False
    page.evaluate(RECORD)
    stage.bring(finished(), [line(25, "Chandni picks up 3 cards.")])
    page.wait_for_timeout(400)
    assert page.evaluate("window.moves") == []
    expect(page.locator("#polite")).to_have_text("Chandni picks up 3 cards.")


def test_a_tap_reaches_its_card_while_others_travel(stage: Stage) -> None:
    page = stage.open(waiting())
    stage.next = rendered.html(my_turn(version=22, table=(TableCard(3, card("4H")), TableCard(1, card("9H")))))
    page.evaluate(HOLD_STILL)
    left, top = at(page, "#card-8H-1")
    page.mouse.click(left + 10, top + 30)
    expect(button(page, "8H")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.getAnimations().some(({ effect }) => effect.pseudoElement)")
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    stage.until(STILL)


def test_boards_that_come_at_once_are_all_shown(stage: Stage) -> None:
    """In order, and nothing is left of the names; the console stays empty."""
    page = stage.open(waiting(table=()))
    lies = tuple(TableCard(seat, card(code)) for seat, code in ((1, "9H"), (2, "TH"), (3, "JH")))
    for count in range(1, 4):
        stage.next = rendered.html(waiting(version=21 + count, table=lies[:count]))
    stage.next = rendered.html(replace(finished(), version=25))
    stage.next = rendered.html(waiting(version=26, tricks=4, last=LAST, table=lies[:1]))
    page.locator("#board[data-version='26']").wait_for()
    page.locator("#last summary").press("Enter")
    expect(page.locator(".now-trick .face")).to_have_count(1)
    stage.until(STILL)
    expect(bar(page)).to_be_hidden()
