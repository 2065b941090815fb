"""Turns that people had, for tests of what is told of them."""

import datetime as dt
from typing import Any

from accounts.models import User
from games.models import Answer, Game, Holder, MissedTurn
from tests.games.stored import NOW

ZERO = dt.timedelta(0)


def answered(game: Game, user: User, took: dt.timedelta = ZERO, *, how: str = "hand", **changes: Any) -> Answer:
    """A turn of somebody that took so long while the clock ran."""
    holder = Holder.objects.select_related("seat").get(table=game.table, user=user)
    number = None if how == "nudge" else Answer.objects.count()
    fields = {"game": game, "seat": holder.seat.number, "holder": holder, "number": number, "charged": took}
    return Answer.objects.create(**fields | {"since": NOW, "at": NOW, "how": how} | changes)


def missed(game: Game, user: User, excuse: str = "", at: dt.datetime = NOW) -> MissedTurn:
    """A turn that somebody missed."""
    holder = Holder.objects.select_related("seat").get(table=game.table, user=user)
    due = at - dt.timedelta(seconds=MissedTurn.objects.count() + 1)
    fields = {"game": game, "seat": holder.seat.number, "holder": holder, "due_at": due}
    return MissedTurn.objects.create(**fields, at=at, excuse=excuse)
