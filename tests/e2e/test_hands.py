"""R1 to R4: hands of every size on screens of every width, by the real template and style sheets."""

from dataclasses import replace
from itertools import groupby, pairwise
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from games.rules.cards import PACK, Card, Suit, card
from games.rules.moves import Move, Play
from games.rules.shuffle import shuffled
from games.rules.view import Refusal, SeatView, TableCard
from tests.e2e.boards import table
from tests.e2e.stage import Stage
from tests.games.rendered import with_hand

WIDTHS = {320: 640, 360: 640, 390: 844, 844: 390, 1366: 768}
SIZES = [1, 13, 18, 26, 35, 45, 52, 104]


def following(hand: list[Card], led: Suit) -> SeatView:
    """A view in which it is the reader's turn to follow a suit."""
    view = table(packs=2, players=5) if len(hand) > 52 else table()
    fits = [each for each in dict.fromkeys(hand) if each.suit is led]
    legal: tuple[Move, ...] = tuple(Play(0, each) for each in fits)
    refusals = tuple(Refusal(each, "follow_suit", "No.") for each in dict.fromkeys(hand) if each not in fits)
    first = TableCard(3, next(each for each in PACK if each.suit is led))
    return with_hand(view, hand, legal=legal, refusals=refusals, awaited=(0,), table=(first,), tricks=3, power=3)


def hand_of_size(size: int) -> list[Card]:
    deck = PACK * (2 if size > 52 else 1)
    return list(shuffled(deck, Random(size).randrange)[:size])


READ = """() => {
  const shown = [];
  const hits = (box) => [
    document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2),
    document.elementFromPoint(box.left + 1, box.top + 3),
    document.elementFromPoint(box.right - 1, box.bottom - 3),
  ];
  for (const card of document.querySelectorAll(".card")) {
    card.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = card.getBoundingClientRect();
    const marks = [card.querySelector("b"), card.querySelector("svg")].map((mark) => {
      const box = mark.getBoundingClientRect();
      const clear = hits(box).every((hit) => card.contains(hit));
      return { clear, left: box.left, right: box.right, size: box.height };
    });
    const hit = card.contains(document.elementFromPoint((left + right) / 2, top + 30));
    const font = parseFloat(getComputedStyle(card.querySelector("b")).fontSize);
    const wide = Boolean(card.closest(".wide"));
    shown.push({ id: card.id, left, right, height: bottom - top, top: top + scrollY, marks, hit, font, wide });
  }
  return { shown, width: document.documentElement.scrollWidth };
}"""


def check(page: Page, hand: list[Card], width: int) -> None:
    found = page.evaluate(READ)
    assert found["width"] <= width
    assert len(found["shown"]) == len(hand)
    for each in found["shown"]:
        assert 0 <= each["left"] < each["right"] <= width
        assert each["hit"], each
        assert each["height"] >= 24
        assert each["right"] - each["left"] >= (44 if each["wide"] else 24) - 0.01, each
        assert each["font"] >= 24
        rank, suit = each["marks"]
        assert rank["clear"], each
        assert suit["clear"], each
        assert suit["size"] >= 18
        assert each["left"] - 1 <= rank["left"] < rank["right"] <= each["right"] + 1, each
    rows = [list(row) for _, row in groupby(found["shown"], key=lambda each: (each["id"][-3], each["top"]))]
    for row in rows:
        assert all(one["right"] <= two["left"] + 0.01 for one, two in pairwise(row))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("size", SIZES)
def test_every_card_can_be_read_and_tapped(still: Stage, size: int, width: int) -> None:
    still.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    hand = hand_of_size(size)
    led = hand[0].suit
    check(still.open(following(hand, led)), hand, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [1, 5, 7, 8, 13])
def test_a_short_led_suit_has_room(still: Stage, count: int, width: int) -> None:
    """R2: 44 px when the led suit has at most seven cards."""
    still.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    suits = {suit: [each for each in PACK if each.suit is suit] for suit in Suit}
    hand = [*suits[Suit.HEARTS][:count], *suits[Suit.SPADES], *suits[Suit.CLUBS][:9], *suits[Suit.DIAMONDS]]
    page = still.open(following(hand, Suit.HEARTS))
    check(page, hand, width)
    hearts = [each for each in page.evaluate(READ)["shown"] if each["id"].endswith("H-1")]
    assert len(hearts) == count
    if count <= 7:
        assert all(each["right"] - each["left"] >= 43.99 for each in hearts)
        assert len({each["top"] for each in hearts}) == 1


