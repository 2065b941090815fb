"""Who looks at a game just now: kept for seconds only, and never in the database."""

import time
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

import structlog
from django.core.cache import cache

HERE_FOR: Final = 40
"""For how many seconds somebody who was seen at a game counts as being there; an open page says so more often."""

_REST: Final = 5.0
"""For how many seconds a cache that has failed is left alone: one that hangs would hold every page for a second."""

_log = structlog.get_logger(__name__)


class _Rest:
    """When the cache may be asked again."""

    over = float("-inf")


def looked(user_id: int, game_id: int) -> None:
    """Keep in mind that a person has a game before their eyes, in a tab that can be seen.

    Nobody's page fails if it cannot be kept: they are told then what they see already.
    """
    all_looked([(user_id, game_id)])


def all_looked(pairs: Collection[tuple[int, int]]) -> None:
    """Keep in mind that these people have these games before their eyes, as (person, game)."""
    kept = {_key(user, game): 1 for user, game in pairs}
    _asked("presence not kept", lambda: cache.set_many(kept, HERE_FOR), None)


def who_are_here(pairs: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Return which of these people have looked at these games just now; nobody if nobody can say."""
    keys = {_key(user, game): (user, game) for user, game in pairs}
    found: Iterable[str] = _asked("presence not known", lambda: cache.get_many(keys), ()) if keys else ()
    return frozenset(keys[key] for key in found)


def is_here(user_id: int, game_id: int) -> bool:
    """Tell whether a person has looked at a game just now; no if nobody can say."""
    return bool(who_are_here([(user_id, game_id)]))


def _asked(what: str, ask: Callable[[], Any], otherwise: Any) -> Any:
    """Return what the cache says, *otherwise* if it cannot say."""
    if time.monotonic() < _Rest.over:
        return otherwise
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - caches fail in ways of their own
        _Rest.over = time.monotonic() + _REST
        _log.warning(what, error=type(error).__name__)
        return otherwise


def _key(user_id: int, game_id: int) -> str:
    return f"here:{game_id}:{user_id}"
