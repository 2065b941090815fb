"""What an entry brought about, for views and sentences.

Each event names everything that happened; `visible` says what of it a viewer may see.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from games.rules.cards import Card, Suit
from games.rules.moves import Play
from games.rules.outcome import Result


@dataclass(frozen=True, slots=True)
class Played:
    """A seat played a card; `card` is None for those who see its back only (rules.md 5.2)."""

    seat: int
    card: Card | None
    led: bool
    face_down: bool
    tochoo: bool
    drawn: bool


@dataclass(frozen=True, slots=True)
class TrumpMade:
    """The first void of a Donkey deal made a suit trump (rules.md 9.1)."""

    seat: int
    suit: Suit


@dataclass(frozen=True, slots=True)
class Fouled:
    """A seat tried a card that it might not play; the card went back (rules.md 10)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrickWasted:
    """A trick went to the waste; its winner has the power (rules.md 5.3, 6.5).

    After an opening trick in any order this is also where its cards are turned up.
    """

    plays: tuple[Play, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class PickedUp:
    """A seat took the cards of a trick into its hand and has the power (rules.md 6.4, 10).

    `from_seat` is the seat that had just picked them up, for a foul right afterwards.
    """

    seat: int
    cards: tuple[Card, ...]
    from_seat: int | None


@dataclass(frozen=True, slots=True)
class HandTaken:
    """A seat took the whole hand of the next seat (rules.md 4.1)."""

    seat: int
    victim: int
    count: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew from the waste, or from `from_seat`; few see the card (rules.md 7.2)."""

    seat: int
    card: Card | None
    from_seat: int | None


@dataclass(frozen=True, slots=True)
class GotAway:
    """A seat is out of the game and safe; `place` counts from 1 (rules.md 7.1)."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class PowerPassed:
    """A seat has the power without having won a trick (rules.md 4.3, 7.2, 10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ended (rules.md 8)."""

    result: Result


type Event = (
    Played | TrumpMade | Fouled | TrickWasted | PickedUp | HandTaken | CardDrawn | GotAway | PowerPassed | GameOver
)


def visible(event: Event, viewer: int | None) -> Event:
    """Return what a viewer may see of an event; None views from outside the table."""
    match event:
        case Played(face_down=True, seat=seat) if seat != viewer:
            return replace(event, card=None, tochoo=False)
        case CardDrawn(seat=seat, from_seat=source) if viewer is None or viewer not in (
            seat,
            source,
        ):
            return replace(event, card=None)
        case Played() | CardDrawn():
            return event
        case TrumpMade() | Fouled() | TrickWasted() | PickedUp() | HandTaken():
            return event
        case GotAway() | PowerPassed() | GameOver():
            return event
        case _:
            assert_never(event)
