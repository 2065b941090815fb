"""How fast a table plays: what a seat has when a deal begins, and what each turn brings."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from games.clocks.spans import ZERO

MOVE_LIMITS: Final = (timedelta(minutes=5), timedelta(days=7))
"""The least and the most time for a card at a slow table."""
LIVE_LIMITS: Final = (timedelta(seconds=30), timedelta(minutes=2))
"""The least and the most time for a card at a live table."""
MOST_KEPT: Final = timedelta(days=30)
"""No bank holds more."""
LEAST_INCREMENT: Final = timedelta(minutes=5)
"""What a turn brings at the least: who has run out of time has that much for the next card."""


class Kind(StrEnum):
    """How the time for a card is measured out."""

    NONE = "none"
    MOVE = "move"
    BANK = "bank"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Pace:
    """What a seat has for its cards.

    It has `start` when the deal begins; each turn that ends brings `increment`, and no more than `cap` is kept. The
    first `grace` of every turn is not charged. A limit for each card is a bank that is full again after every turn.
    """

    kind: Kind
    start: timedelta = ZERO
    increment: timedelta = ZERO
    cap: timedelta = ZERO
    grace: timedelta = ZERO

    def __post_init__(self) -> None:
        if not self._fits():
            raise ValueError(f"There is no such pace: {self}")

    def _fits(self) -> bool:
        match self.kind:
            case Kind.NONE:
                return not (self.start or self.increment or self.cap or self.grace)
            case Kind.MOVE:
                return _is_limit(self, MOVE_LIMITS)
            case Kind.LIVE:
                return _is_limit(self, LIVE_LIMITS)
            case Kind.BANK:
                kept = ZERO < self.start <= self.cap <= MOST_KEPT
                return kept and LEAST_INCREMENT <= self.increment <= self.cap and ZERO <= self.grace <= MOVE_LIMITS[1]

    @property
    def timed(self) -> bool:
        """Whether a turn has an end at all."""
        return self.kind is not Kind.NONE

    @property
    def live(self) -> bool:
        """Whether people sit at the table together."""
        return self.kind is Kind.LIVE

    @property
    def slow(self) -> bool:
        """Whether a turn has an end and people need not sit there to meet it."""
        return self.timed and not self.live


def _is_limit(pace: Pace, limits: tuple[timedelta, timedelta]) -> bool:
    """Say whether a pace is one limit for each card, between two that are allowed."""
    least, most = limits
    return least <= pace.start <= most and pace.start == pace.increment == pace.cap and not pace.grace


NO_LIMIT: Final = Pace(Kind.NONE)
"""Nobody need hurry."""


def each_card(limit: timedelta) -> Pace:
    """Return a slow table's pace with a limit for each card.

    Raises:
        ValueError: it is not within MOVE_LIMITS.
    """
    return Pace(Kind.MOVE, limit, limit, limit)


def live(limit: timedelta) -> Pace:
    """Return a live table's pace.

    Raises:
        ValueError: the limit for each card is not within LIVE_LIMITS.
    """
    return Pace(Kind.LIVE, limit, limit, limit)


def banked(start: timedelta, increment: timedelta, cap: timedelta, grace: timedelta = ZERO) -> Pace:
    """Return a pace with a bank of time.

    Raises:
        ValueError: nothing is in the bank, or an increment is under LEAST_INCREMENT, or the cap is under either of them
            or over MOST_KEPT, or the grace is longer than a card may take.
    """
    return Pace(Kind.BANK, start, increment, cap, grace)
