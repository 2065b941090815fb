"""People who play by themselves, whatever becomes of the site meanwhile: as the page's script does, and stubbornly."""

import asyncio
import contextlib
import re
import time
from dataclasses import dataclass, field
from random import Random
from secrets import token_hex
from typing import Final

from tests.load.client import At, Gone, Line, Person, Socket, at_of, html_of

STATE: Final = re.compile(r'data-state="([a-z-]+)"')
CARD: Final = re.compile(r'class="card play [^>]*? value="(..)"')
HEARTBEAT: Final = 25.0
# Seconds between two looks for news while there is no socket.
POLL: Final = 1.0


@dataclass
class Told:
    """What a player was told: cards accepted and refused by their key, and how it went.

    slowest: how many seconds an answer took. unwell: the statuses by which the site said that it is not well.
    """

    accepted: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    repeats: int = 0
    reopened: int = 0
    pushed: int = 0
    polled: int = 0
    closed: list[int | None] = field(default_factory=list)
    odd: list[tuple[int, str]] = field(default_factory=list)
    slowest: float = 0.0
    unwell: list[int] = field(default_factory=list)


class Player:
    """A person at one game who plays it to its end, taking up to *think* seconds over a card.

    With a socket open they ask for nothing: what is not brought they do not know.
    """

    def __init__(self, *, ports: list[int], code: str, cookie: str, seat: int, think: float, rng: Random) -> None:
        self.ports, self.code, self.seat, self.think, self.rng = ports, code, seat, think, rng
        # The version from which on they need not go on; 0: to the end.
        self.enough = 0
        self.person, self.told = Person(cookie), Told()
        self.at: At = (-1, -1)
        self.state, self.cards, self.stood_in = "", list[str](), False
        self.live, self.fresh, self.began = False, asyncio.Event(), asyncio.Event()
        self.line = Line(rng.choice(ports))

    def __str__(self) -> str:
        """How it stands, for who wonders why it does not end."""
        how = f"{self.told.repeats} repeats, closed {self.told.closed[-5:]}, {self.told.odd[-3:]}"
        return f"{self.code} {self.seat}: {self.at} {self.state} {self.cards} live={self.live} {how}"

    async def play(self) -> None:
        """Play until the game is over, or as far as is enough."""
        while self.at == (-1, -1):
            await self._look()
            await asyncio.sleep(0.1)
        listening = asyncio.create_task(self._listen())
        try:
            while self.state != "over" and not 0 < self.enough <= self.at[0]:
                await self._turn()
        finally:
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listening
            self.line.close()

    async def _turn(self) -> None:
        if self.stood_in:
            await self._answered("back")
        elif self.cards:
            await asyncio.sleep(self.rng.uniform(0, self.think))
            await self._card()
        else:
            await self._news()

    async def _news(self) -> None:
        self.fresh.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(POLL):
                await self.fresh.wait()
        if not self.live:
            self.told.polled += 1
            await self._look()

    async def _card(self) -> None:
        """Play a card, and ask again with the same key until the site has answered."""
        if not self.cards:
            return
        key, card, version = token_hex(8), self.rng.choice(self.cards), self.at[0]
        status = await self._answered("play", key=key, card=card, version=version)
        if status == 200:
            self.told.accepted[key] = self.code, self.seat, card
        else:
            self.told.refused[key] = status

    async def _answered(self, what: str, **form: object) -> int:
        """Post a form until it is answered; the answer's board is shown."""
        while True:
            began = time.monotonic()
            with contextlib.suppress(Gone):
                status, body = await self.line.post(f"/games/{self.code}/{what}/", self.person, **form)
                self.told.slowest = max(self.told.slowest, time.monotonic() - began)
                if status < 500:
                    self._show(body)
                    if status not in (200, 409):
                        self.told.odd.append((status, body[-300:]))
                    return status
                self.told.unwell.append(status)
            self.told.repeats += 1
            self._elsewhere()
            await asyncio.sleep(self.rng.uniform(0.1, 0.6))

    async def _look(self) -> None:
        try:
            since = "" if self.at == (-1, -1) else f"?since={self.at[0]}.{self.at[1]}"
            status, body = await self.line.get(f"/games/{self.code}/board/{since}", self.person)
        except Gone:
            self._elsewhere()
            return
        if status == 200:
            self._show(body)
        elif status >= 500:
            self.told.unwell.append(status)

    def _elsewhere(self) -> None:
        self.line.close()
        self.line = Line(self.rng.choice(self.ports))

    def _show(self, html: str) -> None:
        """Take in a board, unless an older one comes late."""
        at = at_of(html)
        if at <= self.at:
            return
        found = STATE.search(html)
        self.at, self.state = at, found[1] if found else ""
        self.cards, self.stood_in = CARD.findall(html), 'id="back"' in html
        self.began.set()
        self.fresh.set()

    async def _listen(self) -> None:
        wait = 0.5
        while True:
            with contextlib.suppress(Gone):
                path = f"/ws/games/{self.code}/?since={self.at[0]}.{self.at[1]}&plain=1"
                socket = await Socket.open(self.rng.choice(self.ports), path, self.person)
                try:
                    await self._heard(socket)
                    wait = 0.5
                finally:
                    self.live = False
                    self.told.closed.append(socket.code)
                    socket.close()
            self.fresh.set()
            self.told.reopened += 1
            await asyncio.sleep(wait * self.rng.uniform(0.5, 1.5))
            wait = min(wait * 2, 8)

    async def _heard(self, socket: Socket) -> None:
        """Take in what a socket brings until it closes."""
        beating = asyncio.create_task(self._beat(socket))
        try:
            with contextlib.suppress(Gone):
                while True:
                    frame = await socket.frame()
                    self.live = True
                    if isinstance(frame, bytes):
                        self.told.pushed += 1
                        self._show(html_of(frame))
                        socket.shown(self.at)
        finally:
            beating.cancel()

    async def _beat(self, socket: Socket) -> None:
        while True:
            socket.shown(self.at)
            await asyncio.sleep(HEARTBEAT)
