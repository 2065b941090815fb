"""Clocks that stand still and games that were set aside, by nobody in particular, for tests."""

import datetime as dt

from games.models import Halt
from games.services.aside import taken_up
from games.services.halts import freeze_begun, freeze_ended
from games.services.locks import game_locked, writing


def frozen(*, now: dt.datetime, why: str = "") -> Halt:
    """Stop all clocks; if they are stopped, they stay so."""
    with writing():
        return freeze_begun(why=why, now=now)[0]


def thawed(*, now: dt.datetime) -> Halt | None:
    """Let the clocks run again; None if nobody had stopped them."""
    with writing():
        return freeze_ended(now=now)


def game_taken_up(*, game_id: int, now: dt.datetime) -> bool:
    """Let a game go on that was set aside; False if it was not."""
    with writing():
        return taken_up(game=game_locked(game_id), now=now)
