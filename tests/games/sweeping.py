"""Sweeps for tests, and games that come due."""

import datetime as dt
from collections.abc import Iterable
from typing import Final

import pytest

from games import effects
from games.models import Game, Move, Turn
from games.services.bot_turns import bot_move
from games.services.sweep import Swept, swept
from tests.games.stored import NOW

SECOND: Final = dt.timedelta(seconds=1)
MINUTE: Final = dt.timedelta(minutes=1)
YEAR: Final = dt.timedelta(days=365)
ZERO: Final = dt.timedelta(0)


def sweep(now: dt.datetime) -> Swept:
    """A sweep at a moment, however long ago the last one was; bots are late at once."""
    return swept(now=now, gap=YEAR, grace=ZERO)


def bots_act(monkeypatch: pytest.MonkeyPatch) -> list[dt.datetime]:
    """Let bots act at the moment that is last in the list, instead of being sent for."""
    clock = [NOW]

    def act(game_id: int, version: int, seconds: float = 0) -> None:
        bot_move(game_id=game_id, version=version, now=clock[-1])

    monkeypatch.setattr(effects, "bots_sent_for", act)
    return clock


def next_due(games: Iterable[Game]) -> dt.datetime | None:
    """When the next turn of games comes due."""
    due = Turn.objects.filter(game__in=list(games), due_at__isnull=False).order_by("due_at")
    return due.values_list("due_at", flat=True).first()


def actors(game: Game) -> list[str]:
    """Who made the entries of a game, in their order."""
    return list(Move.objects.filter(game=game).order_by("number").values_list("actor", flat=True))
