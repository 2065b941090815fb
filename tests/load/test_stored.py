"""What a million stored games change for those who play at one: `make bench`, on PostgreSQL."""

import secrets
import time
from collections.abc import Callable
from typing import Final

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.live.frames import Asked, Frame, board_frames
from games.models import Game, Holder, Seat, Table, Turn
from games.selectors.games import game_state
from tests.accounts.doors import sign_in
from tests.games.stored import chosen, game_of, people, play
from tests.load.conftest import Figures
from tests.load.test_sweep import copies

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]

FEW, MANY = 1_000, 1_000_000
# Of the time with MANY to that with FEW.
MOST: Final = 2.0
FAR: Final = 10_000_000


def filled(start: int, stop: int) -> None:
    """Add finished games up to so many, each with a table and somebody who sat there: one of ten thousand people."""
    with connection.cursor() as cursor:
        # What refers to what is known to be right.
        cursor.execute("SET session_replication_role = replica")
        copies(Table, start, stop, id=f"{FAR} + n", code="lpad(to_hex(n), 8, '0')", status="'over'")
        copies(Seat, start, stop, id=f"{FAR} + n", table_id=f"{FAR} + n", number="0")
        copies(
            Holder,
            start,
            stop,
            id=f"{FAR} + n",
            table_id=f"{FAR} + n",
            seat_id=f"{FAR} + n",
            user_id=f"{FAR} + n %% 10000",
        )
        over = {"status": "'over'", "ended": "first.created"}
        copies(Game, start, stop, id=f"{FAR} + n", table_id=f"{FAR} + n", code="'x' || lpad(to_hex(n), 9, '0')", **over)
        cursor.execute("SET session_replication_role = DEFAULT")


def milliseconds(act: Callable[[], object], times: int) -> float:
    """The median of so many."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    return sorted(taken)[times // 2]


def measured(game: Game, person: User) -> dict[str, float]:
    """What a move, a frame and the start page of a person take, who is at ten tables."""
    client = sign_in(Client(), person)

    def move() -> None:
        state = game_state(game)
        play(game, chosen(state, state.awaited[0]), version=state.entries, key=secrets.token_hex(8), now=timezone.now())

    def frame() -> None:
        [found] = board_frames(code=game.code, asked=[Asked(person.pk)], now=timezone.now())
        assert isinstance(found, Frame)

    def home() -> None:
        assert client.get("/").status_code == 200

    found = {"a frame": milliseconds(frame, 60), "the start page": milliseconds(home, 60)}
    return {"a move": milliseconds(move, 21)} | found


def test_a_million_stored_games(figures: Figures) -> None:
    if connection.vendor != "postgresql":
        pytest.fail("A million games are made by PostgreSQL: run `make bench`.")
    persons = people(4)
    for _ in range(8):
        game_of(persons=persons)
    times = {}
    for start, stop in ((0, FEW), (FEW, MANY)):
        game = game_of(persons=persons)
        Turn.objects.update(due_at=None)
        filled(start, stop)
        times[stop] = measured(game, persons[0])
    ratios = {what: times[MANY][what] / few for what, few in times[FEW].items()}
    for what, few in times[FEW].items():
        change = f"{few:.1f} ms to {times[MANY][what]:.1f} ms"
        figures.add(f"{what}, from {FEW:,} stored games to {MANY:,}", change, f"{ratios[what]:.2f} times")
    assert max(ratios.values()) < MOST
