"""Seats: a bot that plays on for somebody, and a seat that is free again before the start."""

from datetime import datetime

from accounts.models import User
from games.bots import BOTS
from games.models import Audit, Holder, Table
from games.services.errors import SeatEmpty, TableNotStarted
from games.services.hosting import check_lives, check_open
from games.services.letters.office import TABLE
from games.services.locks import table_locked, writing
from games.services.office.acting import audited, people_of, reason, told
from games.services.office.errors import LevelUnknown
from games.services.office.seen import check_seen
from games.services.seats import handed, host_passed, seat_emptied
from games.services.stand_ins import PLAYS_ON


def seat_replace(
    *, table_id: int, seat: int, by: User, why: str, level: str = PLAYS_ON, seen: str, now: datetime
) -> Audit:
    """Let a bot play on for the person at a seat, who will not come back to it; a host hands the table on.

    Raises:
        TableGone: there is no such table.
        Changed: it is not as the operator's page showed it.
        TableNotStarted, TableOver, TableClosed: nobody plays there.
        SeatEmpty: no person sits at that seat.
        ReasonNeeded, LevelUnknown: what is wrong with what was asked for.
    """
    why = reason(why)
    if level not in BOTS:
        raise LevelUnknown
    with writing():
        table = table_locked(table_id)
        check_seen(table, seen)
        if table.status == Table.Status.OPEN:
            raise TableNotStarted
        check_lives(table)
        holder = _sitting(table, seat)
        if holder.user is None:
            raise SeatEmpty
        people = people_of(table)
        handed(table=table, holder=holder, bot=level, now=now)
        if table.host_id == holder.user_id:
            host_passed(table=table, user=holder.user, now=now)
        audit = _audited(Audit.Action.REPLACE, by, why, holder, {"bot": level}, now)
        told(audit=audit, kind=TABLE, people=people, now=now)
        return audit


def seat_free(*, table_id: int, seat: int, by: User, why: str, seen: str, now: datetime) -> Audit:
    """Free a seat of a table that has not started; a person comes back only by a new invitation.

    Raises:
        TableGone: there is no such table.
        Changed: it is not as the operator's page showed it.
        TableStarted, TableOver, TableClosed: it does not wait for people.
        SeatEmpty: nobody sits there.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        table = table_locked(table_id)
        check_seen(table, seen)
        check_open(table)
        holder, people = _sitting(table, seat), people_of(table)
        audit = _audited(Audit.Action.FREE, by, why, holder, {"bot": ""}, now)
        seat_emptied(table=table, holder=holder, now=now)
        if holder.user is not None and table.host_id == holder.user_id:
            host_passed(table=table, user=holder.user, now=now)
        told(audit=audit, kind=TABLE, people=people, now=now)
        return audit


def _sitting(table: Table, seat: int) -> Holder:
    holder = Holder.objects.filter(table=table, seat__number=seat, until=None).select_related("seat", "user").first()
    if holder is None:
        raise SeatEmpty
    return holder


def _audited(action: Audit.Action, by: User, why: str, holder: Holder, after: dict[str, str], now: datetime) -> Audit:
    """Write down what becomes of a seat, without names: whose it was says `person`."""
    seat = {"seat": holder.seat.number}
    return audited(
        action=action,
        by=by,
        why=why,
        table=holder.table,
        person=holder.user,
        before={**seat, "bot": holder.bot},
        after={**seat, **after},
        now=now,
    )
