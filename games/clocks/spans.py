"""Stretches of time in which a clock stands still, and the time that runs between them.

Moments are aware; whatever their zone, they are counted in UTC, since Python counts the wall clock's hours between two
moments of one zone. Lengths are exact to the microsecond.
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

FOREVER: Final = datetime.max.replace(tzinfo=UTC)
"""The end of what nobody knows the end of yet."""

ZERO: Final = timedelta(0)
_DAY: Final = timedelta(days=1)


def in_utc(moment: datetime) -> datetime:
    """Return the same moment in UTC.

    Raises:
        ValueError: it has no zone.
    """
    if moment.tzinfo is None:
        raise ValueError("A moment needs a zone.")
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment at which a day begins in a zone, in UTC.

    Where clocks jump over midnight the day begins with the jump; where midnight comes twice, the first time.
    """
    return datetime.combine(day, time.min, zone).astimezone(UTC)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The time from `start` up to `end`, in UTC; it may be empty."""

    start: datetime
    end: datetime = FOREVER

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", in_utc(self.start))
        object.__setattr__(self, "end", in_utc(self.end))
        if self.end < self.start:
            raise ValueError("A span cannot end before it starts.")

    @property
    def length(self) -> timedelta:
        """How long it is."""
        return self.end - self.start


def day_span(first: date, last: date, zone: ZoneInfo) -> Span:
    """Return whole days of a zone, the last one included.

    Raises:
        ValueError: the last day is before the first.
    """
    return Span(midnight(first, zone), midnight(last + _DAY, zone))


@dataclass(frozen=True, slots=True)
class Rest:
    """The weekdays on which a table rests, 0 being Monday, each from midnight to midnight in its zone."""

    days: frozenset[int]
    zone: ZoneInfo

    def __post_init__(self) -> None:
        if not self.days <= frozenset(range(7)):
            raise ValueError("A weekday is a number from 0 to 6.")
        if len(self.days) == 7:
            raise ValueError("A table cannot rest all week.")

    def spans(self, start: datetime) -> Iterator[Span]:
        """Yield the days of rest that end after *start*, for ever."""
        if not self.days:
            return
        day = start.astimezone(self.zone).date()
        while True:
            # Where the calendar left out a day, its span is empty.
            if day.weekday() in self.days:
                yield day_span(day, day, self.zone)
            day += _DAY


@dataclass(frozen=True, slots=True)
class Stops:
    """When a clock stands still: in any of the spans, which may overlap, and on days of rest."""

    spans: tuple[Span, ...] = ()
    rest: Rest | None = None

    def __or__(self, more: Iterable[Span]) -> "Stops":
        """Return these stops and more."""
        return Stops((*self.spans, *more), self.rest)

    def after(self, start: datetime) -> Iterator[Span]:
        """Yield the stops that end after *start*, in order, apart from each other; with rest, perhaps for ever."""
        known = sorted(span for span in self.spans if span.end > start)
        return _joined(heapq.merge(known, self.rest.spans(start) if self.rest else ()))


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Join the spans that touch or overlap; they come by their start."""
    last: Span | None = None
    for span in spans:
        if last is not None and span.start <= last.end:
            last = Span(last.start, max(last.end, span.end))
        else:
            if last is not None:
                yield last
            last = span
        if last.end == FOREVER:
            break
    if last is not None:
        yield last


def ran(start: datetime, end: datetime, stops: Stops) -> timedelta:
    """Return how much time ran between two moments: zero if they are the wrong way round, as skewed clocks have it."""
    start, end = in_utc(start), in_utc(end)
    if end <= start:
        return ZERO
    stood = ZERO
    for stop in stops.after(start):
        if stop.start >= end:
            break
        stood += min(stop.end, end) - max(stop.start, start)
    return end - start - stood


def reached(start: datetime, length: timedelta, stops: Stops) -> datetime | None:
    """Return the first moment by which that much time has run since *start*; None if nobody can know it yet."""
    at, left = in_utc(start), length
    for stop in stops.after(at):
        run = max(stop.start - at, ZERO)
        if left <= run:
            break
        left -= run
        at = stop.end
        if at == FOREVER:
            return None
    return at + left
