"""The sweep costs what is due, not what is stored: `make bench`, on PostgreSQL."""

import datetime as dt
import time
from collections.abc import Callable

import pytest
from django.db import connection, models

from games.models import Game, Holder, Seat, Table, Turn
from games.selectors.due import turns_due
from games.services.sweep import swept
from tests.games.pacing import DAY, slow_game
from tests.games.stored import NOW, game_of
from tests.load.test_games import timed, told

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]

DUE = NOW + DAY
FEW, MANY = 1_000, 200_000
AT_ONCE = 50
# Of the time at MANY to that at FEW (issue 4).
MOST = 2.0


def copies(model: type[models.Model], start: int, stop: int, **changes: str) -> None:
    """Copy the first row of a model for each n from start to stop, with SQL in n for some columns."""
    fields = [str(field.column) for field in model._meta.concrete_fields]
    wanted = [changes.get(each, f'first."{each}"') for each in fields]
    names, table = ", ".join(f'"{each}"' for each in fields), model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {', '.join(wanted)} FROM {table} first, generate_series(%s, %s) n"
            f" WHERE first.id = (SELECT min(id) FROM {table})",
            [start, stop - 1],
        )
        cursor.execute(f"ANALYZE {table}")


def filled(start: int, stop: int) -> None:
    """Add running games up to so many; a third of them wait for ever, the others are due in a year and later."""
    many, far = 10_000_000, f"TIMESTAMPTZ '{NOW + 365 * DAY}' + n * INTERVAL '1 second'"
    copies(Table, start, stop, id=f"{many} + n", code="lpad(to_hex(n), 8, '0')")
    copies(Seat, start, stop, id=f"{many} + n", table_id=f"{many} + n", number="0")
    copies(Holder, start, stop, id=f"{many} + n", table_id=f"{many} + n", seat_id=f"{many} + n")
    copies(Game, start, stop, id=f"{many} + n", table_id=f"{many} + n", code="'x' || lpad(to_hex(n), 9, '0')")
    due = f"CASE WHEN n %% 3 = 0 THEN NULL ELSE {far} END"
    copies(Turn, start, stop, id=f"{many} + n", game_id=f"{many} + n", due_at=due)


def sweep_timed() -> float:
    """Milliseconds of a sweep that times fifty people out, the best of three."""
    taken = []
    for _ in range(3):
        for _ in range(AT_ONCE):
            slow_game()
        began = time.perf_counter()
        assert swept(now=DUE, gap=10 * DAY).ended == AT_ONCE
        taken.append((time.perf_counter() - began) * 1000)
    return min(taken)


def found_timed() -> float:
    """Milliseconds of finding the fifty, the best of many."""
    for _ in range(AT_ONCE):
        slow_game()
    find: Callable[[], object] = lambda: turns_due(now=DUE, grace=dt.timedelta(0))  # noqa: E731
    taken = timed(find, times=100)
    told(f"find {AT_ONCE} that are due", taken)
    assert swept(now=DUE, gap=10 * DAY).ended == AT_ONCE
    return taken[0]


def idle_timed() -> float:
    """Milliseconds of a sweep when nothing is due."""
    taken = timed(lambda: swept(now=DUE, gap=10 * DAY), times=50)
    told("a sweep of nothing", taken)
    return taken[0]


def test_it_costs_what_is_due() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("two hundred thousand games are made by PostgreSQL")
    game_of(bots=3)
    Turn.objects.update(due_at=None)
    times = {}
    for start, stop in ((0, FEW), (FEW, MANY)):
        filled(start, stop)
        print(f"\n{Game.objects.filter(status='running').count()} running games, {AT_ONCE} due")
        times[stop] = [sweep_timed(), found_timed(), idle_timed()]
        print(f"a whole sweep {times[stop][0]:.1f} ms")
    ratios = [many / few for few, many in zip(times[FEW], times[MANY], strict=True)]
    print("ratios of the whole sweep, of finding, of nothing: " + ", ".join(f"{each:.2f}" for each in ratios))
    assert max(ratios) < MOST
