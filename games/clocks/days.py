"""Days of people: away days and their budget, the hour of a digest, hours of quiet.

A day is a date in somebody's zone. Of an hour that comes twice the first is meant; one that is jumped over comes later
by as much as the jump.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from games.clocks.spans import Span, Stops, day_span, in_utc, ran

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Away:
    """Days on which somebody is away, `first` to `last`, in the zone where they said so.

    `made` is when they said it: what lay before is not given back. `ended` is when they came back early.
    """

    first: date
    last: date
    zone: ZoneInfo
    made: datetime
    ended: datetime | None = None

    @property
    def span(self) -> Span:
        """The time in which their clocks stand still; empty if they were back before it began."""
        days = day_span(self.first, self.last, self.zone)
        start = max(days.start, in_utc(self.made))
        end = days.end if self.ended is None else min(days.end, in_utc(self.ended))
        return Span(start, max(start, end))

    @property
    def dates(self) -> frozenset[date]:
        """The dates that count against the budget: those of which some part was taken."""
        span, days = self.span, range((self.last - self.first).days + 1)
        if not span.length:
            return frozenset()
        dates = (self.first + _DAY * number for number in days)
        return frozenset(day for day in dates if _meet(day_span(day, day, self.zone), span))


def _meet(one: Span, other: Span) -> bool:
    return max(one.start, other.start) < min(one.end, other.end)


def days_taken(aways: Iterable[Away], year: int) -> int:
    """Return how many days of a calendar year somebody is or was away; a date named twice counts once.

    A date is other hours in another zone: whoever moves their zone to and fro has all that time counted, in whole days.
    """
    days = [(day, away) for away in aways for day in away.dates if day.year == year]
    stood = Stops(tuple(day_span(day, day, away.zone) for day, away in days))
    ends = [end for span in stood.spans for end in (span.start, span.end)]
    whole = max(ends) - min(ends) - ran(min(ends), max(ends), stood) if ends else _DAY * 0
    return max(len({day for day, _ in days}), whole // _DAY)


def local_moment(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """Return the moment at which it is that hour on that day in a zone, in UTC."""
    return datetime.combine(day, hour, zone).astimezone(UTC)


def digest_day(now: datetime, hour: time, zone: ZoneInfo) -> date:
    """Return the last local day whose digest hour has come: one digest is for one such day, whenever it is sent."""
    today = now.astimezone(zone).date()
    return today if local_moment(today, hour, zone) <= in_utc(now) else today - _DAY


def digest_after(now: datetime, hour: time, zone: ZoneInfo) -> datetime:
    """Return the first moment after *now* at which a digest is due."""
    return local_moment(digest_day(now, hour, zone) + _DAY, hour, zone)


def quiet_until(now: datetime, start: time, end: time, zone: ZoneInfo) -> datetime:
    """Return when hours of quiet that *now* lies in are over, *now* itself outside of them.

    They go from `start` to `end` by the local clock, over midnight if that is earlier; equal ones are no quiet at all.
    """
    if start == end:
        return in_utc(now)
    today = now.astimezone(zone).date()
    for day in (today - _DAY, today):
        last = day if start < end else day + _DAY
        begins, ends = local_moment(day, start, zone), local_moment(last, end, zone)
        if begins <= in_utc(now) < ends:
            return ends
    return in_utc(now)
