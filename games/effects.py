"""What happens once a change is committed: the doorbell rings, and bots are sent for.

Everything that leaves here is ids and numbers. Nothing here may fail the request, or make it wait: what was changed is
stored already, a lost ring heals within seconds (`games.live.hub`), and the sweep (`games.tasks`) sends again for a bot
that does not come.
"""

import asyncio
import atexit
import contextlib
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import Full, Queue
from typing import Any, Final

import structlog
from celery import current_app
from channels.layers import get_channel_layer

from games.metrics import RINGS_LOST

RINGS: Final = "rings"
"""The one channel group: each process that has sockets hears all rings, and knows itself who is to be told."""

BOT_TURN: Final = "games.bot_turn"
"""The name of the task that lets the bots of a game act: (game id, version)."""

SWEEP: Final = "games.sweep"
"""The name of the task that finds what was lost."""

ORDER: Final = "games.order"
"""The name of the task that plays the only card of a person: (game id, seat)."""

NEXT: Final = "games.next"
"""The name of the task that deals the next game of a series: (id of the one that is over)."""

NOTICES: Final = "games.notices"
"""The name of the task that sends the mails that are due."""

DIGEST: Final = "games.digest"
"""The name of the task that sends the mails of the day."""

RATINGS: Final = "games.ratings"
"""The name of the task that rates the deals that are over."""

ERASE: Final = "games.erase"
"""The name of the task that finds people who are to be erased."""

ERASE_PERSON: Final = "games.erase_person"
"""The name of the task that erases one: (person's id)."""

_log = structlog.get_logger(__name__)


class _Bell:
    """Rings from any thread without waiting: by a loop of its own, in a thread that begins with the first ring.

    A loop for each ring would be a connection to Redis for each. Rings that cannot leave are lost, and nobody is told
    oftener than once a minute.
    """

    MOST: Final = 1000
    """How many rings may be under way; a Redis that hangs must not fill the memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._owner = 0
        self._under_way: set[Future[None]] = set()
        self._said = float("-inf")

    def ring(self, message: dict[str, Any]) -> None:
        """Send a message to all processes, sooner or later or not at all."""
        layer = get_channel_layer()
        if layer is None:
            return
        if len(self._under_way) >= self.MOST:
            self._lost("OverflowError")
            return
        loop = self._begun()
        rung = asyncio.run_coroutine_threadsafe(layer.group_send(RINGS, message), loop)
        self._under_way.add(rung)
        rung.add_done_callback(self._over)

    def rung(self, seconds: float) -> None:
        """Wait until nothing is under way any more, but not for longer than this."""
        upto = time.monotonic() + seconds
        for each in tuple(self._under_way):
            try:
                each.result(max(0.0, upto - time.monotonic()))
            except Exception:  # noqa: BLE001, S112 - who rang is told by `_over`
                continue

    def _begun(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # A process that was forked has the loop, but not its thread.
            if self._loop is None or self._owner != os.getpid():
                self._loop, self._owner, self._under_way = asyncio.new_event_loop(), os.getpid(), set()
                threading.Thread(target=self._loop.run_forever, name="bell", daemon=True).start()
            return self._loop

    def _over(self, rung: Future[None]) -> None:
        self._under_way.discard(rung)
        if not rung.cancelled() and (error := rung.exception()) is not None:
            self._lost(type(error).__name__)

    def _lost(self, why: str) -> None:
        RINGS_LOST.inc()
        if time.monotonic() - self._said >= 60:
            self._said = time.monotonic()
            _log.warning("ring lost", error=why)


class _Post:
    """Sends tasks in a thread of its own, one after the other: only there is a broker that hangs waited for.

    A broker in memory never hangs, and is sent to at once.
    """

    MOST: Final = 1000
    """How many tasks may wait to be sent; of more none are, and the sweep sends again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._waiting = Queue[Callable[[], Any]]()

    def send(self, what: str, game_id: int | None, task: str, **how: Any) -> None:
        """Send a task, sooner or later or not at all."""
        # The app of the thread that asks.
        act = partial(current_app.send_task, task, retry=False, **how)
        if str(current_app.conf.broker_url).startswith("memory:"):
            _try(what, game_id, act)
            return
        try:
            self._begun().put_nowait(partial(_try, what, game_id, act))
        except Full:
            _log.warning("effect failed", effect=what, game=game_id, error="OverflowError")

    def sent(self, seconds: float) -> None:
        """Wait until all that waits now is sent or lost, but not for longer than this."""
        if self._owner == os.getpid():
            done = threading.Event()
            with contextlib.suppress(Full):
                self._waiting.put_nowait(done.set)
                done.wait(seconds)

    def _begun(self) -> Queue[Callable[[], Any]]:
        with self._lock:
            # A process that was forked has not the thread.
            if self._owner != os.getpid():
                self._owner, self._waiting = os.getpid(), Queue(self.MOST)
                threading.Thread(target=_sending, args=(self._waiting,), name="post", daemon=True).start()
            return self._waiting


