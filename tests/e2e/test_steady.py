"""The hand stays where it is, whatever lies on the table, and everything can be reached and read."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.rules.cards import PACK, Card, Suit, hand_of
from games.rules.moves import Play, Take
from games.rules.outcome import Result
from games.rules.state import LastTrick
from games.rules.view import Refusal, SeatView, TableCard
from tests.e2e.boards import bar, button, line, my_turn, table, waiting
from tests.e2e.stage import Stage
from tests.games.rendered import with_hand

HEARTS = tuple(each for each in PACK if each.suit is Suit.HEARTS)
HAND = hand_of("AS KS 3S QH 8H 9C 7C 2D")
PROVED = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS)


def refused(hand: tuple[Card, ...], sentence: str) -> tuple[Refusal, ...]:
    return tuple(Refusal(each, "follow_suit", sentence) for each in hand)


def busy(seats: int, played: int, hand: tuple[Card, ...] = HAND, **changes: Any) -> SeatView:
    """A table in play: cards on it, a trick behind it, voids of every number; the reader waits."""
    last = LastTrick(3, tuple(Play(seat, HEARTS[seat]) for seat in range(seats)), 2, 2)
    given: dict[str, Any] = {
        "tricks": 4,
        "version": 57,
        "power": 1,
        "awaited": (min(played + 1, seats - 1),),
        "table": tuple(TableCard(seat, HEARTS[seat]) for seat in range(1, played + 1)),
        "winning": played or None,
        "last": last,
        "voids": tuple(PROVED[: seat % 4] for seat in range(seats)),
        "refusals": refused(hand, "Wait."),
    }
    return with_hand(table(seats, packs=2 if seats > 8 else 1), hand, **given | changes)


def turn(view: SeatView) -> SeatView:
    """The same table, at the reader's turn to follow hearts."""
    fits = tuple(each for each in view.hand if each.suit is Suit.HEARTS)
    rest = tuple(each for each in view.hand if each not in fits)
    legal = tuple(Play(0, each) for each in fits)
    return replace(view, awaited=(0,), legal=legal, refusals=refused(rest, "You hold hearts: follow hearts."))


def over(seats: int) -> SeatView:
    away = tuple(range(1, seats))
    view = busy(seats, 0, awaited=(), away=away, result=Result(away, 0, void=False, cards_left=8))
    return replace(view, counts=tuple(0 if seat in away else 8 for seat in range(seats)))


def top(page: Page) -> int:
    place: float = page.evaluate("document.getElementById('hand').getBoundingClientRect().top + scrollY")
    return round(place)


