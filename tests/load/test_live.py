"""From a card played to the last of four sockets, on PostgreSQL that keeps its word and Redis: `make bench`."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.load.conftest import Figures
from tests.load.pgbench import pgbench
from tests.load.stack import Stack, stack
from tests.load.tables import Run, Table

pytestmark = pytest.mark.bench

GAMES: Final = 210
MANY: Final = 200
RATE: Final = 20.0
SECONDS: Final = 8.0
ALL_OUT: Final = ("1", "50", "200")
# So many doors are knocked at together: each asks the database.
AT_A_TIME: Final = 25


async def opened(games: Sequence[dict[str, Any]], ports: Sequence[int]) -> list[Table]:
    tables = [Table(game, ports, number) for number, game in enumerate(games)]
    for at in range(0, len(tables), AT_A_TIME):
        await asyncio.gather(*(each.open() for each in tables[at : at + AT_A_TIME]))
    return tables


async def runs(site: Stack, games: Sequence[dict[str, Any]]) -> dict[str, Run]:
    """The runs with so many games: first at an even rate, then as fast as it goes."""
    tables = await opened(games, site.ports)
    try:
        few, many = tables[-4:], tables[:MANY]
        # What is done for the first time takes longer.
        await Run.steady(many[:20], RATE, 1)
        return {
            "few": await Run.steady(few, RATE, SECONDS),
            "steady": await Run.steady(many, RATE, 2 * SECONDS),
            "1": await Run.flat_out(tables[-10:-4], 1, SECONDS),
            "50": await Run.flat_out(many[:50], 50, SECONDS),
            "200": await Run.flat_out(many, MANY, SECONDS),
        }
    finally:
        await asyncio.gather(*(each.close() for each in tables))


def measured(webs: int, folder: Path) -> tuple[dict[str, Run], float]:
    """Return the runs with so many processes of pages, and what pgbench reached before and after, on average."""
    with stack(webs=webs) as site:
        games = site.made("games", count=GAMES)
        before = pgbench(site, folder)
        found = asyncio.run(runs(site, games))
        return found, (before + pgbench(site, folder)) / 2


def told(figures: Figures, webs: int, found: dict[str, Run], writes: float) -> None:
    name = "one web process" if webs == 1 else f"{webs} web processes"
    for key, games in (("few", 4), ("steady", MANY)):
        what = f"{games} games, {RATE:.0f} moves a second, {name}: POST to the last of four sockets"
        figures.add(what, str(found[key]))
    for key in ALL_OUT:
        run = found[key]
        share = f"{100 * run.rate / writes:.1f} % of pgbench ({writes:.0f}/s)"
        figures.add(f"{key} games, flat out, {name}", f"{run.rate:.1f} moves/s; {run}", share)


def test_one_process_and_two(tmp_path: Path, figures: Figures) -> None:
    all_found = {}
    for webs in (1, 2):
        found, writes = all_found[webs] = measured(webs, tmp_path)
        told(figures, webs, found, writes)
        assert [run.lost for run in found.values()] == [0] * len(found)
    one, two = ({key: run.rate for key, run in all_found[webs][0].items()} for webs in (1, 2))
    figures.add(
        "from one web process to two", ", ".join(f"{two[key] / one[key]:.2f} times at {key}" for key in ALL_OUT)
    )
