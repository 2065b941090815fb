"""Sockets of two real servers that share PostgreSQL and Redis: closed in time, and right again after every fall."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import psycopg
import pytest
from channels_redis.core import RedisChannelLayer
from django.db import connection

from games.effects import RINGS
from tests.load.client import At, Gone, Line, Person, Socket, at_of, html_of
from tests.load.stack import Stack, stack
from tests.load.test_chaos import own_tables

# That the tables are there, which the servers' database is made like.
pytestmark = pytest.mark.django_db

SOON: Final = 8.0
"""Seconds within which what nobody rang for is found here: a check is every three, on a machine with much to do."""


@dataclass
class Site:
    """The servers, and what each test takes of the games that were dealt for all."""

    stack: Stack
    games: Iterator[dict[str, Any]]

    def stored(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Change the database behind everybody's back."""
        with psycopg.connect(self.stack.database, autocommit=True) as line:
            asked = line.execute(statement, values)
            return asked.fetchall() if asked.description else []


@pytest.fixture(scope="module")
def site(django_db_setup: None) -> Iterator[Site]:
    like = own_tables() if connection.vendor == "postgresql" else ""
    with stack(webs=2, worker=False, like=like) as found:
        yield Site(found, iter(found.made("games", count=12)))


@dataclass
class Page:
    """An open page at the first server; whatever is posted goes to the second. at: what it shows."""

    site: Site
    game: dict[str, Any]
    person: Person
    socket: Socket
    at: At = (-1, -1)

    async def board(self, patience: float = SOON) -> At:
        """Wait for the next board and answer it."""
        async with asyncio.timeout(patience):
            while not isinstance(found := await self.socket.frame(), bytes):
                pass
        self.at = at_of(html_of(found))
        self.socket.shown(self.at)
        return self.at

    async def upto(self, at: At, patience: float = SOON) -> None:
        """Wait until it shows a board."""
        until = time.monotonic() + patience
        while self.at != at:
            await self.board(until - time.monotonic())

    async def waiting(self) -> AsyncIterator[Any]:
        """What has come and was not read yet."""
        with suppress(TimeoutError):
            while True:
                async with asyncio.timeout(0.5):
                    found = await self.socket.frame()
                yield found

    async def closed(self, patience: float = SOON) -> int | None:
        async with asyncio.timeout(patience):
            try:
                while True:
                    await self.socket.frame()
            except Gone:
                return self.socket.code

    async def post(self, path: str, person: Person | None = None, **form: Any) -> int:
        line = Line(self.site.stack.ports[1])
        status, _ = await line.post(path, person or self.person, **form)
        line.close()
        return status

    async def moved(self) -> At:
        """Play the game's next card by the second server, and return what a page shows then."""
        code = self.game["code"]
        [(version, revision)] = self.site.stored("SELECT version, revision FROM games_game WHERE code = %s", code)
        seat, card = self.game["moves"][version]
        whose = Person(self.game["cookies"][seat])
        assert await self.post(f"/games/{code}/play/", whose, card=card, version=version, key=f"{version:08}") == 200
        return version + 1, revision + 1


@asynccontextmanager
async def opened(site: Site, seat: int = 0, game: dict[str, Any] | None = None) -> AsyncIterator[Page]:
    game = game or next(site.games)
    person = Person(game["cookies"][seat])
    socket = await Socket.open(site.stack.ports[0], f"/ws/games/{game['code']}/?since=", person)
    page = Page(site, game, person, socket)
    try:
        await page.board(20)
        yield page
    finally:
        socket.close()


