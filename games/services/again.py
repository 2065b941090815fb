"""The same people again: a new table like one whose series is over."""

from datetime import datetime
from typing import Final

from accounts.models import User
from games.models import Game, Holder, Notice, Table
from games.selectors.access import kept_apart
from games.selectors.company import company
from games.selectors.games import holders_of
from games.services.errors import EmailNeeded, SeriesRunning
from games.services.locks import table_locked, writing
from games.services.notices import notice_added
from games.services.rings import people_rung
from games.services.tables import SeatPlan, drafted, plan_like, table_repeat

MOST_TOLD: Final = 3
"""How many mails a person gets at most about the same table's opening anew; they find it on their start page anyway."""


def table_again(*, code: str, host: User, key: str = "", now: datetime) -> Table | Game:
    """Make a table like one whose series is over, for the same people and bots, who keep their seats.

    A person alone among bots is dealt the first game at once, as by `table_repeat`. Other people are asked: their seats
    are free until they take them, and the table starts when all have. Who comes second to ask is given the table that
    the first one made, as long as it waits.

    Raises:
        NotAtTable: there is no such table, or the person has no seat at it.
        SeriesRunning: its series is not over.
        EmailNeeded: there are others, and the person has no address.
    """
    found = company(viewer=host, code=code)
    if found.alone:
        return table_repeat(code=code, host=host, key=key, now=now)
    with writing():
        table = table_locked(found.table.pk)
        if table.status != Table.Status.OVER:
            raise SeriesRunning
        waiting = Table.objects.filter(like=table, status=Table.Status.OPEN).order_by("-pk").first()
        if waiting is not None and not _kept_out(waiting, host):
            return waiting
        if host.guest:
            raise EmailNeeded
        return _asked(table, host, now)


def _told_enough(table: Table, user: User) -> bool:
    """Tell whether a person was mailed often enough that a table opens anew: it may be closed and opened for ever."""
    return Notice.objects.filter(kind="again", user=user, table__like=table).count() >= MOST_TOLD


def _kept_out(table: Table, user: User) -> bool:
    removed = Holder.objects.filter(table=table, user=user).exclude(until=None)
    return kept_apart(table.host_id, user.pk) or removed.exists()


def _asked(table: Table, host: User, now: datetime) -> Table:
    """Make the table, at which the host and the bots sit, and ask the others."""
    holders = holders_of(table)
    seats = [
        SeatPlan(bot=each.bot, name=each.name) if each.bot else SeatPlan(user=host if each.user_id == host.pk else None)
        for each in holders
    ]
    fresh = drafted(plan=plan_like(table, host), seats=seats, now=now)
    others = [each.user_id for each in holders if each.user_id not in (None, host.pk)]
    for user in User.objects.filter(pk__in=others):
        if not kept_apart(host.pk, user.pk) and not _told_enough(table, user):
            people_rung(user.pk)
            notice_added(kind="again", key=f"again:{fresh.pk}:{user.pk}", user=user, table=fresh, now=now)
    return fresh
