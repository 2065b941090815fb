"""A Redis or a PostgreSQL that hangs: it takes what it is sent and never answers, which is worse than being away."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.load.players import Player
from tests.load.stack import Stack, stack
from tests.load.test_chaos import nothing_lost, own_tables

# That the tables are there, which the servers' database is made like.
pytestmark = pytest.mark.django_db


def players(site: Stack, games: Sequence[dict[str, Any]]) -> list[Player]:
    return [
        Player(ports=site.ports, code=game["code"], cookie=cookie, seat=seat, think=0.3, rng=random.Random(seat))
        for game in games
        for seat, cookie in enumerate(game["cookies"])
    ]


async def played_while(site: Stack, part: str, seconds: float, everybody: list[Player]) -> dict[str, int]:
    """Let a part hang for so long while people play, and play on to the end; return the versions when it went on."""
    playing = [asyncio.create_task(each.play()) for each in everybody]
    for each in everybody:
        await each.began.wait()
    # All have a socket by then.
    await asyncio.sleep(3)
    await asyncio.to_thread(site.servers[part].hang)
    try:
        await asyncio.sleep(seconds)
    finally:
        await asyncio.to_thread(site.servers[part].resume)
    versions = {each.code: each.at[0] for each in everybody}
    print(f"\n{part} hung for {seconds} s, {versions}, slowest {max(each.told.slowest for each in everybody):.2f} s")
    try:
        async with asyncio.timeout(240):
            await asyncio.gather(*playing)
    except TimeoutError:
        pytest.fail("\n".join(map(str, everybody)))
    return versions


def hung(site: Stack, part: str, seconds: float, games: Sequence[dict[str, Any]]) -> list[Player]:
    """Let a part hang while games are played, and prove that nothing was lost or doubled and that they all ended."""
    everybody = players(site, games)
    pids = {name: each.pid for name, each in site.servers.items()}
    asyncio.run(played_while(site, part, seconds, everybody))
    told, found = [each.told for each in everybody], site.made("checked")
    print(Counter(code for each in told for code in each.closed), sum(each.repeats for each in told))
    nothing_lost(found["log"], told)
    assert [each.odd for each in told if each.odd] == []
    assert (found["broken"], found["states"]) == ([], {"over": len(games)})
    # Nobody had to start anything again.
    assert {name: each.pid for name, each in site.servers.items()} == pids
    return everybody


@pytest.mark.soak
def test_redis_hangs_and_nobody_waits_for_it(transactional_db: None) -> None:
    with stack(webs=2, like=own_tables()) as site:
        people = site.made("games", count=4, persons=3, prefix="a")
        bots = site.made("games", count=3, persons=2, bots=1, prefix="b")
        told = [each.told for each in hung(site, "redis", 20, people + bots)]
        assert sum(each.repeats for each in told) == 0
        assert max(each.slowest for each in told) < 3
        assert "Traceback" not in "".join(site.servers[f"web{number}"].said() for number in (1, 2))


@pytest.mark.soak
def test_postgresql_hangs_and_nothing_is_lost(transactional_db: None) -> None:
    # Fewer connections than people: some find none.
    with stack(webs=2, like=own_tables(), DB_POOL="6") as site:
        people = site.made("games", count=6, persons=3, prefix="a")
        bots = site.made("games", count=3, persons=2, bots=1, prefix="b")
        told = [each.told for each in hung(site, "postgres", 10, people + bots)]
        print(Counter(status for each in told for status in each.unwell))
        assert {status for each in told for status in each.unwell} <= {503}
        assert max(each.slowest for each in told) < 15
