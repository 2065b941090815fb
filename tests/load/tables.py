"""Tables of four whose cards were chosen beforehand, played through a stack with four sockets open at each.

As on a page: who plays a card sees the board with the answer, and says so by their socket, which is sent none then. The
others see it once it has come by theirs.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Self

from tests.load.client import At, Gone, Line, Person, Socket, at_of, html_of

# Seconds after which a card that has not come to every socket is given up.
LOST: Final = 20.0
# So much of a board holds its version.
_HEAD: Final = 400


class Table:
    """A game, the sockets of its people, and how far each of them has seen it."""

    def __init__(self, game: dict[str, Any], ports: Sequence[int], number: int) -> None:
        self.code, self.moves = game["code"], game["moves"]
        self.people = [Person(cookie) for cookie in game["cookies"]]
        self.ports = [ports[(number + seat) % len(ports)] for seat in range(len(self.people))]
        self.line = Line(self.ports[0])
        self.version, self.seen = 0, [-1] * len(self.people)
        self.last_came, self.news = 0.0, asyncio.Event()
        self.busy = False
        self._tasks: list[asyncio.Task[None]] = []
        self._sockets: list[Socket] = []

    @property
    def over(self) -> bool:
        return self.version >= len(self.moves)

    async def open(self) -> None:
        """Open a socket for everybody and wait until it shows the board."""
        for seat, (person, port) in enumerate(zip(self.people, self.ports, strict=True)):
            socket = await Socket.open(port, f"/ws/games/{self.code}/?since=", person)
            self._sockets.append(socket)
            self._tasks.append(asyncio.create_task(self._listen(seat, socket)))
        await self._all_see()

    async def close(self) -> None:
        self.line.close()
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError, Gone):
                await task
        for socket in self._sockets:
            socket.close()

    async def move(self, since: float) -> tuple[float, float]:
        """Play the next card; return the seconds from *since* to the answer, and until the last of the four sees it."""
        seat, card = self.moves[self.version]
        form = {"version": self.version, "card": card, "key": f"{self.code}-{self.version}"}
        status, html = await self.line.post(f"/games/{self.code}/play/", self.people[seat], **form)
        assert status == 200, (status, self.code, self.version)
        answered = time.perf_counter() - since
        self.version += 1
        self._shown(seat, at_of(html[:_HEAD]))
        await self._all_see()
        return answered, max(self.last_came - since, 0)

    async def _all_see(self) -> None:
        async with asyncio.timeout(LOST):
            while min(self.seen) < self.version:
                self.news.clear()
                await self.news.wait()

    async def _listen(self, seat: int, socket: Socket) -> None:
        while True:
            frame = await socket.frame()
            if isinstance(frame, bytes):
                self._shown(seat, at_of(html_of(frame, _HEAD)))

    def _shown(self, seat: int, at: At) -> None:
        if at[0] > self.seen[seat]:
            self.seen[seat], self.last_came = at[0], time.perf_counter()
            self.news.set()
        self._sockets[seat].shown(at)


@dataclass
class Run:
    """Moves that were played: seconds to the answer and to the last socket, in what time, how many never came."""

    answered: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    seconds: float = 0.0
    lost: int = 0

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.seen) / self.seconds

    def part(self, share: float) -> float:
        """Milliseconds within which this share of the moves was seen by all."""
        found = sorted(self.seen)
        return found[min(int(len(found) * share), len(found) - 1)] * 1000

    def __str__(self) -> str:
        return f"p50 {self.part(0.5):.0f}, p95 {self.part(0.95):.0f}, p99 {self.part(0.99):.0f} ms"

    async def played(self, table: Table, since: float) -> None:
        table.busy = True
        try:
            answered, seen = await table.move(since)
        except (TimeoutError, Gone):
            self.lost += 1
            return
        finally:
            table.busy = False
        self.answered.append(answered)
        self.seen.append(seen)

    @classmethod
    async def flat_out(cls, tables: Sequence[Table], at_once: int, seconds: float) -> Self:
        """Play at so many tables at once, each card as soon as everybody has seen the one before."""
        run, left, until = cls(), list(tables), time.perf_counter() + seconds

        async def one() -> None:
            while left and time.perf_counter() < until:
                table = left.pop()
                while not table.over and time.perf_counter() < until:
                    await run.played(table, time.perf_counter())

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(at_once)))
        run.seconds = time.perf_counter() - began
        return run

    @classmethod
    async def steady(cls, tables: Sequence[Table], rate: float, seconds: float) -> Self:
        """Play so many cards a second, at one table after the other; a card that waits for its table counts so long."""
        run, tasks, began = cls(), [], time.perf_counter()
        for number in range(int(rate * seconds)):
            due = began + number / rate
            await asyncio.sleep(max(due - time.perf_counter(), 0))
            free = next((each for each in _from(tables, number) if not each.busy and not each.over), None)
            while free is None:
                await asyncio.sleep(0.005)
                free = next((each for each in _from(tables, number) if not each.busy and not each.over), None)
            free.busy = True
            tasks.append(asyncio.create_task(run.played(free, due)))
        await asyncio.gather(*tasks)
        run.seconds = time.perf_counter() - began
        return run


def _from(tables: Sequence[Table], number: int) -> list[Table]:
    at = number % len(tables)
    return [*tables[at:], *tables[:at]]
