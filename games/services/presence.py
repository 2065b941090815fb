"""Who looks at a game just now: kept for seconds only, and never in the database."""

from collections.abc import Collection, Iterable
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


def all_looked(pairs: Collection[tuple[int, int]]) -> None:
    """Keep in mind that these people have these games before their eyes, as (person, game)."""
    try:
        cache.set_many({_key(user, game): 1 for user, game in pairs}, HERE_FOR)
    except Exception as error:  # noqa: BLE001 - caches fail in ways of their own
        _log.warning("presence not kept", error=type(error).__name__)


def who_are_here(pairs: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Return which of these people have looked at these games just now; nobody if nobody can say."""
    keys = {_key(user, game): (user, game) for user, game in pairs}
    try:
        return frozenset(keys[key] for key in cache.get_many(keys)) if keys else frozenset()
    except Exception as error:  # noqa: BLE001 - caches fail in ways of their own
        _log.warning("presence not known", error=type(error).__name__)
        return frozenset()


def is_here(user_id: int, game_id: int) -> bool:
    """Tell whether a person has looked at a game just now; no if nobody can say."""
    try:
        return cache.get(_key(user_id, game_id)) is not None
    except Exception as error:  # noqa: BLE001 - caches fail in ways of their own
        _log.warning("presence not known", error=type(error).__name__)
        return False


def _key(user_id: int, game_id: int) -> str:
    return f"here:{game_id}:{user_id}"
