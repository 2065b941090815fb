"""Clocks counted minute by minute, in the plainest way there is: what the quick ones are compared with."""

import datetime as dt
from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from games.clocks.spans import Rest, Span, Stops

MINUTE = dt.timedelta(minutes=1)
HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)

# Clocks that change by an hour, by half of one, never, and at midnight in both ways; and a day that never was.
ZONES = (
    "Europe/London", "America/Toronto", "Australia/Lord_Howe", "Asia/Kolkata", "America/Havana", "Asia/Beirut",
    "America/Santiago", "America/Sao_Paulo", "Pacific/Apia",
)  # fmt: skip
CHANGES = {
    "Europe/London": ("2026-03-29", "2026-10-25"),
    "America/Toronto": ("2026-03-08", "2026-11-01"),
    "Australia/Lord_Howe": ("2026-04-05", "2026-10-04"),
    "Asia/Kolkata": ("2026-03-29", "2026-10-25"),
    "America/Havana": ("2026-03-08", "2026-11-01"),
    "Asia/Beirut": ("2026-03-29", "2026-10-25"),
    "America/Santiago": ("2026-04-05", "2026-09-06"),
    "America/Sao_Paulo": ("2018-02-18", "2018-11-04"),
    "Pacific/Apia": ("2011-12-30", "2011-09-24"),
}


def moment(text: str, zone: str = "UTC") -> dt.datetime:
    """A moment by its local clock, as "2026-03-29 01:30", in UTC."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC)


def stands(at: dt.datetime, spans: Sequence[Span], rest: Rest | None) -> bool:
    """Whether the clock stands still in the minute that begins at a moment."""
    resting = rest is not None and at.astimezone(rest.zone).weekday() in rest.days
    return resting or any(span.start <= at < span.end for span in spans)


def minutes(start: dt.datetime) -> Iterator[dt.datetime]:
    while True:
        yield start
        start += MINUTE


def slow_ran(start: dt.datetime, end: dt.datetime, stops: Stops) -> dt.timedelta:
    """How much time ran; all moments must be whole minutes."""
    counted = dt.timedelta(0)
    for at in minutes(start):
        if at >= end:
            return counted
        if not stands(at, stops.spans, stops.rest):
            counted += MINUTE
    raise AssertionError


def slow_reached(start: dt.datetime, length: dt.timedelta, stops: Stops) -> dt.datetime:
    """The first minute by whose beginning so much time had run."""
    for at in minutes(start):
        if length <= dt.timedelta(0):
            return at
        if not stands(at, stops.spans, stops.rest):
            length -= MINUTE
    raise AssertionError
