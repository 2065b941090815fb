"""What all who look at a game at one moment share: loaded once, however many look (architecture: 3.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.models import Table
from games.selectors.around import Around, around_of
from games.selectors.folded import Folded, Known, folded_of, folded_since
from games.selectors.pauses import stops_of
from games.selectors.stop_rows import StopRow


@dataclass(frozen=True, slots=True, repr=False)
class Told:
    """A game as it stood at a moment: who sits there, its log and states, what stops its clocks.

    It holds all hands, and shows nothing in a log: only `updates_for` reads it, and who may see what is asked for each
    viewer anew.
    """

    around: Around
    folded: Folded
    stored: Sequence[StopRow]
    at: datetime

    def __repr__(self) -> str:
        return f"<game {self.around.game.code} at {self.version}.{self.revision}>"

    @property
    def version(self) -> int:
        """The version of the game that was loaded."""
        return self.around.game.version

    @property
    def revision(self) -> int:
        """Its revision."""
        return self.around.game.revision


def told_of(*, code: str, before: Told | None = None, now: datetime) -> Told:
    """Load a game, in five queries; from what it was *before* only the rest of its log is read and folded.

    Raises:
        NotAtTable: there is no such game.
        BrokenGame: if the rules refuse an entry of its log, or this program does not know their version.
    """
    around = around_of(code=code)
    game, known = around.game, None
    if before is not None and before.around.game.pk == game.pk:
        known = folded_since(game, Known(before.folded, bytes(before.around.game.last_hash)))
    return told_with(around=around, folded=known or folded_of(game), now=now)


def told_with(*, around: Around, folded: Folded, now: datetime) -> Told:
    """Return a game of which all is loaded but what stops its clocks, in one query."""
    game, running = around.game, around.game.table.status == Table.Status.RUNNING
    return Told(around, folded, stops_of(game=game, rows=around.rows, now=now) if running else (), now)
