"""How long the database's side of a game takes, in one thread: `make bench`."""

import statistics
import time
from collections.abc import Callable

import pytest
from django.db import connection

from games.models import Game
from games.rules.replay import replay
from games.rules.ruleset import PRESETS
from games.selectors.games import dealt_state, entries_of, game_state
from games.services.bot_turns import bot_move
from games.services.verify import game_verify
from tests.games.stored import NOW, game_of, game_recorded, played, recorded

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]

ENTRIES = 100
# Milliseconds, on one core (issue 2).
MOST = 3.0


def timed(act: Callable[[], object], times: int = 300) -> list[float]:
    """Milliseconds of each call, quickest first."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    return sorted(taken)


def told(what: str, taken: list[float]) -> None:
    late = taken[len(taken) * 95 // 100]
    print(f"{what:<44} best {taken[0]:6.2f}  median {statistics.median(taken):6.2f}  95 % {late:6.2f} ms")


@pytest.fixture
def game() -> Game:
    record = recorded("edges", why="foul_window")
    game = game_recorded(record)
    played(game, record, upto=ENTRIES)
    return game


def test_loading_and_folding(game: Game) -> None:
    assert game_state(game).entries == ENTRIES
    print(f"\n{connection.vendor}, a game of {ENTRIES} entries")
    taken = timed(lambda: game_state(game))
    told("load and fold", taken)
    told("  of it: load the log", timed(lambda: entries_of(game)))
    told("  of it: load the deal", timed(lambda: dealt_state(game)))
    dealt, entries = dealt_state(game), entries_of(game)
    told("  of it: fold", timed(lambda: replay(dealt, entries)))
    told("verify", timed(lambda: game_verify(game_id=game.pk), times=50))
    # The best, since other programs take turns on the same core.
    assert taken[0] <= MOST


@pytest.mark.parametrize("preset", ["Getaway (Punjab)", "Big family"])
def test_moves(preset: str) -> None:
    game = game_of(PRESETS[preset], bots=6)
    taken = []
    while game.status == Game.Status.RUNNING and game.version < ENTRIES:
        began = time.perf_counter()
        bot_move(game_id=game.pk, version=game.version, now=NOW)
        taken.append((time.perf_counter() - began) * 1000)
        game.refresh_from_db()
    print()
    told(f"a bot's move, {preset}, of {len(taken)}", sorted(taken))
