"""The lobby: tables that wait for anybody, and those at which a person waits already."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import FETCH_RAISE, F, Max, Q, QuerySet

from accounts.models import User
from games.models import Holder, Table
from games.rules.ruleset import ruleset_of
from games.selectors.access import apart_from
from games.selectors.estimate import deals_left_by, estimate_words, span_words, usual_responses
from games.selectors.invites import with_taken
from games.selectors.options import rules_in_words
from games.selectors.paces import pace_short

SHOWN: Final = 30
"""How many tables the lobby lists, the newest first."""

_SLOW: Final = Q(pace__in=[Table.Paces.MOVE, Table.Paces.BANK])
_DAY: Final = timedelta(days=1)
_PACES: Final = {
    "none": Q(pace=Table.Paces.NONE),
    "live": Q(pace=Table.Paces.LIVE),
    "hours": _SLOW & Q(pace_increment__lt=_DAY),
    "days": _SLOW & Q(pace_increment__gte=_DAY),
}


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at a table. response: how long they usually take, in words; left: how many deals they left."""

    name: str
    bot: bool
    host: bool
    response: str
    left: int


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table in the lobby; `pace` in a few words."""

    code: str
    name: str
    rules: str
    pace: str
    unusual: tuple[str, ...]
    deals: int
    seats: int
    free: int
    estimate: str
    sitters: tuple[Sitter, ...]
    rated: bool


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A table that waits for people, at which the viewer sits or which is theirs.

    mark: changes with who sits there and who is the host, be there as many as before.
    """

    code: str
    name: str
    taken: int
    seats: int
    mine: bool
    full: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody looks for in the lobby; None: all the same. pace: none, live, or hours or days for a card."""

    game: str | None = None
    seats: int | None = None
    pace: str | None = None


def lobby_of(*, viewer: User, wanted: Wanted, now: datetime) -> tuple[LobbyTable, ...]:
    """Return the open tables that a person can sit down at, the newest first, in five queries."""
    listed = Table.objects.filter(status=Table.Status.OPEN, joins=Table.Joins.LOBBY)
    rows = with_taken(_open_to(listed, viewer)).filter(taken__lt=F("seats"))
    if wanted.game is not None:
        rows = rows.filter(rules__game=wanted.game)
    if wanted.seats is not None:
        rows = rows.filter(seats=wanted.seats)
    if wanted.pace is not None:
        rows = rows.filter(_PACES[wanted.pace])
    tables = list(rows.fetch_mode(FETCH_RAISE).order_by("-created", "-pk")[:SHOWN])
    holders = _holders(tables)
    people = {each.user_id for found in holders.values() for each in found if each.user_id is not None}
    responses, left = usual_responses(people, now), deals_left_by(people)
    return tuple(_line(each, holders[each.pk], responses, left) for each in tables)


def _open_to(rows: QuerySet[Table], viewer: User) -> QuerySet[Table]:
    """Leave out what is theirs already, where they sit or were taken away, and whom they keep apart from."""
    hosts = apart_from(viewer) | {viewer.pk}
    sat = Holder.objects.filter(user=viewer).values("table")
    return rows.exclude(host=None).exclude(host__in=hosts).exclude(pk__in=sat)


def _holders(tables: Sequence[Table]) -> Mapping[int, list[Holder]]:
    found = defaultdict[int, list[Holder]](list)
    rows = Holder.objects.filter(table__in=tables, until=None).order_by("seat__number")
    for each in rows.fetch_mode(FETCH_RAISE):
        found[each.table_id].append(each)
    return found


def _line(
    table: Table, holders: Sequence[Holder], responses: Mapping[int, timedelta], left: Mapping[int, int]
) -> LobbyTable:
    words = rules_in_words(ruleset_of(table.rules))
    free = table.seats - len(holders)
    people = [*(responses.get(each.user_id) for each in holders if each.user_id is not None), *[None] * free]
    return LobbyTable(
        code=table.code,
        name=table.name,
        rules=words.name,
        pace=pace_short(table),
        unusual=words.unusual,
        deals=table.deals,
        seats=table.seats,
        free=free,
        estimate=estimate_words(table=table, people=people),
        sitters=tuple(_sitter(each, table, responses, left) for each in holders),
        rated=table.rated,
    )


def _sitter(holder: Holder, table: Table, responses: Mapping[int, timedelta], left: Mapping[int, int]) -> Sitter:
    user_id = holder.user_id
    if user_id is None:
        return Sitter(holder.name, bot=True, host=False, response="", left=0)
    usual = span_words(responses.get(user_id))
    return Sitter(holder.name, bot=False, host=user_id == table.host_id, response=usual, left=left.get(user_id, 0))


def waiting_of(viewer: User) -> tuple[WaitingTable, ...]:
    """Return the tables that wait for people at which a person sits, or which are theirs, in one query."""
    sits = Holder.objects.filter(user=viewer, until=None).values("table")
    mine = sits.union(Table.objects.filter(host=viewer, status=Table.Status.OPEN).values("pk"))
    rows = with_taken(Table.objects.filter(pk__in=mine, status=Table.Status.OPEN)).order_by("-created", "-pk")
    return tuple(_waiting(each, viewer) for each in rows.annotate(last=Max("holder"))[:SHOWN])


def _waiting(table: Any, viewer: User) -> WaitingTable:
    taken, host = table.taken, table.host_id
    mark = f"{taken} {table.last} {host}"
    mine, full = host == viewer.pk, taken == table.seats
    return WaitingTable(table.code, table.name, taken, table.seats, mine=mine, full=full, mark=mark)
