"""The random bot: the measure of the others, and a cheap way to walk through the rules."""

from games.rules.moves import Move, Play
from games.rules.shuffle import Source
from games.rules.view import SeatView


class RandomBot:
    """Plays any card that it may play, each as likely.

    Whenever it may take a hand it does so once in as many times as there are cards in all
    hands: one chance among many, as if every card at the table were as good. With a take as
    likely as each of its own cards, half of all openers would take before they lead their ace.
    """

    def choose(self, view: SeatView, source: Source) -> Move | None:
        """Return any legal card, seldom a hand to take, or None to leave a hand alone."""
        if view.take is not None and source(sum(view.counts)) == 0:
            return view.take
        if not view.must_play:
            return None
        cards = view.playable
        return Play(view.seat, cards[source(len(cards))])
