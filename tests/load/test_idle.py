"""What an open socket costs while nothing happens, and what is left of thousands that close at once."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import pytest
import redis as redis_client

from tests.load.client import At, Person, Socket, at_of, html_of
from tests.load.conftest import Figures
from tests.load.players import HEARTBEAT
from tests.load.stack import Stack, stack

STEPS: Final = (250, 500, 1000, 1500)
MANY: Final = 3000
# KB (issue 5).
MOST: Final = 30.0
AT_A_TIME: Final = 50


class Crowd:
    """People with many pages open at which nothing happens."""

    def __init__(self, site: Stack, games: Sequence[dict[str, Any]]) -> None:
        self.port = site.ports[0]
        self.places = [(game["code"], Person(cookie)) for game in games for cookie in game["cookies"]]
        self.held: dict[Socket, asyncio.Task[None]] = {}

    async def grow(self, many: int) -> None:
        """Open more until there are so many, each with its board."""
        while len(self.held) < many:
            more = range(len(self.held), min(len(self.held) + AT_A_TIME, many))
            await asyncio.gather(*(self._opened(*self.places[each % len(self.places)]) for each in more))

    async def _opened(self, code: str, person: Person) -> None:
        socket = await Socket.open(self.port, f"/ws/games/{code}/?since=", person)
        while not isinstance(frame := await socket.frame(), bytes):
            pass
        socket.shown(at_of(html_of(frame)))
        self.held[socket] = asyncio.create_task(self._hold(socket, at_of(html_of(frame))))

    async def _hold(self, socket: Socket, at: At) -> None:
        """Be there as a page is: answer, and say now and then what is shown."""
        beating = asyncio.create_task(self._beat(socket, at))
        try:
            while True:
                await socket.frame()
        finally:
            beating.cancel()

    async def _beat(self, socket: Socket, at: At) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            socket.shown(at)

    async def vanish(self) -> None:
        """Close all at once, without a word."""
        for socket, task in self.held.items():
            task.cancel()
            socket.writer.transport.abort()
        await asyncio.gather(*self.held.values(), return_exceptions=True)
        self.held.clear()


def slope(points: Sequence[tuple[int, int]]) -> float:
    """How much each one more adds, by least squares."""
    middle = [sum(part) / len(points) for part in zip(*points, strict=True)]
    over = sum((x - middle[0]) * (y - middle[1]) for x, y in points)
    return float(over / sum((x - middle[0]) ** 2 for x, _ in points))


async def grown(site: Stack, crowd: Crowd, steps: Sequence[int]) -> list[tuple[int, int]]:
    found = []
    for many in steps:
        await crowd.grow(many)
        await asyncio.sleep(2)
        found.append((many, site.memory("web1")))
    return found


@pytest.mark.bench
def test_idle_sockets(figures: Figures) -> None:
    with stack(worker=False) as site:
        crowd = Crowd(site, site.made("games", count=100))

        async def act() -> list[tuple[int, int]]:
            found = await grown(site, crowd, STEPS)
            await crowd.vanish()
            return found

        points = asyncio.run(act())
    each = slope(points[1:])
    told = ", ".join(f"{memory // 1024} MB at {many}" for many, memory in points)
    figures.add("an idle socket, in the web process", f"{each:.1f} KB", told)
    assert each <= MOST


@pytest.mark.soak
def test_thousands_close_at_once() -> None:
    closed_at_once(MANY)


def closed_at_once(many: int) -> None:
    with stack(worker=False) as site:
        crowd = Crowd(site, site.made("games", count=max(many // 15, 1)))

        async def act() -> list[int]:
            held = []
            for _ in range(3):
                [(_, memory)] = await grown(site, crowd, [many])
                held.append(memory)
                await crowd.vanish()
                await asyncio.sleep(5)
            return held

        held = asyncio.run(act())
        held = [each // 1024 for each in [*held, site.memory("web1")]]
        print(f"\n{many} sockets, three times: {held[:3]} MB with all open, then {held[3]} MB")
        said = site.servers["web1"].said().splitlines()
        assert [line for line in said if '"level": "error"' in line or '"level": "warning"' in line] == []
        with redis_client.from_url(site.env["REDIS_URL"]) as line:
            assert line.zcard("asgi:group:rings") == 1
        assert held[2] < held[1] * 1.1
