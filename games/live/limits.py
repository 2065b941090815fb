"""How many sockets one person and one address may have, and open in a minute; counted in each process."""

import time
from collections import Counter


class Limits:
    """Counts what is open and what was opened in this minute, by whatever is hashable."""

    def __init__(self) -> None:
        self._open: Counter[str | int] = Counter()
        self._opened: Counter[str | int] = Counter()
        self._minute = 0

    def came(self, who: str | int, *, most: int, a_minute: int) -> bool:
        """Count one more; False, and it is not counted as open, if that is more than may be."""
        minute = int(time.monotonic() // 60)
        if minute != self._minute:
            self._minute = minute
            self._opened.clear()
        self._opened[who] += 1
        if self._open[who] >= most or self._opened[who] > a_minute:
            return False
        self._open[who] += 1
        return True

    def left(self, who: str | int) -> None:
        """Count one less."""
        self._open[who] -= 1
        if self._open[who] <= 0:
            # What nobody holds open takes no room.
            del self._open[who]
