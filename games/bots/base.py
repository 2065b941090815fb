"""What a bot is."""

from typing import Protocol

from games.rules.moves import Move
from games.rules.shuffle import Source
from games.rules.view import SeatView


class Bot(Protocol):
    """Chooses for one seat. All it knows is the view; all its luck comes from the source."""

    def choose(self, view: SeatView, source: Source) -> Move | None:
        """Return one of `view.legal`: never a foul, and the same for the same view and source.

        None means "I leave that hand alone", and only a seat that is not awaited may say so
        (rules.md 4). A seat that is awaited always gets a play or a take.
        """
        ...
