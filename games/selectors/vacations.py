"""Days away of people: what they have left of them, and until when somebody is away."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from accounts.models import User
from accounts.zones import zone_known
from games.clocks.days import Away, days_taken
from games.models import Vacation

BUDGET: Final = 30
"""How many dates of a calendar year somebody may be away."""
AHEAD: Final = timedelta(days=365)
"""How long before they begin somebody may say so."""


@dataclass(frozen=True, slots=True)
class Days:
    """Days away on a person's own list; on: they are away now. zone: where those days are days."""

    id: int
    first: date
    last: date
    zone: str
    on: bool


@dataclass(frozen=True, slots=True)
class DaysAway:
    """What a person has said of days away: those that are not over, and how many are left, by year.

    today: their own date, with which the first day may begin at the earliest; latest: and at the latest.
    """

    days: tuple[Days, ...]
    left: tuple[tuple[int, int], ...]
    zone: str
    today: date
    latest: date


def away_of(row: Vacation) -> Away:
    """Return stored days away as clocks count them."""
    return Away(row.first, row.last, ZoneInfo(row.zone), row.made, row.ended)


def away_until(aways: Iterable[Away], now: datetime) -> Away | None:
    """Return the days with which an absence ends in which somebody is now, None if they are not away.

    What follows without a gap is the same absence.
    """
    found: Away | None = None
    for each in sorted(aways, key=lambda each: each.span):
        end = now if found is None else found.span.end
        if each.span.start <= end < each.span.end:
            found = each
    return found


def days_away(*, user: User, now: datetime) -> DaysAway:
    """Return what a person's page says of days away, in one query."""
    zone = user.zone if zone_known(user.zone) else "UTC"
    today = now.astimezone(ZoneInfo(zone)).date()
    rows = list(Vacation.objects.filter(user=user).order_by("first", "pk"))
    spans = [(row, away_of(row).span) for row in rows]
    taken = {year: days_taken(map(away_of, rows), year) for year in (today.year, today.year + 1)}
    return DaysAway(
        days=tuple(
            Days(row.pk, row.first, row.last, row.zone, on=span.start <= now)
            for row, span in spans
            if row.ended is None and span.end > now
        ),
        left=tuple((year, max(BUDGET - count, 0)) for year, count in taken.items()),
        zone=zone,
        today=today,
        latest=today + AHEAD,
    )
