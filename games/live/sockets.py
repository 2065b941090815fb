"""One open socket: what it has been sent, what is new for it, and when it is closed."""

import json
import re
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

from autobahn.exception import Disconnected

from games.live import rounds
from games.live.frames import NoPerson
from games.live.hub import hub
from games.metrics import FANOUT
from games.selectors.company import NotAtTable

LONGEST: Final = 96
"""The most signs of what a client sends: a heartbeat."""

A_MINUTE: Final = 30
"""How many heartbeats a minute may bring, beside one for each board that was another one than the one before."""

PATIENCE: Final = 10.0
"""For how many seconds a client may still speak of the board before the one that it was sent: words cross."""

_AT: Final = re.compile(r"\d{1,9}\.\d{1,9}|[\w-]{0,64}", re.ASCII)

type Send = Callable[[dict[str, Any]], Awaitable[None]]


class Close(IntEnum):
    """Why a socket is closed."""

    NO_HEARTBEAT = 4400
    NO_SESSION = 4401
    FOREIGN = 4403
    NOT_FOUND = 4404
    SILENT = 4408
    TOO_MANY = 4429


class News(NamedTuple):
    """What is new for a client: how new it is then, the page's part, and small things that go with it."""

    since: str
    html: str
    told: dict[str, Any]


