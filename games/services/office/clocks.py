"""Clocks: more time for everybody whom a game awaits, and the freeze of the whole site."""

from datetime import datetime, timedelta
from typing import Final

from accounts.models import User
from games.models import Audit, Game, Halt, Turn
from games.selectors.clocks import pace_of
from games.selectors.games import held_seats
from games.services.clocks import turns_retimed
from games.services.halts import WHY_LENGTH, freeze_begun, freeze_ended
from games.services.letters.office import TABLE
from games.services.locks import game_locked, writing
from games.services.office.acting import audited, people_of, playing_now, reason, told
from games.services.office.errors import FrozenAlready, GameOver, LengthUnfit, NotFrozen
from games.services.office.seen import check_seen
from games.services.projections import board_changed
from games.services.stop_errors import NothingToExtend

LEAST: Final = timedelta(minutes=1)
MOST: Final = timedelta(days=30)
"""How much time may be added at once."""


def deadlines_extend(*, game_id: int, by: User, why: str, length: timedelta, seen: str, now: datetime) -> Audit:
    """Give every person whom a game awaits more time, whatever its players have given themselves.

    Raises:
        GameGone: there is no such game.
        Changed: it is not as the operator's page showed it.
        GameOver: it is over.
        NothingToExtend: it awaits no person with a deadline.
        ReasonNeeded, LengthUnfit: what is wrong with what was asked for.
    """
    why = reason(why)
    if not LEAST <= length <= MOST:
        raise LengthUnfit
    with writing():
        game = game_locked(game_id)
        check_seen(game, seen)
        if game.status != Game.Status.RUNNING:
            raise GameOver
        seats = _extended(game, length)
        audit = audited(
            action=Audit.Action.EXTEND,
            by=by,
            why=why,
            game=game,
            after={"seats": seats, "seconds": int(length.total_seconds())},
            now=now,
        )
        told(audit=audit, kind=TABLE, people=people_of(game.table), now=now)
        return audit


def _extended(game: Game, length: timedelta) -> list[int]:
    """Add time to the turns of a game's people, and return their seats."""
    held = held_seats(game.table_id)
    turns = [turn for turn in Turn.objects.filter(game=game) if held[turn.seat].awaited_user is not None]
    if not turns or not pace_of(game.table).timed:
        raise NothingToExtend
    for turn in turns:
        turn.extended += length
    Turn.objects.bulk_update(turns, ["extended"])
    if game.aside is None:
        turns_retimed(game=game, held=held)
    board_changed(game=game)
    return sorted(turn.seat for turn in turns)


def site_freeze(*, by: User | None, why: str, now: datetime) -> Halt:
    """Stop all clocks of the site; every board says why, and those who are awaited are told.

    By nobody (None): from the command line.

    Raises:
        ReasonNeeded: no reason was given, or a longer one than boards show.
        FrozenAlready: they stand still already.
    """
    why = reason(why, most=WHY_LENGTH)
    with writing():
        halt, begun = freeze_begun(why=why, now=now)
        if not begun:
            raise FrozenAlready
        audit = audited(action=Audit.Action.FREEZE, by=by, why=why, after={"halt": halt.pk}, now=now)
        told(audit=audit, kind=TABLE, people=playing_now(), now=now)
        return halt


def site_thaw(*, by: User | None, why: str, now: datetime) -> Halt:
    """Let the clocks of the site run again; those who are awaited are told. By nobody (None): from the command line.

    Raises:
        ReasonNeeded: no reason was given.
        NotFrozen: nobody has stopped them.
    """
    why = reason(why)
    with writing():
        halt = freeze_ended(now=now)
        if halt is None:
            raise NotFrozen
        audit = audited(action=Audit.Action.THAW, by=by, why=why, before={"halt": halt.pk}, now=now)
        told(audit=audit, kind=TABLE, people=playing_now(), now=now)
        return halt
