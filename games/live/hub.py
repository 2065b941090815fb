"""The hub of a process: who has a socket here, and who is to be told when a ring comes.

It is the only member of the only channel group, so nothing in Redis belongs to one socket. It lives on the loop of the
server: all but `run` belongs to that.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import InterfaceError, OperationalError, connections

from games.live.limits import Limits
from games.metrics import LIVE_FAILED, RINGS_LOST, SOCKETS
from games.selectors.updates import Since
from games.services.presence import all_looked, who_are_here

if TYPE_CHECKING:
    from games.live.places import HomeSocket, TableSocket
    from games.live.sockets import Socket

THREADS: Final = 4
"""How many threads ask the database and make boards; pages have threads of their own."""

_GATHERED: Final = 0.5
"""For how many seconds heartbeats are gathered before it is kept whose games are in view."""

_KEPT: Final = 12.0
"""For how many seconds that is not kept again: with the time between two heartbeats (25) it is less than `HERE_FOR`."""

_AWAY: Final = (OSError, OperationalError, InterfaceError)
"""What is raised while the database, or Redis (whose library may not be there), is away."""

_log = structlog.get_logger(__name__)


class Hub:
    """The sockets of a process.

    games: of each game its sockets; tables: of each table the homes that list it; people: of each person. newcomers: of
    whom nothing is known yet. rounds: the rooms whose sockets are being served. seats: of each table who sits there and
    may be shown to be here, as (seat, person). rights, marks: of each table what it was when the checks last looked.
    """

    tells: Callable[[BaseException], None] | None = None
    """Who is told of faults beside the log."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="hub")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._said: dict[tuple[str, type[Exception]], float] = {}
        self._clear()

    def _clear(self) -> None:
        self.games: defaultdict[int, set[TableSocket]] = defaultdict(set)
        self.tables: defaultdict[int, set[HomeSocket]] = defaultdict(set)
        self.people: defaultdict[int | None, set[Socket]] = defaultdict(set)
        self.seats: dict[int, tuple[tuple[int, int], ...]] = {}
        self.rights: dict[int, int] = {}
        self.marks: dict[int, tuple[int, int, int]] = {}
        self.newcomers: list[Socket] = []
        self.rounds: set[object] = set()
        self.limits = Limits()
        self._seen: set[tuple[int, int]] = set()
        self._kept: dict[tuple[int, int], float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        SOCKETS.set(0)

    def begin(self, *tasks: "Callable[[Hub], Coroutine[Any, Any, None]]") -> None:
        """Begin these, unless they have begun on this loop."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # Another loop's sockets are gone with it; that is so in tests alone.
            self._clear()
            self._loop = loop
            for each in tasks:
                self.spawn(each(self))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something run beside."""
        # A loop keeps no hold of its tasks.
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._over)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self.failed("task", error)

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Let something be done after some seconds."""
        asyncio.get_running_loop().call_later(seconds, act)

    async def run[**P, R](self, ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what a function returns that asks the database, run in a thread of the hub's own."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(_apart, ask, *args, **kwargs))

    def failed(self, what: str, error: Exception) -> None:
        """Tell the log that something failed that is tried again; once a minute, for a database may be away long.

        A fault of ours is told to whoever is told of faults, too.
        """
        if what == "ear":
            RINGS_LOST.inc()
        away = isinstance(error, _AWAY) or type(error).__module__ == "redis.exceptions"
        LIVE_FAILED.labels("away" if away else "fault").inc()
        kind = (what, type(error))
        if time.monotonic() - self._said.get(kind, float("-inf")) >= 60:
            self._said[kind] = time.monotonic()
            # What a driver fails with names no card; any other fault is ours, and its place is wanted.
            said = _log.warning if away else _log.error
            said("live failed", what=what, error=type(error).__name__, exc_info=error)
            if self.tells is not None and not away:
                self.tells(error)

    def sockets(self) -> "list[Socket]":
        """All that are open and whose person is known."""
        return [each for group in self.people.values() for each in group]

    def join(self, socket: "Socket") -> None:
        """Count a socket in, now that it is known whose it is and where."""
        socket.joined = True
        self.people[socket.user_id].add(socket)
        for room in self._rooms(socket):
            room.add(socket)
        SOCKETS.inc()

    def leave(self, socket: "Socket") -> None:
        """Count a socket out; nothing if it is out."""
        if not socket.joined:
            return
        socket.joined = False
        SOCKETS.dec()
        self.people[socket.user_id].discard(socket)
        for room in self._rooms(socket):
            room.discard(socket)
        if socket.user_id is not None:
            self.limits.left(socket.user_id)
        self._tidied(socket)

    def moved(self, socket: "HomeSocket", tables: frozenset[int]) -> None:
        """Take note of which tables a home lists now."""
        if socket.joined and tables != socket.tables:
            for each in socket.tables - tables:
                self.tables[each].discard(socket)
                if not self.tables[each]:
                    del self.tables[each]
            for each in tables - socket.tables:
                self.tables[each].add(socket)
            socket.tables = tables

    def rung(self, ring: dict[str, Any]) -> None:
        """Pass a ring on to whom it concerns."""
        for socket in tuple(self.games.get(ring.get("game") or 0, ())):
            socket.heard_of(Since(ring["version"], ring["revision"]), at=ring["at"], by=ring.get("by", 0))
        for home in tuple(self.tables.get(ring.get("table") or 0, ())):
            home.changed()

    def doubted(self, sockets: "Iterable[Socket]") -> None:
        """Look again whether these may see what they see."""
        for each in tuple(sockets):
            each.doubted()

    def looked(self, socket: "TableSocket") -> None:
        """Take note that somebody has the game at which they sit before their eyes."""
        if socket.user_id is not None:
            pair = (socket.user_id, socket.game_id)
            if time.monotonic() - self._kept.get(pair, float("-inf")) < _KEPT:
                return
            if not self._seen:
                self.spawn(self._kept_in_mind())
            self._seen.add(pair)

    def welcome(self, socket: "Socket") -> None:
        """Tell somebody who may look who else is here."""
        self.spawn(self.show_here([socket.game_id]))

    async def _kept_in_mind(self) -> None:
        await asyncio.sleep(_GATHERED)
        seen, self._seen = self._seen, set()
        await self.run(all_looked, seen)
        now = time.monotonic()
        young = {pair: since for pair, since in self._kept.items() if now - since < _KEPT}
        self._kept = young | dict.fromkeys(seen, now)
        await self.show_here({game for _, game in seen})

    async def show_here(self, games: Iterable[int]) -> None:
        """Ask who has these games in view, and tell the sockets there to whom that is new."""
        at = {game: self._seated(game) for game in games if self.games.get(game)}
        pairs = {(user, game) for game, seats in at.items() for _, user in seats}
        present = await self.run(who_are_here, pairs)
        for game, seats in at.items():
            here = tuple(seat for seat, user in seats if (user, game) in present)
            for socket in tuple(self.games.get(game, ())):
                if socket.fit and socket.here != here:
                    socket.here = here
                    await socket.tell(here=here)

    def _seated(self, game: int) -> tuple[tuple[int, int], ...]:
        return self.seats.get(next(iter(self.games[game])).table_id, ())

    def _rooms(self, socket: Any) -> "list[set[Any]]":
        return [self.games[socket.game_id]] if socket.game_id else [self.tables[each] for each in socket.tables]

    def _tidied(self, socket: "Socket") -> None:
        """Drop the rooms that a socket leaves empty."""
        if not self.people[socket.user_id]:
            del self.people[socket.user_id]
        if not self.games.get(socket.game_id, True):
            del self.games[socket.game_id]
        for each in socket.tables:
            if not self.tables[each]:
                del self.tables[each]


def _apart[**P, R](ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return ask(*args, **kwargs)
    finally:
        # Of this thread alone, and back to the pool: nobody else would give them.
        connections.close_all()


hub: Final = Hub()
"""The hub of this process."""
