"""The clocks of a table: its pace, its days of rest, and when the clocks of its people stand still."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import BigIntegerField, CharField, DateField, DateTimeField, F, QuerySet, Value
from django.db.models.functions import Cast

from games.clocks.clock import Run
from games.clocks.days import Away
from games.clocks.pace import Kind, Pace
from games.clocks.spans import FOREVER, Rest, Span, Stops
from games.models import Halt, Pause, Table, Turn, Vacation
from games.selectors.prepared import Given, Prepared

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TableClocks:
    """How time runs at a table: for everybody, and for those of its people who are away."""

    pace: Pace
    stops: Stops
    away: Mapping[int, tuple[Span, ...]]

    def of(self, user_id: int | None) -> Stops:
        """Return when the clock of a person stands still."""
        return self.stops | self.away.get(user_id, ()) if user_id is not None else self.stops


def pace_of(table: Table) -> Pace:
    """Return the pace of a table."""
    return Pace(Kind(table.pace), table.pace_start, table.pace_increment, table.pace_cap, table.pace_grace)


def rest_of(table: Table) -> Rest:
    """Return the days on which a table rests."""
    return Rest(frozenset(map(int, table.rest)), ZoneInfo(table.zone))


def run_of(turn: Turn) -> Run:
    """Return the clock of a turn."""
    return Run(turn.ran_from or turn.since, turn.bank, turn.extended)


def table_clocks(table: Table, users: Collection[int], since: datetime) -> TableClocks:
    """Return how time runs at a table for some people since a moment, in one query."""
    spans: list[Span] = []
    away: dict[int, tuple[Span, ...]] = {}
    for user_id, start, end, first, last, zone in _stops_stored(table, users, since):
        if user_id is None:
            spans.append(Span(start, FOREVER if end is None else max(start, end)))
        else:
            gone = Away(first, last, ZoneInfo(zone), start, end)
            away[user_id] = (*away.get(user_id, ()), gone.span)
    return TableClocks(pace_of(table), Stops(tuple(spans), rest_of(table)), away)


def _stops_stored(table: Table, users: Collection[int], since: datetime) -> Iterable[tuple[Any, ...]]:
    """Return pauses, halts and days away that may not be over at a moment: (user, start, end, first, last, zone)."""
    people = {f"person_{at}": each for at, each in enumerate(users)} if table.vacations else {}
    # A day of a zone ends within a day of the same date in UTC.
    return _asked(len(people))(table=table.pk, since=since, day=(since - _DAY).date(), **people)


@lru_cache(maxsize=32)
def _asked(people: int) -> Prepared:
    """Return the query for that, about so many people who may be away."""
    return Prepared(lambda: _stops(people))


def _stops(people: int) -> QuerySet[Any, Any]:
    none = {
        # PostgreSQL takes a union of bare nulls for text.
        "a_user": Cast(Value(None), BigIntegerField()),
        "a_first": Cast(Value(None), DateField()),
        "a_last": Cast(Value(None), DateField()),
        "a_zone": Value("", CharField()),
    }
    names, since = ("a_user", "a_start", "a_end", "a_first", "a_last", "a_zone"), Given("since", DateTimeField())
    pauses = Pause.objects.filter(table=Given("table", BigIntegerField()), until__gt=since)
    halts = Halt.objects.exclude(until__lte=since)
    parts: list[QuerySet[Any, Any]] = [
        each.annotate(**none, a_start=F("since"), a_end=F("until")).values_list(*names) for each in (pauses, halts)
    ]
    if people:
        who: list[Any] = [Given(f"person_{at}", BigIntegerField()) for at in range(people)]
        gone = Vacation.objects.filter(user__pk__in=who, last__gte=Given("day", DateField())).annotate(
            a_user=F("user_id"),
            a_start=F("made"),
            a_end=F("ended"),
            a_first=F("first"),
            a_last=F("last"),
            a_zone=F("zone"),
        )
        parts.append(gone.values_list(*names))
    return parts[0].union(*parts[1:], all=True)
