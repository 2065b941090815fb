"""Series that go on by themselves: the next deal comes after the last one, unless somebody at the table objects."""

from collections.abc import Mapping
from datetime import datetime

from accounts.models import User
from games.models import Game, Holder, Table
from games.selectors.games import Held, held_seats
from games.selectors.halts import clocks_halted
from games.services.dealing import next_game_dealt
from games.services.errors import GameRunning, NotYourSeat, SeriesOver
from games.services.hosting import newest_game
from games.services.locks import table_locked, writing
from games.services.planned import next_moment
from games.services.projections import board_changed


def next_objected(*, table_id: int, user: User, now: datetime) -> None:
    """Let a person at a table object to its next deal: it waits until somebody deals it. Who comes second agrees.

    Raises:
        TableGone: there is no such table.
        NotYourSeat: they do not sit there.
        GameRunning: the next deal has begun already, or the first one never did.
        SeriesOver: there is no next deal.
    """
    with writing():
        table = table_locked(table_id)
        if not Holder.objects.filter(table=table, user=user, until=None).exists():
            raise NotYourSeat
        last = newest_game(table)
        if last is None or last.status != Game.Status.OVER:
            raise GameRunning
        if table.status != Table.Status.RUNNING:
            raise SeriesOver
        if last.next_at is not None:
            last.next_at, last.objected = None, user
            last.save(update_fields=["next_at", "objected"])
            board_changed(game=last)


def next_dealt(*, game_id: int, now: datetime) -> Game | None:
    """Deal the game after one of a series if its time has come; None if not, or if somebody was quicker.

    Whoever holds the table just now changes what this hangs on: the next sweep looks again.
    """
    with writing():
        rows = Table.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        table = rows.filter(game=game_id).first()
        last = newest_game(table) if table is not None else None
        if table is None or last is None or clocks_halted(now):
            return None
        if last.pk != game_id or table.status != Table.Status.RUNNING:
            Game.objects.filter(pk=game_id).update(next_at=None)
            return None
        if not _due(last, held_seats(table.pk), now):
            return None
        return next_game_dealt(table=table, last=last, now=now)


def _due(last: Game, held: Mapping[int, Held], now: datetime) -> bool:
    """Tell whether a game's successor is to be dealt now; what has put it off meanwhile is stored."""
    if last.next_at is None or last.next_at > now:
        return False
    moment = next_moment(table=last.table, held=held, since=_began(last, now))
    if moment is not None and moment <= now:
        return True
    _put_at(last, moment)
    return False


def _put_at(last: Game, moment: datetime | None) -> None:
    if last.next_at != moment:
        last.next_at = moment
        last.save(update_fields=["next_at"])
        board_changed(game=last)


def next_moved(*, table: Table, now: datetime) -> None:
    """Work out anew when the next deal of a table that this transaction holds comes: a pause of it has changed.

    Or somebody is back where bots played for everybody, so that none was planned. Against an objection none comes.
    """
    last = newest_game(table)
    if last is None or last.status != Game.Status.OVER or table.status != Table.Status.RUNNING:
        return
    if last.objected_id is None and last.aside is None:
        _put_at(last, next_moment(table=table, held=held_seats(table.pk), since=_began(last, now)))


def _began(last: Game, now: datetime) -> datetime:
    """Return when the wait for the deal after a game began: with its end, or later, when the first person was back."""
    ended = last.ended or now
    there = Holder.objects.filter(table=last.table_id, user__isnull=False, until=None, stand_in="")
    backs = list(there.values_list("back", flat=True))
    late = [back for back in backs if back is not None and back > ended]
    return min(late) if late and len(late) == len(backs) else ended
