"""What a log holds: the entries of a game (rules.md 12)."""

from dataclasses import dataclass

from games.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card from its hand, or tries to (rules.md 5, 6, 10)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Take:
    """A seat takes the whole hand of the next seat, the victim (rules.md 4)."""

    seat: int
    victim: int


@dataclass(frozen=True, slots=True)
class Draw:
    """The card that came to a seat that had the power and no card (rules.md 7.2)."""

    seat: int
    card: Card


type Move = Play | Take
"""What a player may choose."""

type Entry = Play | Take | Draw
"""What a log holds; a draw is nobody's choice."""
