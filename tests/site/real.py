"""Open pages at real servers that share PostgreSQL and Redis, and what is behind them."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import psycopg
import pytest

from tests.load.client import At, Gone, Line, Person, Socket, at_of, html_of
from tests.load.stack import Stack

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

    async def html(self) -> str:
        """The next list of a home, which is answered."""
        async with asyncio.timeout(SOON):
            while not isinstance(found := await self.socket.frame(), bytes):
                pass
        html = html_of(found)
        self.socket.says(html.partition('data-digest="')[2].partition('"')[0])
        return html

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

    async def get(self, path: str) -> str:
        line = Line(self.site.stack.ports[1])
        _, body = await line.get(path, self.person)
        line.close()
        return body

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
    socket = await Socket.open(site.stack.ports[0], path_of(game["code"]), person)
    page = Page(site, game, person, socket)
    try:
        await page.board(20)
        yield page
    finally:
        socket.close()


def table_of(page: Page) -> int:
    [(found,)] = page.site.stored("SELECT table_id FROM games_game WHERE code = %s", page.game["code"])
    return int(found)


def at_seat(page: Page, seat: int = 0) -> int:
    """Whose page it is, by the seat."""
    who = "SELECT user_id FROM games_holder h JOIN games_seat s ON s.id = h.seat_id"
    who += " WHERE h.table_id = %s AND s.number = %s"
    [(found,)] = page.site.stored(who, table_of(page), seat)
    return int(found)


async def nothing_shown(page: Page) -> int | None:
    """The code with which another socket of that page is closed; it has brought nothing before."""
    socket = await Socket.open(page.site.stack.ports[1], path_of(page.game["code"]), page.person)
    async with asyncio.timeout(SOON):
        with suppress(Gone):
            pytest.fail(f"shown: {await socket.frame()!r:.200}")
    return socket.code


def path_of(code: str) -> str:
    return f"/ws/games/{code}/?since="
