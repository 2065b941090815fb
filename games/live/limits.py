"""How many sockets one person and one address may have, and open in a minute; counted in each process."""

import time
from collections import Counter


class Minute:
    """Counts what came in this minute, by whatever is hashable."""

    def __init__(self) -> None:
        self._came: Counter[str | int] = Counter()
        self._minute = 0

    def one_more(self, who: str | int) -> int:
        """Count one more; return how many those are. Two threads at once may count one."""
        minute = int(time.monotonic() // 60)
        if minute != self._minute:
            self._minute, self._came = minute, Counter()
        came = self._came
        came[who] += 1
        return came[who]

    @staticmethod
    def left() -> int:
        """Return in how many seconds the next minute begins."""
        return 60 - int(time.monotonic() % 60)


class Limits:
    """Counts what is open and what was opened in this minute, by whatever is hashable."""

    def __init__(self) -> None:
        self._open: Counter[str | int] = Counter()
        self._opened = Minute()

    def came(self, who: str | int, *, most: int, a_minute: int) -> bool:
        """Count one more; False, and it is not counted as open, if that is more than may be."""
        if self._opened.one_more(who) > a_minute or self._open[who] >= most:
            return False
        self._open[who] += 1
        return True

    def left(self, who: str | int) -> None:
        """Count one less."""
        self._open[who] -= 1
        if self._open[who] <= 0:
            # What nobody holds open takes no room.
            del self._open[who]
