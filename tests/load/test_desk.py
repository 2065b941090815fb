"""Lists of the desk and pages of players on a site that grows, with all its logs: `make bench`, on PostgreSQL."""

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from django.db import connection

from games.models import Game, Move
from tests.load.conftest import Figures
from tests.load.grown import grown, originals
from tests.load.looks import Look, Lookers

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]

MANY: Final = int(os.environ.get("BENCH_GAMES", "100000"))
FEW: Final = MANY // 10
A_COPY: Final = 10
"""How many games."""
MOST_MS: Final = 300.0
TIMES: Final = 3
STAFF: Final = ("(superuser)", "(operator)", "(moderator)", "(support)")
PLAYERS: Final = ("(player)", "(regular)")


class Found(NamedTuple):
    """What a look costs the processor, page and database together, in milliseconds, and how many queries it asks."""

    ms: float
    queries: int


def looked(lookers: Lookers, look: Look) -> Found:
    asked = 0

    def counted(execute: object, *rest: object) -> object:
        nonlocal asked
        asked += 1
        return execute(*rest)  # type: ignore[operator]

    lookers.at(look)
    with connection.execute_wrapper(counted):
        lookers.at(look)
    return Found(min(_spent(lookers, look) for _ in range(TIMES)), asked)


def _spent(lookers: Lookers, look: Look) -> float:
    """Milliseconds of one look; neighbours add hardly any to what the processor does for it."""
    began = _clock()
    lookers.at(look)
    return (_clock() - began) / 1e6


def _clock() -> int:
    """Nanoseconds that this thread and its PostgreSQL have had of a processor."""
    behind = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    return time.thread_time_ns() + int(behind.split()[0])


def sizes(few: int, many: int) -> Iterator[Mapping[str, Found]]:
    """Let a site have few games and then many, and look at all its pages each time."""
    found = originals()
    lookers = Lookers(found)
    for start, stop in ((0, few // A_COPY), (few // A_COPY, many // A_COPY)):
        began = time.monotonic()
        grown(found, start, stop)
        print(f"{Game.objects.count():,} games with {_moves():,} entries, {time.monotonic() - began:.0f} s", flush=True)
        yield {f"{each.name} ({each.who})": looked(lookers, each) for each in lookers.looks(stop // 2)}


def _moves() -> int:
    """As far as the database knows: to count them would take it long."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [Move._meta.db_table])
        return int(cursor.fetchone()[0])


def test_a_site_that_grows(figures: Figures) -> None:
    """Ten times as many games: as many queries, and no page takes longer than it may."""
    before, after = sizes(FEW, MANY)
    for what, who in (("the desk", STAFF), ("players", PLAYERS)):
        names = sorted((name for name in after if name.endswith(who)), key=lambda name: -after[name].ms)
        for name in names[:10]:
            print(f"  {name}: {before[name].ms:.0f} ms to {after[name].ms:.0f} ms, {after[name].queries} queries")
        slowest, most = names[0], max(after[name].queries for name in names)
        whole = [sum(found[name].ms for name in names) for found in (before, after)]
        figures.add(
            f"the slowest of {len(names)} pages of {what}, {FEW:,} games to {MANY:,}: {slowest}",
            f"{before[slowest].ms:.0f} ms to {after[slowest].ms:.0f} ms",
            f"{whole[1] / whole[0]:.2f} times for all of them; {most} queries at the most, as many as before",
        )
    assert {name: each.queries for name, each in before.items()} == {name: each.queries for name, each in after.items()}
    assert max(each.ms for each in after.values()) < MOST_MS
