"""How long a card that plays itself is held back, so that timing tells nobody that it was forced."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

type Source = Callable[[int], int]
"""A function that takes n and gives a whole number from 0 to n-1, each as likely."""

SLOW: Final = (timedelta(seconds=5), timedelta(seconds=60))
LIVE: Final = (timedelta(seconds=1), timedelta(seconds=4))
_STEP: Final = timedelta(milliseconds=1)


def forced_delay(source: Source, *, live: bool) -> timedelta:
    """Return how long to hold back a card that plays itself: each millisecond of the range is as likely."""
    least, most = LIVE if live else SLOW
    return least + _STEP * source((most - least) // _STEP + 1)
