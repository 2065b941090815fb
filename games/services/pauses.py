"""Pauses of a table: a vote begins them, their date or another vote ends them, and cards may be played in them."""

from datetime import datetime, timedelta
from typing import Final

from accounts.models import User
from games.models import Game, Pause, Table
from games.selectors.games import held_seats
from games.services.clocks import turns_retimed
from games.services.going_on import next_moved
from games.services.hosting import newest_game
from games.services.projections import board_changed
from games.services.turn_notices import paused_told

_DAY: Final = timedelta(days=1)


def pause_on(*, table: Table, now: datetime) -> Pause | None:
    """Return the pause in which a table is, None if it does not pause."""
    return Pause.objects.filter(table=table, until__gt=now).order_by("-until", "-pk").first()


def pause_begun(*, table: Table, days: int, by: User | None, but: User | None = None, now: datetime) -> Pause:
    """Let a table that this transaction holds pause for days of 24 hours; one that pauses does so that much longer.

    *by* has asked for it. Its people are told, except one who knows (*but*).
    """
    pause = pause_on(table=table, now=now)
    if pause is None:
        pause = Pause.objects.create(table=table, since=now, until=now + days * _DAY, by=by)
    else:
        pause.until += days * _DAY
        pause.save(update_fields=["until"])
    _changed(table, pause, but, now)
    return pause


def pause_ended(*, table: Table, but: User | None = None, now: datetime) -> bool:
    """End the pause of a table that this transaction holds, if it is in one; its people are told, except *but*."""
    pause = pause_on(table=table, now=now)
    if pause is None:
        return False
    pause.until = max(now, pause.since)
    pause.save(update_fields=["until"])
    _changed(table, pause, but, now)
    return True


def _changed(table: Table, pause: Pause, but: User | None, now: datetime) -> None:
    """Let a table's deadlines and its next deal come when they do now, and its people know."""
    table_retimed(table=table)
    next_moved(table=table, now=now)
    paused_told(table=table, pause=pause, by=but, now=now)


def table_retimed(*, table: Table) -> None:
    """Work out the deadlines of a table that this transaction holds anew, and let its boards know."""
    game = newest_game(table)
    if game is None:
        return
    if game.status == Game.Status.RUNNING:
        turns_retimed(game=game, held=held_seats(table.pk))
    board_changed(game=game)