class Socket(ABC):
    """What the sockets of tables and of homes have in common; a few hundred bytes each.

    since: how new what the client shows is, in the words of both; before: what it was before it was sent something;
    last: how new what it was sent last is.
    heard: when it last spoke, at first when it came. sent: when it was sent what it has not answered, 0 if it has.
    owed: it spoke and is to be answered. joined: it is known whose it is. fit: it was found that they may look. dirty:
    something may be new for it. doubt: to be looked at again. held: until when it is sent nothing new, since its page
    has that by itself. rung: when that changed (Unix), 0 unsaid. game_id: the game that it shows, 0 for a home; tables:
    those that a home lists.
    """

    __slots__ = (
        "_send", "address", "beats", "before", "closed", "dirty", "doubt", "fit", "game_id", "heard", "held", "invited",
        "joined", "last", "mark", "minute", "owed", "plain", "rung", "sent", "session", "since", "tables", "user_id",
    )  # fmt: skip

    def __init__(self, *, send: Send, session: str, address: str, since: str, plain: bool) -> None:
        self._send, self.session, self.address, self.since, self.plain = send, session, address, since, plain
        self.before, self.last = since, ""
        self.user_id: int | None = None
        self.game_id = self.mark = self.minute = self.beats = 0
        self.tables: frozenset[int] = frozenset()
        self.invited: tuple[int, ...] = ()
        self.closed = self.joined = self.fit = self.owed = self.dirty = self.doubt = False
        self.sent = self.rung = self.held = 0.0
        self.heard = time.monotonic()

    def changed(self) -> None:
        """Send what is new, once the client has answered what it was sent."""
        self.dirty = True
        self.push()

    def doubted(self) -> None:
        """Look again whether the person may see this, however slow the client is; close if not."""
        self.doubt = self.dirty = True
        self.push()

    def push(self) -> None:
        """Begin to send what is to be sent, unless that is under way."""
        rounds.begin(self)

    async def stop(self, code: Close) -> None:
        """Close, once."""
        if not self.closed:
            self.closed = True
            hub.leave(self)
            await self._out({"type": "websocket.close", "code": int(code)})

    async def said(self, text: str | None) -> None:
        """Take what the client sent: a heartbeat, or it is closed."""
        now = time.monotonic()
        # Until it is known whose it is, it has only so long, whatever it says.
        self.heard = now if self.joined else self.heard
        if int(now // 60) != self.minute:
            self.minute, self.beats = int(now // 60), 0
        self.beats += 1
        beat = beat_of(text)
        if beat is None or self.beats > A_MINUTE:
            await self.stop(Close.NO_HEARTBEAT)
        elif not self.closed:
            await self._beat(beat[0], seen=beat[1])

    async def _out(self, message: dict[str, Any]) -> None:
        """Send; whoever has gone a moment before misses it, and nobody else does."""
        try:
            await self._send(message)
        except Disconnected:
            # Its end is heard next.
            self.closed = True

    async def tell(self, **told: Any) -> None:
        """Send something small."""
        if not self.closed:
            await self._out({"type": "websocket.send", "text": json.dumps(told, separators=(",", ":"))})

    @classmethod
    @abstractmethod
    def all_news(cls, sockets: Sequence[Any], shown: Sequence[str | None]) -> Sequence[News | Exception | None]:
        """Return for each of a round what is new since it showed that, None if nothing is, or why there is none.

        Of whom nothing is *shown* it is asked only whether they may look still. Runs in a thread.
        """

    @property
    def room(self) -> object:
        """What it has in common with those that are served with it."""
        return self

    def fellows(self) -> Iterable["Socket"]:
        """Return all of its room, itself among them."""
        return (self,)

    def asked(self) -> None:  # noqa: B027 - nothing, for most
        """Take note of what was found beside the news."""

    def in_view(self) -> None:  # noqa: B027 - nothing, for most
        """Take note that the person has this before their eyes."""

    @property
    def unanswered(self) -> bool:
        """Whether the client is still to answer what it was sent: until then it is sent nothing more."""
        return self.sent > 0

    @property
    def waits(self) -> bool:
        """Whether it is to be served now: not before it is known whose it is, and nothing new to who is to answer."""
        due = self.doubt if self.unanswered else self.dirty and (self.doubt or time.monotonic() >= self.held)
        return due and self.joined and not self.closed

    def taken(self) -> str | None:
        """Take on what is to be done; return what the client shows, None if it is to be sent nothing."""
        self.doubt = False
        if self.unanswered:
            return None
        self.dirty = False
        return self.since

    async def served(self, before: str | None, found: News | Exception | None) -> bool:
        """Send what was found, or close; False if it failed. *before*: what the client showed."""
        match found:
            case NotAtTable():
                await self.stop(Close.NOT_FOUND)
            case NoPerson():
                await self.stop(Close.NO_SESSION)
            case Exception():
                self.doubt = self.dirty = True
                hub.failed("push", found)
                return False
            case News() | None:
                if before is not None:
                    await self._news_sent(before, found)
        return True

    async def answer(self) -> None:
        """Answer a heartbeat to which there is nothing new, if one came."""
        if self.owed and self.joined and not self.dirty:
            self.owed = False
            await self.tell(ok=1)

    def shows(self, at: str) -> None:
        """Take note of what the client says that it shows."""
        if at != self.since:
            self.since = at
            self.changed()

    async def _beat(self, at: str, *, seen: bool) -> None:
        if seen and self.fit:
            self.in_view()
        if self.unanswered and at == self.before != self.since and self.heard - self.sent < PATIENCE:
            # Said before it had what is on its way, which it will answer.
            return
        # Who answers a board has just heard of the site.
        self.sent, self.owed = 0.0, not self.unanswered or at != self.since
        self.shows(at)
        self.push()
        await self.answer()

    async def _news_sent(self, before: str, found: News | None) -> None:
        at, self.rung = self.rung, 0.0
        self.asked()
        if not self.fit:
            self.fit = True
            hub.welcome(self)
        if found is None or found.since == self.since:
            await self.answer()
            return
        if self.closed:
            return
        self.before, self.since, self.sent, self.owed = before, found.since, time.monotonic(), False
        # Whoever says time and again that they do not show it has all the same so many in a minute.
        self.beats -= found.since != self.last
        self.last = found.since
        await self._out({"type": "websocket.send"} | self._packed(found.html))
        for name, value in found.told.items():
            await self.tell(**{name: value})
        if at:
            FANOUT.observe(max(0.0, time.time() - at))

    def _packed(self, html: str) -> dict[str, Any]:
        if self.plain:
            return {"text": html.lstrip()}
        # No proxy compresses sockets; a tenth of a millisecond makes a fifth of a board.
        packer = zlib.compressobj(1, zlib.DEFLATED, -15)
        return {"bytes": packer.compress(html.encode()) + packer.flush()}


def beat_of(text: str | None) -> tuple[str, bool] | None:
    """Return what a heartbeat says, as (how new what is shown is, whether it is in view); None if it is none."""
    if text is None or len(text) > LONGEST:
        return None
    try:
        said = json.loads(text)
    except ValueError:
        return None
    if not isinstance(said, dict) or set(said) != {"at", "seen"}:
        return None
    at, seen = said["at"], said["seen"]
    fits = isinstance(at, str) and _AT.fullmatch(at) and type(seen) is int and seen in (0, 1)
    return (at, bool(seen)) if fits else None
