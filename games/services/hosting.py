"""What the host does with a table: start it, name it, hand it over, close it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from accounts.models import User
from games.models import Game, Holder, Seat, Table
from games.rules.deal import check_seats
from games.rules.errors import RecordError
from games.rules.ruleset import ruleset_of
from games.rules.shuffle import system_source
from games.services.bot_names import bot_name
from games.services.dealing import game_dealt
from games.services.errors import NotHost, SeatEmpty, SeatsFree, TableClosed, TableOver, TableStarted, TooFewSeats
from games.services.locks import table_locked, writing
from games.services.notices import notice_added
from games.services.projections import board_changed

SHORT: Final = ("no", "bots", "fewer")
"""What becomes of free seats at the start: there must be none, bots fill them, or they are left out."""


def table_start(*, table_id: int, host: User, short: str = "no", level: str = "easy", now: datetime) -> Game:
    """Deal the first game of a table that waits for people; `short` says what becomes of seats that are free.

    Raises:
        TableGone, NotHost: there is no such table, or it is somebody else's.
        TableStarted, TableOver, TableClosed: it does not wait for people.
        SeatsFree: seats are free, and nothing shall become of them.
        TooFewSeats: the rules do not let so few play.
        ValueError: `short` is none of `SHORT`.
    """
    if short not in SHORT:
        raise ValueError("Free seats are filled with bots, left out, or there are none.")
    with writing():
        table = _hosted(table_id, host)
        check_open(table)
        free = free_seats(table)
        if free and short == "no":
            raise SeatsFree
        if short == "bots":
            _filled(table, free, level, now)
        elif free:
            _left_out(table, free)
        return started(table=table, by=host, now=now)


def table_renamed(*, table_id: int, host: User, name: str, now: datetime) -> None:
    """Give a table another name, which its form has checked; boards that show the old one are told.

    Raises:
        TableGone, NotHost: there is no such table, or it is somebody else's.
        TableOver, TableClosed: nobody plays there any more.
    """
    with writing():
        table = _hosted(table_id, host)
        check_lives(table)
        renamed(table=table, name=name)


def renamed(*, table: Table, name: str) -> None:
    """Give a table that this transaction holds another name."""
    table.name = name
    table.save(update_fields=["name"])
    game = newest_game(table)
    if game is not None:
        board_changed(game=game)


def host_handed(*, table_id: int, host: User, seat: int, now: datetime) -> None:
    """Make the person at a seat the host.

    Raises:
        TableGone, NotHost: there is no such table, or it is somebody else's.
        TableOver, TableClosed: nobody plays there any more.
        SeatEmpty: no other person sits there.
    """
    with writing():
        table = _hosted(table_id, host)
        check_lives(table)
        holder = Holder.objects.filter(table=table, seat__number=seat, until=None).select_related("user").first()
        if holder is None or holder.user is None or holder.user == host:
            raise SeatEmpty
        host_set(table=table, user=holder.user, now=now)


def table_closed(*, table_id: int, host: User, now: datetime) -> None:
    """Close a table that has not started; those who sit there are told.

    Raises:
        TableGone, NotHost: there is no such table, or it is somebody else's.
        TableStarted, TableOver, TableClosed: it does not wait for people.
    """
    with writing():
        table = _hosted(table_id, host)
        check_open(table)
        closed(table=table, by=host, now=now)


def check_open(table: Table) -> None:
    """Check that a table waits for people.

    Raises:
        TableStarted, TableOver, TableClosed: why it does not.
    """
    if table.status == Table.Status.RUNNING:
        raise TableStarted
    check_lives(table)


def check_lives(table: Table) -> None:
    """Check that somebody may play at a table, now or later.

    Raises:
        TableOver, TableClosed: nobody does any more.
    """
    if table.status == Table.Status.OVER:
        raise TableOver
    if table.status == Table.Status.CLOSED:
        raise TableClosed


def _hosted(table_id: int, host: User) -> Table:
    table = table_locked(table_id)
    if table.host_id != host.pk:
        raise NotHost
    return table


def free_seats(table: Table) -> list[Seat]:
    """Return the seats at which nobody sits, lowest first."""
    taken = Holder.objects.filter(table=table, until=None).values("seat")
    return list(Seat.objects.filter(table=table).exclude(pk__in=taken).order_by("number"))


def newest_game(table: Table) -> Game | None:
    """Return a table's last game, whose row this transaction now holds; it holds the table's already."""
    game = Game.objects.select_for_update(no_key=True).filter(table=table).order_by("-number").first()
    if game is not None:
        game.table = table
    return game


def started(*, table: Table, by: User, now: datetime) -> Game:
    """Deal the first game of a table with nobody missing, and let those who sit there know."""
    game = game_dealt(table=table, number=1, dealer=system_source(table.seats), now=now)
    told(kind="table_started", table=table, but=by, now=now)
    return game


def closed(*, table: Table, by: User | None, now: datetime) -> None:
    """Close a table that waits for people, and let those who sit there know."""
    shut(table=table, now=now)
    told(kind="table_closed", table=table, but=by, now=now)


def shut(*, table: Table, now: datetime) -> None:
    """Close a table that waits for people, and tell nobody."""
    table.status, table.closed = Table.Status.CLOSED, now
    table.save(update_fields=["status", "closed"])


def host_set(*, table: Table, user: User, now: datetime) -> None:
    """Make a person the host of a table that this transaction holds, and let them know."""
    table.host = user
    table.save(update_fields=["host"])
    notice_added(kind="host_handed", key=f"host_handed:{table.pk}:{user.pk}", user=user, table=table, now=now)


def told(*, kind: str, table: Table, but: User | None, now: datetime) -> None:
    """Write down that everybody who sits at a table shall be told something, except one who knows."""
    for holder in Holder.objects.filter(table=table, until=None, bot="").select_related("user"):
        if holder.user is not None and holder.user != but:
            key = f"{kind}:{table.pk}:{holder.user_id}"
            notice_added(kind=kind, key=key, user=holder.user, table=table, now=now)


def _filled(table: Table, free: Iterable[Seat], level: str, now: datetime) -> None:
    """Let bots of a level sit at seats."""
    names = list(Holder.objects.filter(table=table).values_list("name", flat=True))
    for seat in free:
        names.append(bot_name(names))
        Holder.objects.create(table=table, seat=seat, bot=level, name=names[-1], since=now)


def _left_out(table: Table, free: Iterable[Seat]) -> None:
    """Take seats away, and number those that stay from 0 on in their order.

    Raises:
        TooFewSeats: the rules do not let so few play.
    """
    gone = [seat.pk for seat in free]
    stay = Seat.objects.filter(table=table).exclude(pk__in=gone).order_by("number")
    table.seats = len(stay)
    try:
        check_seats(ruleset_of(table.rules), table.seats, dealer=0)
    except RecordError:
        raise TooFewSeats from None
    Seat.objects.filter(pk__in=gone).delete()
    # Downwards, lowest first: each number is free when it is given.
    for number, seat in enumerate(stay):
        seat.number = number
        seat.save(update_fields=["number"])
    table.save(update_fields=["seats"])
