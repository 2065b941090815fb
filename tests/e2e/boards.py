"""Boards of one small hand, before and after its turn."""

from dataclasses import replace
from random import Random
from typing import Any

from django.utils.safestring import mark_safe
from playwright.sync_api import Locator, Page

from games.rules.cards import PACK, card, hand_of
from games.rules.deal import deal_hands, start
from games.rules.moves import Play
from games.rules.ruleset import Ruleset
from games.rules.shuffle import shuffled
from games.rules.state import LastTrick
from games.rules.view import Refusal, SeatView, TableCard, seat_view
from games.selectors.sentences import Line
from tests.games.rendered import with_hand

HAND = hand_of("AS KS QH 8H 5H 9C 2D")


def table(players: int = 4, **rules: Any) -> SeatView:
    """A view of seat 0, to which hands are given."""
    ruleset = Ruleset(**rules)
    rng = Random(5)
    deck = shuffled(PACK * ruleset.packs, rng.randrange)
    return seat_view(start(ruleset, 0, deal_hands(ruleset, players, 0, deck)), 0)


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


LAST = LastTrick(2, (Play(1, card("TC")), Play(2, card("JC")), Play(3, card("3D"))), 2, 2)


def line(step: int, text: str) -> Line:
    return Line(step, "Played", mark_safe(text))
