"""Making tables: who shall sit there, and the first game of those that need nobody else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import IntegrityError
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.bots import LEVELS
from games.models import Game, Holder, Seat, Table
from games.models.table import new_code, table_code
from games.rules.deal import check_seats
from games.rules.ruleset import RULES_VERSION, Ruleset, ruleset_of
from games.rules.shuffle import Source, keyed_source, system_source
from games.selectors.company import company
from games.services.bot_names import bot_name
from games.services.dealing import game_dealt
from games.services.errors import EmailNeeded, NotAlone, SeriesRunning, TooManyTables
from games.services.locks import people_held, writing
from games.services.pacing import UNHURRIED, Pacing, pacing_of
from games.services.rings import people_rung

MOST_WAITING: Final = 20
"""How many tables that wait for people one host may have."""


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who shall sit at a seat: a person, a bot of a level, or nobody yet; a bot without a name is given one."""

    user: User | None = None
    bot: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table as somebody wants it; the fields are those of `Table`, the `pacing` being several."""

    host: User | None
    name: str
    rules: Ruleset
    deals: int = 1
    title: str = "Last Hand"
    tie_break: str = ""
    show_voids: bool = True
    joins: str = Table.Joins.INVITED
    watch: str = Table.Watch.NOBODY
    starts: str = Table.Starts.FULL
    like: Table | None = None
    pacing: Pacing = UNHURRIED
    rated: bool = False


def table_create(*, plan: TablePlan, seats: Sequence[SeatPlan], now: datetime) -> Table:
    """Store a table with everybody seated, in the order of *seats*; no game is dealt yet.

    Raises:
        RecordError: so many may not play with these packs (rules.md 2).
        ValueError: a bot of no known level, or a seat for nobody or for both.
        PersonGone: somebody who shall sit there is being erased.
        IntegrityError: one person at two seats, or the number of deals is not from 1 to 50.
    """
    with writing():
        return _seated(plan, seats, table_code(), now)


def table_open(
    *,
    plan: TablePlan,
    seats: Sequence[SeatPlan],
    key: str = "",
    now: datetime,
    source: Source = system_source,
    secret: bytes | None = None,
) -> Game:
    """Store a table with everybody seated and deal its first game, both or neither.

    `key` (empty: none) makes it safe to ask again: the same table, asked for by the same host with the same key, is
    opened once. Source and secret are those of `game_start`; raises what `table_create` raises.
    """
    code = _code(plan, seats, key) if key else table_code()
    try:
        with writing():
            table = _seated(plan, seats, code, now)
            return game_dealt(table=table, number=1, dealer=source(len(seats)), secret=secret, now=now)
    except IntegrityError:
        opened = Game.objects.filter(table__code=code, table__host=plan.host, number=1).first()
        if opened is None:
            raise
        return opened


def table_drafted(*, plan: TablePlan, seats: Sequence[SeatPlan], key: str = "", now: datetime) -> Table:
    """Store a table that waits for people at its free seats; the key makes it safe to ask again, as in `table_open`.

    Raises:
        EmailNeeded: the host has no address.
        TooManyTables: the host has twenty already that wait.
        RecordError, ValueError, IntegrityError: as `table_create`, but that a seat may be free.
    """
    if plan.host is not None and plan.host.guest:
        raise EmailNeeded
    code = _code(plan, seats, key) if key else table_code()
    try:
        with writing():
            made = drafted(plan=plan, seats=seats, code=code, now=now)
            _check_not_too_many(plan.host)
            return made
    except IntegrityError:
        table = Table.objects.filter(code=code, host=plan.host).first()
        if table is None:
            raise
        return table


def _check_not_too_many(host: User | None) -> None:
    if host is not None and Table.objects.filter(host=host, status=Table.Status.OPEN).count() > MOST_WAITING:
        raise TooManyTables


def drafted(*, plan: TablePlan, seats: Sequence[SeatPlan], code: str = "", now: datetime) -> Table:
    """Store such a table in the transaction that is open."""
    return _seated(plan, seats, code or table_code(), now, free=True)


def _code(plan: TablePlan, seats: Sequence[SeatPlan], key: str) -> str:
    """Return the code of the table that is asked for with a key: always the same, and nobody else can work it out."""
    asked = repr((plan.host and plan.host.pk, plan, seats, key))
    return new_code(8, keyed_source(salted_hmac("games.table", asked, algorithm="sha256").digest(), "code"))


def table_repeat(*, code: str, host: User, key: str = "", now: datetime) -> Game:
    """Open a table like the one with this code, with the same bots, once its series is over; the key: `table_open`.

    Raises:
        NotAtTable: there is no such table, or the host has no seat at it.
        NotAlone: other people sit there.
        SeriesRunning: its series is not over.
    """
    found = company(viewer=host, code=code)
    table = found.table
    if not found.alone:
        raise NotAlone
    if table.status != Table.Status.OVER:
        raise SeriesRunning
    plan = plan_like(table, host)
    seats = [SeatPlan(bot=each.bot, name=each.name) if each.bot else SeatPlan(user=host) for each in found.holders]
    return table_open(plan=plan, seats=seats, key=key, now=now)


def plan_like(table: Table, host: User) -> TablePlan:
    """Return the plan of a table like another, for a host of its own."""
    return TablePlan(
        host=host,
        name=table.name,
        rules=ruleset_of(table.rules),
        deals=table.deals,
        title=table.title,
        tie_break=table.tie_break,
        show_voids=table.show_voids,
        watch=table.watch,
        like=table,
        pacing=pacing_of(table),
        rated=table.rated,
    )


def _seated(plan: TablePlan, seats: Sequence[SeatPlan], code: str, now: datetime, *, free: bool = False) -> Table:
    """Store a table and who sits at it; seats may be for nobody yet if *free* says so."""
    check_seats(plan.rules, len(seats), dealer=0)
    _check_seats_planned(seats, free=free)
    people_held(each.pk for each in (plan.host, *(seat.user for seat in seats)) if each is not None)
    names = _names(seats)
    table = Table.objects.create(
        code=code,
        host=plan.host,
        name=plan.name,
        rules=plan.rules.as_dict(),
        rules_version=RULES_VERSION,
        seats=len(seats),
        deals=plan.deals,
        title=plan.title,
        tie_break=plan.tie_break,
        show_voids=plan.show_voids,
        joins=plan.joins,
        watch=plan.watch,
        starts=plan.starts,
        like=plan.like,
        rated=plan.rated,
        created=now,
        **plan.pacing.columns(),
    )
    places = Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(len(seats)))
    Holder.objects.bulk_create(
        Holder(table=table, seat=place, user=seat.user, bot=seat.bot, name=name, since=now)
        for place, seat, name in zip(places, seats, names, strict=True)
        if seat.user or seat.bot
    )
    people_rung(*(seat.user.pk for seat in seats if seat.user))
    return table


def _check_seats_planned(seats: Iterable[SeatPlan], *, free: bool) -> None:
    for each in seats:
        taken = (each.user is not None) + (each.bot in LEVELS)
        if taken != 1 and not (free and each == SeatPlan()):
            raise ValueError("A seat is for a person or for a bot of a known level.")


def _names(seats: Sequence[SeatPlan]) -> list[str]:
    """Return what each seat is called, with fresh names for bots that have none; "" for a free seat."""
    names = [plan.user.name if plan.user else plan.name for plan in seats]
    for at, plan in enumerate(seats):
        if plan.bot and not plan.name:
            names[at] = bot_name(filter(None, names))
    return names
