"""The random bot: the measure of the others, and a cheap way to walk through the rules."""

from games.rules.moves import Move
from games.rules.shuffle import Source
from games.rules.view import SeatView


class RandomBot:
    """Does anything that it may do, each as likely.

    A seat that is not awaited but may take a hand does so once in as many times as there are
    cards in all hands. More often, and the first leads of a deal would already empty the table.
    """

    def choose(self, view: SeatView, source: Source) -> Move | None:
        """Return any legal move, or None to leave a hand alone."""
        if view.must_play:
            return view.legal[source(len(view.legal))]
        return view.take if view.take and source(sum(view.counts)) == 0 else None
