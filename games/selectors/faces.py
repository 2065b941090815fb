"""Cards as a page shows them: faces, and a hand sorted into rows (R3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple

from games.rules.cards import Card, Suit
from games.selectors.shown import Shown

SUIT_ORDER: Final = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
"""Black and red in turn, always the same (R3)."""


class Lie(NamedTuple):
    """How a person's cards lie (R3). first: the rank that begins a row. edge: where rows stand, "" as the page does."""

    first: Literal["ace", "two"] = "ace"
    edge: Literal["", "left", "right"] = ""


USUAL: Final = Lie()

LIES: Final = {
    f"{lie.first}.{lie.edge}": lie
    for lie in (Lie("ace", "left"), Lie("ace", "right"), Lie("two", "left"), Lie("two", "right"))
}
"""What a browser may have chosen, by the word that its cookie keeps for it."""


def lie_kept(word: str) -> Lie:
    """Return how the cards shall lie by a cookie's word, the usual way unless it is one of ours."""
    return LIES.get(word, USUAL)


@dataclass(frozen=True, slots=True)
class Face(Shown):
    """A card that lies open: its code "8H", its corner, its suit's letter, "eight of hearts", "8 of hearts"."""

    code: str
    rank: str
    suit: str
    name: str
    short: str


@dataclass(frozen=True, slots=True)
class HandCard(Shown):
    """A card of the viewer's own hand.

    kind: "play", "foul" or "no". id: the element's, numbered by copy. label: what a screen reader says (R44). why: the
    reason for a "no", in one sentence. drawn: it was drawn and must be led. new: it came since the viewer's last play.
    only: the one card that may be played.
    """

    face: Face
    kind: str
    id: str
    label: str
    why: str
    drawn: bool
    new: bool
    only: bool


@dataclass(frozen=True, slots=True)
class HandRow(Shown):
    """The cards of one suit in order of rank. led: it is the suit to follow. wide: few enough to be given room (R2)."""

    suit: str
    heading: str
    led: bool
    wide: bool
    cards: tuple[HandCard, ...]


@cache
def face_of(card: Card) -> Face:
    """Return what a page shows of a card."""
    rank = "10" if card.code[0] == "T" else card.code[0]
    short = f"{rank} of {card.suit.word}" if rank.isdigit() else card.name
    return Face(card.code, rank, card.suit.value, card.name, short)


def in_page_order(cards: Iterable[Card], lie: Lie) -> tuple[Card, ...]:
    """Sort cards as a hand lies: suits in their fixed order, in each the ranks as the person has them."""
    sign = 1 if lie.first == "two" else -1
    return tuple(sorted(cards, key=lambda card: (SUIT_ORDER.index(card.suit), sign * card.rank)))
