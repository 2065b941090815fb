"""Who watches the database of a stack while it is under fire: is any turn left lying?"""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import psycopg

# How long after its time a bot is taken for lost, and within which a person's page hears of their turn by itself.
GRACE: Final = timedelta(seconds=5)
_OPEN: Final = """
SELECT turn.id, game.code, turn.seat, coalesce(turn.due_at, turn.since), statement_timestamp(), pulse.at
FROM games_turn turn JOIN games_game game ON game.id = turn.game_id, games_pulse pulse WHERE pulse.name = 'sweep'
"""


@dataclass
class Watch:
    """Looks each second. `sweeps` is the most that a turn outlasted once its time had come and all was up.

    `think` is how many seconds a player may take. up: since when everything runs, None while something does not.
    """

    database: str
    think: float
    up: float | None = field(default_factory=time.monotonic)
    sweeps: int = 0
    seconds: float = 0.0
    worst: str = ""
    _outlasted: dict[int, set[datetime]] = field(default_factory=dict)

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            await asyncio.sleep(1)
            up = self.up
            if up is None:
                self._outlasted.clear()
                continue
            try:
                rows = await asyncio.to_thread(self._rows)
            except psycopg.Error:
                continue
            # Something may have been killed meanwhile.
            if self.up == up:
                self._look(rows, timedelta(seconds=time.monotonic() - up))

    def _rows(self) -> list[tuple[int, str, int, datetime, datetime, datetime]]:
        with psycopg.connect(self.database, connect_timeout=5) as line:
            return line.execute(_OPEN).fetchall()

    def _look(self, rows: list[tuple[int, str, int, datetime, datetime, datetime]], up: timedelta) -> None:
        kept = {}
        for turn, code, seat, due, now, swept in rows:
            ready = max(due + GRACE + timedelta(seconds=self.think), now - up)
            if now <= ready:
                continue
            found = kept[turn] = self._outlasted.get(turn, set())
            if swept > ready:
                found.add(swept)
            late = (now - ready).total_seconds()
            self.seconds = max(self.seconds, late)
            if len(found) > self.sweeps:
                self.sweeps, self.worst = len(found), f"game {code}, seat {seat}, {late:.0f} s"
        self._outlasted = kept