def test_the_sketch_of_the_brief_fits_a_phone(still: Stage) -> None:
    """A hand of 35 with a suit of 13, at 360 x 640: four rows, all in view, the confirm bar below them."""
    suits = {suit: [each for each in PACK if each.suit is suit] for suit in Suit}
    hand = [*suits[Suit.SPADES], *suits[Suit.HEARTS][:5], *suits[Suit.DIAMONDS][:7], *suits[Suit.CLUBS][:10]]
    page = still.open(following(hand, Suit.HEARTS))
    tops = {each["top"] for each in page.evaluate(READ)["shown"]}
    assert len({round(top / 20) for top in tops}) == 4
    page.evaluate("scrollTo(0, 0)")
    page.locator("#card-6H-1").click()
    assert page.locator("#confirm .yes").bounding_box()["height"] >= 48  # type: ignore[index]
    last = page.locator(".row").last.bounding_box()
    bar = page.locator("#confirm").bounding_box()
    assert last is not None
    assert bar is not None
    assert last["y"] + last["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= 640


STYLE = """(id) => {
  const card = document.getElementById(id);
  const face = getComputedStyle(card, "::before");
  const ink = getComputedStyle(card.querySelector("b"));
  const raise = getComputedStyle(card).translate;
  return { raise, face: face.backgroundColor, ink: ink.color, off: card.ariaDisabled };
}"""


def luminance(colour: str) -> float:
    parts = [int(each) / 255 for each in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted([luminance(one), luminance(two)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_three_channels_mark_what_may_be_played(still: Stage, scheme: Any) -> None:
    """R4, R37: raise, brightness and state; and every rank can be read on its face."""
    still.page.emulate_media(color_scheme=scheme)
    hand = [card(code) for code in ["AS", "KS", "AH", "KH", "AC", "KC", "AD", "KD"]]
    view = following(hand, Suit.HEARTS)
    for shown, mine in ((view, True), (replace(view, awaited=(1,), legal=()), False)):
        refused = () if mine else tuple(Refusal(each, "not_your_turn", "Wait.") for each in hand)
        page = still.open(shown if mine else replace(shown, refusals=refused))
        styles = {each.code: page.evaluate(STYLE, f"card-{each.code}-1") for each in hand}
        for style in styles.values():
            assert contrast(style["ink"], style["face"]) >= 4.5
        if mine:
            plays, refuses = styles["AH"], styles["AS"]
            assert plays["raise"] == "0px -5px"
            assert refuses["raise"] == "none"
            assert plays["face"] != refuses["face"]
            assert (plays["off"], refuses["off"]) == (None, "true")
        else:
            assert {each["off"] for each in styles.values()} == {"true"}


def test_fouls_are_marked_as_such(still: Stage) -> None:
    hand = [card(code) for code in ["AS", "KS", "AH", "KH"]]
    view = following(hand, Suit.HEARTS)
    page = still.open(replace(view, fouls=(card("AS"), card("KS")), refusals=()))
    mark = "(id) => getComputedStyle(document.getElementById(id), '::after').content"
    assert page.evaluate(mark, "card-AS-1") == '"foul"'
    assert page.evaluate(mark, "card-AH-1") == "none"
    assert page.get_by_role("button", name="Ace of spades, a foul, 1 of 2 in spades").count() == 1


def test_cards_do_not_mirror(still: Stage) -> None:
    """R60: under a right-to-left page the ace is still at the left of its row."""
    hand = hand_of_size(35)
    page = still.open(following(hand, hand[0].suit))
    page.evaluate("document.documentElement.dir = 'rtl'")
    check(page, hand, 360)
    for row in page.locator(".row").all():
        lefts = [each.bounding_box()["x"] for each in row.locator(".card").all()]  # type: ignore[index]
        assert lefts == sorted(lefts)
