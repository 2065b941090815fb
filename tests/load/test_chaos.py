"""Every part of the site is killed at random, again and again, while people play: nothing is lost, nothing doubled."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from tests.load.players import Player, Told
from tests.load.stack import BEAT, WEB, WEB_MORE, WORKER, Stack, stack
from tests.load.watch import Watch
from tests.site.commands import ROOT

PARTS: Final = ("web1", "web2", "worker", "beat", "redis", "postgres")


@dataclass
class Campaign:
    """How many games, people and bots at each; how long a player thinks; how often a part is killed and stays away.

    whole: every game is played to its end; else a few cards further than when all was up again.
    """

    games: int
    persons: int
    bots: int
    absent: int
    think: float
    kills: Sequence[str]
    between: tuple[float, float]
    away: tuple[float, float]
    patience: float
    whole: bool = True
    rng: Random = field(default_factory=random.Random)


@dataclass
class Fire:
    """What is down just now; tells the watch since when nothing is."""

    stack: Stack
    watch: Watch
    down: set[str] = field(default_factory=set)

    async def strike(self, name: str, seconds: float) -> None:
        """Kill a part and start it again after so many seconds."""
        if name in self.down:
            return
        self.down.add(name)
        self.watch.up = None
        await asyncio.to_thread(self.stack.servers[name].kill)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self.stack.servers[name].start)
        self.down.discard(name)
        if not self.down:
            self.watch.up = time.monotonic()


async def burn(fire: Fire, everybody: list[Player], campaign: Campaign) -> None:
    """Kill parts in the order of the campaign, once everybody has seen their cards, and see them back."""
    await asyncio.gather(*(each.began.wait() for each in everybody))
    rng, strikes = campaign.rng, []
    for name in campaign.kills:
        await asyncio.sleep(rng.uniform(*campaign.between))
        strikes.append(asyncio.create_task(fire.strike(name, rng.uniform(*campaign.away))))
    await asyncio.gather(*strikes)


def players(site: Stack, games: list[dict[str, Any]], campaign: Campaign) -> list[Player]:
    return [
        Player(
            ports=site.ports,
            code=game["code"],
            cookie=cookie,
            seat=seat,
            think=campaign.think,
            rng=Random(campaign.rng.random()),
        )
        for game in games
        for seat, cookie in enumerate(game["cookies"])
        if not (game["missing"] and seat == len(game["cookies"]) - 1)
    ]


async def fought(site: Stack, everybody: list[Player], campaign: Campaign) -> Watch:
    watch = Watch(site.database, campaign.think, players=everybody)
    watching = asyncio.create_task(watch.run())
    burning = asyncio.create_task(burn(Fire(site, watch), everybody, campaign))
    try:
        async with asyncio.timeout(campaign.patience):
            await asyncio.gather(*(each.play() for each in everybody), burned(burning, everybody, campaign))
    except TimeoutError:
        pytest.fail("\n".join(map(str, everybody)))
    finally:
        for task in (watching, burning):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    return watch


async def burned(burning: asyncio.Task[None], everybody: list[Player], campaign: Campaign) -> None:
    """Wait until all is up again; then let players who need not play to the end go on for a little."""
    await burning
    for each in everybody if not campaign.whole else ():
        each.enough = 4 + max(other.at[0] for other in everybody if other.code == each.code)


def nothing_lost(log: Sequence[tuple[str, int, int, str, str, str]], told: Sequence[Told]) -> None:
    """Compare what players were told with the log."""
    entered: dict[str, list[tuple[str, int, str]]] = {}
    for code, _, seat, card, key, _ in log:
        entered.setdefault(key, []).append((code, seat, card))
    # Nobody sent those with a key.
    entered.pop("", None)
    assert {key: [card] for each in told for key, card in each.accepted.items()} == entered
    assert not {key for each in told for key in each.refused} & entered.keys()


def reported(campaign: Campaign, told: Sequence[Told], watch: Watch, actors: Counter[str], seconds: float) -> None:
    sums = {name: sum(getattr(each, name) for each in told) for name in ("repeats", "reopened", "pushed", "polled")} | {
        name: sum(len(getattr(each, name)) for each in told) for name in ("accepted", "refused")
    }
    print(f"\n{campaign.games} games, {seconds:.0f} s, killed {dict(Counter(campaign.kills))}")
    print(f"players: {sums}, sockets closed {Counter(code for each in told for code in each.closed)}")
    print(f"entries: {dict(actors)}; longest a turn lay once all was up: {watch.seconds:.0f} s, {watch.sweeps} sweeps")


def played_under_fire(site: Stack, campaign: Campaign) -> None:
    wanted = {"persons": campaign.persons, "bots": campaign.bots, "absent": campaign.absent}
    games = site.made("games", count=campaign.games, **wanted)
    everybody, began = players(site, games, campaign), time.monotonic()
    watch = asyncio.run(fought(site, everybody, campaign))
    told, found = [each.told for each in everybody], site.made("checked")
    actors = Counter(actor for *_, actor in found["log"])
    reported(campaign, told, watch, actors, time.monotonic() - began)
    nothing_lost(found["log"], told)
    assert [each.odd for each in told if each.odd] == []
    assert found["broken"] == []
    assert watch.sweeps <= 2, watch.worst
    if campaign.whole:
        assert found["states"] == {"over": campaign.games}


def own_tables() -> str:
    """Where the database of the tests is, if it is PostgreSQL."""
    if connection.vendor != "postgresql":
        return ""
    here = connection.settings_dict
    keys = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    return make_conninfo("", **{key: here[name] or None for key, name in keys.items()})


def test_what_is_killed_is_what_the_image_and_the_compose_file_run() -> None:
    image, compose = (ROOT / "Dockerfile").read_text(), (ROOT / "docker-compose.yml").read_text()
    web = json.dumps(["python", "-m", *WEB, *WEB_MORE])
    assert web.format(host="0.0.0.0", port=8000) in image
    assert [json.dumps(command) in compose for command in (WORKER, BEAT)] == [True, True]


def test_parts_are_killed_while_three_games_are_played(transactional_db: None) -> None:
    kills = ("web1", "postgres", "worker", "redis", "beat")
    campaign = Campaign(3, 2, 1, 0, 0.3, kills, (0.7, 1.0), (0, 0.5), 300, whole=False)
    with stack(like=own_tables()) as site:
        played_under_fire(site, campaign)


@pytest.mark.soak
def test_fifty_games_while_all_is_killed_at_random() -> None:
    seed = random.randrange(1 << 32)
    print(f"\nseed {seed}")
    rng = Random(seed)
    kills = [name for _ in range(4) for name in rng.sample(PARTS, len(PARTS))]
    campaign = Campaign(50, 3, 1, 5, 6.0, kills, (3, 9), (0, 10), 1500, rng=rng)
    with stack(webs=2) as site:
        played_under_fire(site, campaign)
        same_worker_consumes_again(site)


def swept(site: Stack) -> Any:
    with psycopg.connect(site.database) as line:
        return line.execute("SELECT at, statement_timestamp() FROM games_pulse WHERE name = 'sweep'").fetchone()


def same_worker_consumes_again(site: Stack) -> None:
    pid = site.servers["worker"].pid
    site.servers["redis"].kill()
    time.sleep(30)
    site.servers["redis"].start()
    back = swept(site)[1]
    until = time.monotonic() + 90
    while (found := swept(site))[0] < back:
        assert time.monotonic() < until, site.servers["worker"].said()[-3000:]
        time.sleep(0.5)
    print(f"Redis away for 30 s: the first sweep came {(found[0] - back).total_seconds():.0f} s after it was back")
    assert site.servers["worker"].pid == pid
