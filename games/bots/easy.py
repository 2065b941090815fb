"""The easy bot: the medium one on a bad day."""

from typing import Final

from games.bots.medium import MediumBot
from games.rules.moves import Move, Play
from games.rules.shuffle import Source
from games.rules.view import SeatView

SLIPS: Final = 30
"""How many plays in a hundred are any legal card."""


class EasyBot(MediumBot):
    """Plays as the medium bot does, but 30 % of the time a random legal card instead."""

    def choose(self, view: SeatView, source: Source) -> Move | None:
        """Return the medium bot's move, or any legal card."""
        if view.must_play and source(100) < SLIPS:
            cards = view.playable
            return Play(view.seat, cards[source(len(cards))])
        return super().choose(view, source)