def _sending(waiting: Queue[Callable[[], Any]]) -> None:
    while True:
        waiting.get()()


_bell: Final = _Bell()
_post: Final = _Post()
# A command that changes a game ends at once.
atexit.register(_bell.rung, 1.0)
atexit.register(_post.sent, 1.0)


def tell(
    game_id: int,
    version: int,
    revision: int,
    *,
    table_id: int | None = None,
    by: int | None = None,
    bots_in: float | None = None,
) -> None:
    """Tell the world that a game has changed, *by* which person's hand; let its bots act after *bots_in* seconds."""
    message = {"type": "game.changed", "game": game_id, "table": table_id, "version": version, "revision": revision}
    _try("ring", game_id, lambda: _bell.ring(message | {"by": by or 0, "at": time.time()}))
    if bots_in is not None:
        bots_sent_for(game_id, version, bots_in)


def person_changed(user_id: int) -> None:
    """Tell the world that what a person may see, or what their home lists, has changed: their sockets are looked at."""
    _try("ring", None, lambda: _bell.ring({"type": "person.changed", "person": user_id}))


def table_changed(table_id: int) -> None:
    """Tell the world that a table has changed at which nobody plays, or who sits there: it is on its people's homes."""
    _try("ring", None, lambda: _bell.ring({"type": "table.changed", "table": table_id}))


def invite_changed(invite_id: int) -> None:
    """Tell the world that an invitation has come or changed: whoever it is for may look at their home."""
    _try("ring", None, lambda: _bell.ring({"type": "invite.changed", "invite": invite_id}))


def bots_sent_for(game_id: int, version: int, seconds: float = 0) -> None:
    """Send the task that lets the bots of a game act after some seconds, if it still is at that version."""
    _post.send("send for bots", game_id, BOT_TURN, args=(game_id, version), countdown=seconds)


def order_sent_for(game_id: int, seat: int, seconds: float) -> None:
    """Send the task that plays the only card of a person after some seconds, if it is to be played by then."""
    _post.send("send for an order", game_id, ORDER, args=(game_id, seat), countdown=seconds)


def next_sent_for(game_id: int) -> None:
    """Send the task that deals the game after this one, if its time has come; without it the sweep does."""
    _post.send("next deal", game_id, NEXT, args=(game_id,))


def notices_sent_for() -> None:
    """Send the task that mails what is due; without it the clock's next one does."""
    _post.send("send for notices", None, NOTICES)


def ratings_sent_for() -> None:
    """Send the task that rates what is over; without it the clock's next one does."""
    _try("send for ratings", None, lambda: current_app.send_task(RATINGS, retry=False))


def erase_sent_for(user_id: int) -> None:
    """Send the task that erases a person, if their time is over still; one that is lost is sent again in an hour."""
    _post.send("erase", None, ERASE_PERSON, args=(user_id,))


def sweep_at_start() -> None:
    """Send the sweep for a broker in memory that has just come up: whatever its forerunner held is lost."""
    # A bot that would wait three seconds, and none waits longer, may as well play now.
    _post.send("sweep", None, SWEEP, args=(-3.0,))


def sweep_again() -> None:
    """Send the sweep once more: it had more to see to than it takes at once."""
    _post.send("sweep", None, SWEEP)


def _try(what: str, game_id: int | None, act: Callable[[], Any]) -> None:
    try:
        act()
    except Exception:  # noqa: BLE001 - layers and brokers fail in ways of their own, and none may undo an answer
        _log.warning("effect failed", effect=what, game=game_id, exc_info=True)
