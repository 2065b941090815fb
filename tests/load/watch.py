"""Who watches the database of a stack while it is under fire: is any turn left lying?"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import psycopg

from games.selectors.halts import HOLD
from tests.load.players import Player

# How long after its time a bot is taken for lost, and within which a person's page hears of their turn by itself.
GRACE: Final = timedelta(seconds=5)
# After an outage nobody's time is up for five minutes more (HOLD), and a campaign in which no sweep runs for two has
# one: a turn of 30 seconds that begins as it ends lies for 270 more then, and is not left lying.
_OPEN: Final = """
SELECT turn.id, game.code, turn.seat, coalesce(turn.due_at, turn.since), statement_timestamp(), pulse.at,
    (SELECT max(coalesce(halt.until, statement_timestamp())) + %s FROM games_halt halt WHERE turn.due_at IS NOT NULL
        AND EXISTS (SELECT 1 FROM games_holder h JOIN games_seat s ON s.id = h.seat_id WHERE h.table_id = game.table_id
            AND s.number = turn.seat AND h.until IS NULL AND h.bot = '' AND h.stand_in = '')),
    json_build_object('due', turn.due_at, 'since', turn.since, 'version', game.version, 'revision', game.revision,
        'holder', (SELECT json_agg(holder) FROM games_holder holder JOIN games_seat seat ON seat.id = holder.seat_id
            WHERE holder.table_id = game.table_id AND seat.number = turn.seat),
        'halts', (SELECT json_agg(halt) FROM games_halt halt), 'pulses', (SELECT json_agg(p) FROM games_pulse p))::text
FROM games_turn turn JOIN games_game game ON game.id = turn.game_id, games_pulse pulse WHERE pulse.name = 'sweep'
"""

# Id, game, seat, when its time had come, what time it is, the last sweep, until when no person is timed out, if one is
# waited for here, and all else that may tell why.
type Row = tuple[int, str, int, datetime, datetime, datetime, datetime | None, str]


@dataclass
class Watch:
    """Looks each second. `sweeps` is the most that a turn outlasted once its time had come and all was up.

    `think` is how many seconds a player may take. worst: all that is known of the turn that lay longest, with who of
    *players* sits there. up: since when everything runs, None while something does not.
    """

    database: str
    think: float
    up: float | None = field(default_factory=time.monotonic)
    sweeps: int = 0
    seconds: float = 0.0
    worst: str = ""
    players: Sequence[Player] = ()
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

    def _rows(self) -> list[Row]:
        with psycopg.connect(self.database, connect_timeout=5) as line:
            return line.execute(_OPEN, [HOLD]).fetchall()

    def _look(self, rows: list[Row], up: timedelta) -> None:
        kept = {}
        for turn, code, seat, due, now, swept, held, more in rows:
            ready = max(due + GRACE + timedelta(seconds=self.think), now - up, held or due)
            if now <= ready:
                continue
            found = kept[turn] = self._outlasted.get(turn, set())
            if swept > ready:
                found.add(swept)
            late = (now - ready).total_seconds()
            self.seconds = max(self.seconds, late)
            if len(found) > self.sweeps:
                there = [str(each) for each in self.players if (each.code, each.seat) == (code, seat)]
                self.sweeps, self.worst = len(found), f"game {code}, seat {seat}, {late:.0f} s: {more} {there}"
        self._outlasted = kept