@pytest.mark.parametrize(("seats", "highest"), [(4, 285), (6, 325), (8, 325), (12, 370)])
def test_the_hand_of_a_phone_never_moves(stage: Stage, seats: int, highest: int) -> None:
    quiet = busy(seats, 0, last=None, tricks=0, voids=((),) * seats, version=50)
    page = stage.open(quiet)
    place = top(page)
    assert place <= highest
    offer = busy(seats, 0, legal=(Take(0, 1),))
    away = busy(seats, 0, away=(seats - 1,))
    waits = busy(seats, 0, awaited=tuple(range(1, seats)))
    shown = [busy(seats, 1, last=None), *(busy(seats, played) for played in (1, seats // 2, seats - 2)), away, offer]
    stage.bring(replace(waits, version=59))
    expect(page.locator("#banner")).to_contain_text(f"{seats - 1} players" if seats > 4 else "Bilal, Chandni, Dilip")
    for version, view in enumerate([*shown, turn(busy(seats, seats - 1)), over(seats)], start=60):
        stage.bring(replace(view, version=version))
        assert top(page) == place, version
        page.mouse.click(2, 200)
        assert top(page) == place, version
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("#last summary").click()
    assert top(page) == place


@pytest.mark.parametrize("seats", [4, 8, 12])
@pytest.mark.parametrize("width", [1366, 1024])
def test_rows_keep_together_on_a_wide_screen(still: Stage, width: int, seats: int) -> None:
    """Whatever stands beside them, and the whole hand can be seen."""
    still.page.set_viewport_size({"width": width, "height": 768})
    hand = tuple(each for each in PACK if each.rank > 6)
    for view in (turn(busy(seats, seats - 1, hand)), busy(seats, 1, hand), over(seats)):
        page = still.open(view)
        for row in page.locator(".row").all():
            box = row.bounding_box()
            assert box is not None
            assert box["height"] <= 70
            assert box["y"] + box["height"] <= 768
        first, last = page.locator(".row").first.bounding_box(), page.locator(".row").last.bounding_box()
        assert first is not None
        assert last is not None
        assert last["y"] - first["y"] <= 80


def seen(page: Page, row: str) -> bool:
    """Whether a row lies between the banner and the confirm bar."""
    found = page.evaluate(
        """(row) => {
          const box = document.getElementById(row).closest(".row").getBoundingClientRect();
          const banner = document.getElementById("banner").getBoundingClientRect();
          const end = innerHeight - document.getElementById("confirm").offsetHeight;
          return box.top >= banner.bottom - 1 && box.bottom <= end + 1;
        }""",
        row,
    )
    return bool(found)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_suit_to_follow_comes_into_view(stage: Stage, motion: Any) -> None:
    stage.page.emulate_media(reduced_motion=motion)
    spades = tuple(each for each in PACK if each.suit is Suit.SPADES) * 5
    hand = (*spades, *hand_of("QH 8H 9C 7C 2D"))
    page = stage.open(busy(12, 3, hand))
    assert not seen(page, "row-H")
    stage.bring(replace(turn(busy(12, 11, hand)), version=60))
    stage.until("scrollY > 0")
    page.wait_for_timeout(0 if motion == "reduce" else 600)
    assert seen(page, "row-H")
    place = page.evaluate("scrollY")
    stage.bring(replace(busy(12, 3, hand), version=61))
    stage.bring(replace(turn(busy(12, 11, hand)), version=62))
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == place


def test_the_confirm_bar_covers_nothing_for_good(still: Stage) -> None:
    still.page.emulate_media(reduced_motion="reduce")
    hand = hand_of("AS KS QC 9C 8D 7D QH 8H")
    view = turn(busy(12, 11, hand))
    fouls = tuple(each for each in hand if each.suit is not Suit.HEARTS)
    page = still.open(replace(view, fouls=fouls, refusals=()))
    button(page, "7D").click()
    assert seen(page, "row-D")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    end, dock = page.locator("#lie").bounding_box(), page.locator("#confirm").bounding_box()
    assert end is not None
    assert dock is not None
    assert end["y"] + end["height"] <= dock["y"]


LIES_OVER = """() => {
  const seen = (all) => [...document.querySelectorAll(all)].filter((each) => each.checkVisibility());
  const faces = seen(".played .face");
  const others = seen(".fold > summary, .trick-title, .seat, .facts, .slots");
  const hit = (one, other) => {
    const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 1 && high > 1;
  };
  const over = faces.flatMap((face, i) => [...faces.slice(i + 1), ...others].filter((each) => hit(face, each)));
  const end = (element) => element.getBoundingClientRect().right;
  const narrow = faces.filter((face) => end(face.querySelector("b")) > end(face) + 1);
  return [...over, ...narrow].map((each) => each.outerHTML);
}"""


@pytest.mark.parametrize("size", [(180, 320), (683, 384), (1093, 614), (1366, 768)])
def test_nothing_lies_over_a_card_on_the_table_at_any_zoom(stage: Stage, size: tuple[int, int]) -> None:
    """A phone and a laptop at 200 %, the laptop at 125 % and as it is."""
    stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    for seats in (4, 8, 12):
        for view in (turn(busy(seats, seats - 1)), busy(seats, 1), over(seats)):
            page = stage.open(view)
            assert page.evaluate(LIES_OVER) == []
            assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("width", [320, 360, 1366])
def test_what_is_said_of_a_card_hides_no_suit(still: Stage, width: int) -> None:
    still.page.set_viewport_size({"width": width, "height": 768})
    for seats in (3, 5, 8, 12):
        page = still.open(busy(seats, seats - 1))
        said = page.locator(".now-trick li:has(.note)")
        expect(said).to_have_count(1)
        suit, note = (said.locator(each).bounding_box() for each in (".face svg", ".note span"))
        assert suit is not None
        assert note is not None
        assert suit["height"] >= 15
        assert suit["y"] + suit["height"] <= note["y"] + 1


@pytest.mark.parametrize("width", [320, 360, 1366])
def test_marks_of_voids_can_be_tapped(still: Stage, width: int) -> None:
    still.page.set_viewport_size({"width": width, "height": 768})
    for seats in (4, 8, 12):
        page = still.open(busy(seats, 1))
        marks = page.locator(".nope").all()
        assert len(marks) > 3
        for mark in marks:
            box = mark.bounding_box()
            assert box is not None
            assert box["width"] >= 24
            assert box["height"] >= 24
            mark.click(trial=True)
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_marks_of_voids_show_in_forced_colours(still: Stage) -> None:
    still.page.emulate_media(forced_colors="active")
    page = still.open(busy(4, 1))
    width, slash, suit, ground = page.evaluate(
        """() => {
          const mark = document.querySelector(".nope");
          const style = (element, part) => getComputedStyle(element, part);
          const suit = style(mark.querySelector("svg")).fill;
          const slash = style(mark, "::after");
          return [slash.borderTopWidth, slash.borderTopColor, suit, style(document.body).backgroundColor];
        }"""
    )
    # A background would be taken away, a border is not.
    assert width == "3px"
    assert len({slash, suit, ground}) == 3


CUT = """() => {
  const texts = ".top a, .seat .mark, .seat .count, #banner, .facts span, .confirm button";
  return [...document.querySelectorAll(texts)].filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    if (width <= 1) return false;
    return left < 0 || right > innerWidth || (each.clientWidth && each.scrollWidth > each.clientWidth + 1);
  }).map((each) => each.outerHTML);
}"""


@pytest.mark.parametrize("seats", [4, 6, 12])
def test_twice_the_size_of_text_is_not_cut(still: Stage, seats: int) -> None:
    page = still.page
    for view in (turn(busy(seats, seats - 1, away=(1,))), over(seats), busy(seats, 0, legal=(Take(0, 1),))):
        still.open(view)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.locator("#take-open, .card").first.click(force=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate(CUT) == []
        skip = page.locator(".skip").bounding_box()
        assert skip is not None
        assert skip["y"] + skip["height"] <= 0


def test_a_take_is_offered_where_it_is_seen(still: Stage) -> None:
    """R13: on a phone, at a table of any size, without a scroll and above the hand."""
    for seats in (3, 6, 12):
        page = still.open(busy(seats, 0, legal=(Take(0, 1),)))
        offer = page.locator("#take-open")
        box = offer.bounding_box()
        assert box is not None
        assert box["height"] >= 24
        assert box["y"] + box["height"] <= top(page) + 1 < 640
        expect(offer).to_contain_text("Take Bilal\u2019s")
        expect(page.locator("#take-button")).to_be_hidden()


def test_the_log_says_where_the_rest_is(stage: Stage) -> None:
    page = stage.open(my_turn())
    stage.bring(waiting(version=57), [line(57, "News.")])
    expect(page.get_by_role("link", name="All 57 steps in the replay")).to_be_visible()


def test_a_refused_card_tells_why_without_script(still: Stage) -> None:
    page = still.open(my_turn())
    expect(button(page, "AS")).to_have_attribute("title", "You hold hearts: follow hearts.")
    expect(bar(page)).to_be_hidden()
