"""Who looks at a game just now: kept for seconds only, and never in the database."""

from typing import Final

import structlog
from django.core.cache import cache

HERE_FOR: Final = 40
"""For how many seconds somebody who was seen at a game counts as being there; an open page says so more often."""

_log = structlog.get_logger(__name__)


def looked(user_id: int, game_id: int) -> None:
    """Keep in mind that a person has a game before their eyes, in a tab that can be seen.

    Nobody's page fails if it cannot be kept: they are told then what they see already.
    """
    try:
        cache.set(_key(user_id, game_id), 1, HERE_FOR)
    except Exception as error:  # noqa: BLE001 - caches fail in ways of their own
        _log.warning("presence not kept", error=type(error).__name__)


def is_here(user_id: int, game_id: int) -> bool:
    """Tell whether a person has looked at a game just now; no if nobody can say."""
    try:
        return cache.get(_key(user_id, game_id)) is not None
    except Exception as error:  # noqa: BLE001 - caches fail in ways of their own
        _log.warning("presence not known", error=type(error).__name__)
        return False


def _key(user_id: int, game_id: int) -> str:
    return f"here:{game_id}:{user_id}"