async def test_it_closes_within_seconds_whoever_may_look_no_more(site: Site) -> None:
    game = next(site.games)
    user = "(SELECT user_id FROM games_holder h JOIN games_table t ON t.id = h.table_id JOIN games_game g"
    user += " ON g.table_id = t.id JOIN games_seat s ON s.id = h.seat_id WHERE g.code = %s AND s.number = %s)"
    async with (
        opened(site, 0, game) as left,
        opened(site, 1, game) as stopped,
        opened(site, 2, game) as out,
        opened(site, 3, game) as changed,
        opened(site) as stays,
    ):
        [(table,)] = site.stored("SELECT t.code FROM games_table t JOIN games_game g ON g.table_id = t.id"
                                 " WHERE g.code = %s", game["code"])  # fmt: skip
        assert await out.post("/accounts/signout/") == 303
        assert await out.closed() == 4401
        site.stored(f"UPDATE accounts_user SET is_active = false WHERE id = {user}", game["code"], 1)
        assert await stopped.closed() == 4401
        site.stored(f"UPDATE accounts_user SET password = 'another' WHERE id = {user}", game["code"], 3)
        assert await changed.closed() == 4401
        assert await left.post(f"/tables/{table}/leave/", sure="yes") in (200, 204, 302, 303)
        assert await left.closed() == 4404
        assert await stays.moved() == await stays.board()


async def test_watchers_are_closed_within_seconds(site: Site) -> None:
    game, other = next(site.games), next(site.games)
    at_game = "UPDATE games_table t SET watch = %s FROM games_game g WHERE g.table_id = t.id AND g.code = %s"
    site.stored(at_game, "anyone", game["code"])
    async with opened(site, 0, game) as sits:
        watcher = Person(other["cookies"][0])
        socket = await Socket.open(site.stack.ports[0], f"/ws/games/{game['code']}/?since=", watcher)
        watches = Page(site, game, watcher, socket)
        await watches.board()
        await sits.moved()
        await watches.board()
        site.stored(at_game, "nobody", game["code"])
        assert await watches.closed() == 4404
        await sits.upto(sits.at if sits.at[0] == 1 else await sits.board())


async def test_redis_falls_and_comes_back(site: Site) -> None:
    redis = site.stack.servers["redis"]
    async with opened(site) as page:
        await asyncio.to_thread(redis.kill)
        try:
            # Nobody could ring: the check finds it.
            await page.upto(await page.moved())
        finally:
            await asyncio.to_thread(redis.start)
        await page.upto(await page.moved(), 15)
        await listed(site, 20)
        await page.upto(await page.moved())


def layer(site: Site) -> Any:
    return RedisChannelLayer(hosts=[site.stack.env["REDIS_URL"]])


async def listed(site: Site, patience: float) -> None:
    """Wait until a process says that it hears rings."""
    until = time.monotonic() + patience
    while not await members(site):
        assert time.monotonic() < until
        await asyncio.sleep(0.2)


async def members(site: Site) -> int:
    """How many processes hear rings."""
    found = layer(site)
    try:
        return int(await found.connection(0).zcard(found._group_key(RINGS)))
    finally:
        await found.close_pools()


@pytest.mark.soak
async def test_postgresql_falls_and_comes_back(site: Site) -> None:
    async with opened(site) as page:
        await asyncio.to_thread(site.stack.servers["postgres"].kill)
        await asyncio.sleep(4)
        await asyncio.to_thread(site.stack.servers["postgres"].start)
        await page.upto(await page.moved(), 20)


@pytest.mark.soak
async def test_a_group_that_has_forgotten_a_process_is_told_again(site: Site) -> None:
    async with opened(site) as page:
        found = layer(site)
        await found.connection(0).delete(found._group_key(RINGS))
        await found.close_pools()
        await listed(site, SOON)
        await page.upto(await page.moved())


@pytest.mark.soak
async def test_five_hundred_rings_to_a_sleeper_are_one_board(site: Site) -> None:
    async with opened(site) as page:
        code, found = page.game["code"], layer(site)
        [(game, table)] = site.stored("SELECT id, table_id FROM games_game WHERE code = %s", code)
        for number in range(500):
            if number % 50 == 0:
                site.stored("UPDATE games_game SET revision = revision + 1 WHERE id = %s", game)
            await found.group_send(RINGS, {"type": "game.changed", "game": game, "table": table, "at": time.time()})
        await found.close_pools()
        await asyncio.sleep(3)
        boards = [each async for each in page.waiting() if isinstance(each, bytes)]
        assert len(boards) == 1
        page.at = at_of(html_of(boards[-1]))
        page.socket.shown(page.at)
        [last] = site.stored("SELECT version, revision FROM games_game WHERE id = %s", game)
        await page.upto(last)
