"""The clock of one turn: when its time is up, and what it cost."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from games.clocks.pace import Pace
from games.clocks.spans import ZERO, Span, Stops, in_utc, ran, reached


@dataclass(frozen=True, slots=True)
class Run:
    """A turn whose clock runs `since` a moment: its seat had `bank` then, and was given `extended` meanwhile."""

    since: datetime
    bank: timedelta
    extended: timedelta = ZERO

    def given(self, pace: Pace) -> timedelta:
        """Return how long the turn may run in all, grace included."""
        return pace.grace + self.bank + self.extended


@dataclass(frozen=True, slots=True)
class Spent:
    """Where the time of a turn went: the four parts together are all of it.

    charged: to the bank and to what the turn was extended by. free: under grace, or without a limit. stood: while the
    clock stood still. late: after the time was up, until somebody saw to it.
    """

    charged: timedelta
    free: timedelta
    stood: timedelta
    late: timedelta


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a turn's time: what is in the `bank` for the next one, and what was `lost` to the cap."""

    spent: Spent
    bank: timedelta
    lost: timedelta


def deadline(pace: Pace, run: Run, stops: Stops) -> datetime | None:
    """Return when a turn's time is up; None without a limit, or if a stop is on whose end nobody knows."""
    return reached(run.since, run.given(pace), stops) if pace.timed else None


def reminder(pace: Pace, run: Run, stops: Stops) -> datetime | None:
    """Return when four fifths of a turn's time are used; None where there is no deadline."""
    return reached(run.since, run.given(pace) * 4 // 5, stops) if pace.timed else None


def left(pace: Pace, run: Run, stops: Stops, now: datetime) -> timedelta | None:
    """Return how much longer a turn may run, stops not counted; None without a limit."""
    if not pace.timed:
        return None
    return max(run.given(pace) - ran(run.since, now, stops), ZERO)


def spent(pace: Pace, run: Run, stops: Stops, until: datetime) -> Spent:
    """Say where the time of a turn went, from its start until it ended or now."""
    went = ran(run.since, until, stops)
    stood = max(in_utc(until) - in_utc(run.since), ZERO) - went
    if not pace.timed:
        return Spent(ZERO, went, stood, ZERO)
    free = min(went, pace.grace)
    charged = min(went - free, run.bank + run.extended)
    return Spent(charged, free, stood, went - free - charged)


def settled(pace: Pace, run: Run, stops: Stops, until: datetime) -> Settled:
    """Settle a turn that ends: by a card, by a time-out, or because a fresh deadline begins.

    What is left is kept with the increment, up to the cap.
    """
    cost = spent(pace, run, stops, until)
    had = run.bank + run.extended - cost.charged + pace.increment
    kept = min(had, pace.cap)
    return Settled(cost, kept, had - kept)


def bank_back(pace: Pace, bank: timedelta) -> timedelta:
    """Return what somebody has who comes back to a seat with so much in its bank: one increment at the least."""
    return max(bank, pace.increment)


def shift(gap: Span, since: datetime, due: datetime, stops: Stops) -> timedelta:
    """Return the part of a gap in which a turn's clock would have run: what an outage adds before its deadline.

    `due` is the deadline without the outage: if it had passed before, the outage took nothing from the turn.
    """
    if in_utc(due) <= gap.start:
        return ZERO
    return ran(max(gap.start, in_utc(since)), gap.end, stops)
