"""What happens once a change is committed: the doorbell rings, and bots are sent for.

Everything that leaves here is ids and numbers. Nothing here may fail the request: what was changed is stored already,
a lost ring heals at the next, and the sweep (`games.tasks`) sends again for a bot that does not come.
"""

from collections.abc import Callable
from typing import Any, Final

import structlog
from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer

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

ERASE: Final = "games.erase"
"""The name of the task that finds people who are to be erased."""

ERASE_PERSON: Final = "games.erase_person"
"""The name of the task that erases one: (person's id)."""

_log = structlog.get_logger(__name__)


def group_of(game_id: int) -> str:
    """Return the channel group that hears of a game's changes."""
    return f"game.{game_id}"


def tell(game_id: int, version: int, revision: int, *, bots_in: float | None = None) -> None:
    """Tell the world that a game has changed; with *bots_in*, let its bots act after so many seconds."""
    _try("ring", game_id, lambda: _ring(game_id, version, revision))
    if bots_in is not None:
        bots_sent_for(game_id, version, bots_in)


def bots_sent_for(game_id: int, version: int, seconds: float = 0) -> None:
    """Send the task that lets the bots of a game act after some seconds, if it still is at that version."""
    _try("send for bots", game_id, lambda: _send(BOT_TURN, (game_id, version), seconds))


def order_sent_for(game_id: int, seat: int, seconds: float) -> None:
    """Send the task that plays the only card of a person after some seconds, if it is to be played by then."""
    _try("send for an order", game_id, lambda: _send(ORDER, (game_id, seat), seconds))


def next_sent_for(game_id: int) -> None:
    """Send the task that deals the game after this one, if its time has come; without it the sweep does."""
    _try("next deal", game_id, lambda: current_app.send_task(NEXT, args=(game_id,), retry=False))


def notices_sent_for() -> None:
    """Send the task that mails what is due; without it the clock's next one does."""
    _try("send for notices", None, lambda: current_app.send_task(NOTICES, retry=False))


def erase_sent_for(user_id: int) -> None:
    """Send the task that erases a person, if their time is over still; one that is lost is sent again in an hour."""
    _try("erase", None, lambda: current_app.send_task(ERASE_PERSON, args=(user_id,), retry=False))


def sweep_at_start() -> None:
    """Send the sweep for a broker in memory that has just come up: whatever its forerunner held is lost."""
    # A bot that would wait three seconds, and none waits longer, may as well play now.
    _try("sweep", None, lambda: current_app.send_task(SWEEP, args=(-3.0,), retry=False))


def sweep_again() -> None:
    """Send the sweep once more: it had more to see to than it takes at once."""
    _try("sweep", None, lambda: current_app.send_task(SWEEP, retry=False))


def _ring(game_id: int, version: int, revision: int) -> None:
    layer = get_channel_layer()
    if layer is not None:
        message = {"type": "game.changed", "game": game_id, "version": version, "revision": revision}
        async_to_sync(layer.group_send)(group_of(game_id), message)


def _send(task: str, numbers: tuple[int, int], seconds: float) -> None:
    # No retries: whoever played waits for this request, and the sweep sends again.
    current_app.send_task(task, args=numbers, countdown=seconds, retry=False)


def _try(what: str, game_id: int | None, act: Callable[[], Any]) -> None:
    try:
        act()
    except Exception:  # noqa: BLE001 - layers and brokers fail in ways of their own, and none may undo an answer
        _log.warning("effect failed", effect=what, game=game_id, exc_info=True)
