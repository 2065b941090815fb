"""Games as they were told last, kept for the next viewer of the same moment: one of a game, of the newest few games."""

import threading
from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Final

from games.selectors.around import unchanged
from games.selectors.told import Told, told_of
from games.selectors.updates import Since

MOST: Final = 64
"""How many games are kept."""

FRESH: Final = timedelta(seconds=5)
"""How long a game is told as it was loaded: what hangs on the time alone, as the end of a pause, counts no change."""

_kept: Final[OrderedDict[str, Told]] = OrderedDict()
_guard: Final = threading.Lock()
# Viewers of one game wait for the first of them, who loads it.
_loading: Final = tuple(threading.Lock() for _ in range(64))


def told_at(*, code: str, rung: Since | None = None, now: datetime) -> Told:
    """Return a game as it stands, loaded only if what is kept is not that; *rung* is how new a ring says it is.

    Raises:
        NotAtTable, BrokenGame: as `told_of`.
    """
    with loading(code):
        with _guard:
            old = _kept.get(code)
        told = old if old is not None and _fits(old, rung, now) else told_of(code=code, before=old, now=now)
        told_keep(told)
    return told


def loading(code: str) -> threading.Lock:
    """Return what whoever loads a game holds: all others who want it wait, and find it kept."""
    return _loading[hash(code) % len(_loading)]


def told_keep(told: Told) -> None:
    """Keep a game as it was just loaded."""
    with _guard:
        code = told.around.game.code
        _kept[code] = told
        _kept.move_to_end(code)
        while len(_kept) > MOST:
            _kept.popitem(last=False)


def forget() -> None:
    """Keep nothing."""
    with _guard:
        _kept.clear()


def _fits(told: Told, rung: Since | None, now: datetime) -> bool:
    older = rung is not None and (told.version, told.revision) < rung
    # What a ring says is newer need not be asked for.
    return not older and abs(now - told.at) < FRESH and unchanged(told.around)
