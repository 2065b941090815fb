"""How time shall run at a table that somebody plans, or that repeats another."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from games.clocks.pace import NO_LIMIT, Pace
from games.clocks.spans import ZERO
from games.models import Table
from games.selectors.clocks import pace_of


@dataclass(frozen=True, slots=True)
class Pacing:
    """How time shall run at a table; the fields are those of `Table`."""

    pace: Pace = NO_LIMIT
    rest: str = ""
    zone: str = "UTC"
    missed: str = Table.Missed.BOT
    vacations: bool = True
    next: str = Table.Next.WAIT
    rest_between: timedelta = ZERO

    def columns(self) -> dict[str, Any]:
        """Return it as a table's columns."""
        pace = self.pace
        return {
            "pace": pace.kind.value,
            "pace_start": pace.start,
            "pace_increment": pace.increment,
            "pace_cap": pace.cap,
            "pace_grace": pace.grace,
            "rest": self.rest,
            "zone": self.zone,
            "missed": self.missed,
            "vacations": self.vacations,
            "next": self.next,
            "rest_between": self.rest_between,
        }


UNHURRIED: Final = Pacing()
"""No clock runs."""


def pacing_of(table: Table) -> Pacing:
    """Return how time runs at a table, for one that repeats it."""
    return Pacing(
        pace=pace_of(table),
        rest=table.rest,
        zone=table.zone,
        missed=table.missed,
        vacations=table.vacations,
        next=table.next,
        rest_between=table.rest_between,
    )
