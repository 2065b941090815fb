"""The medium bot: looks one card ahead, with a good memory and an eye for the odds."""

from typing import Final

from games.bots.guess import Guess
from games.bots.risk import makes_trump, risk_of
from games.rules.cards import PACK, Card
from games.rules.moves import Move, Play
from games.rules.shuffle import Source
from games.rules.view import SeatView

# Everything is counted in cards: holding one card more is a loss of 1.
RELIEF: Final = 4
"""What it is worth to be rid of the most dangerous card there is."""

PICK_UP: Final = 2
"""What a pick-up costs beside its cards: it brings the power, and so the next risk."""

ALL: Final = 100
"""What a pick-up costs that ends the game: more than any hand."""

SMALL_HAND: Final = 4
"""Up to so many cards a neighbour's hand is worth taking."""


class MediumBot:
    """Weighs each card that it may play: relief if it goes, against the risk that it comes back."""

    def choose(self, view: SeatView, source: Source) -> Move | None:
        """Return the card that promises most, or a hand worth taking."""
        if view.take is not None and should_take(view):
            return view.take
        if not view.must_play:
            return None
        cards = view.playable
        if len(cards) == 1:
            return Play(view.seat, cards[0])
        if weary(view) and source(5) == 0:
            return Play(view.seat, cards[source(len(cards))])
        guess = Guess(view)
        return Play(view.seat, max(cards, key=lambda card: worth(view, guess, card)))


def weary(view: SeatView) -> bool:
    """Say whether a game has lasted longer than nearly all do: more tricks than there are cards.

    Bots that always answer alike can pass the same few cards round for ever (rules.md 8.3). From
    then on one card in five is any card, and that ends every game soon.
    """
    return view.tricks > len(PACK) * view.rules.packs


def should_take(view: SeatView) -> bool:
    """Say whether to take the next seat's hand: it is small, and we shall probably lose.

    Three are left, and we hold more than the two others together: in simulated games such a
    seat loses 70 times in 100, and a little less often after taking. With two left, taking
    concedes; with four or more it only makes matters worse.
    """
    left = view.players - len(view.away)
    small = view.counts[view.next_seat(view.seat)] <= SMALL_HAND
    return left == 3 and small and 2 * len(view.hand) > sum(view.counts)


def worth(view: SeatView, guess: Guess, card: Card) -> float:
    """Return what playing a card now promises, in cards."""
    risk = risk_of(view, guess, card)
    loss = risk.cards + risk.chance * (ALL if _any_tochoo_ends(view) else PICK_UP)
    return (1 - risk.chance) * RELIEF * (danger(view, guess, card) + shortness(view, card)) - loss


def danger(view: SeatView, guess: Guess, card: Card) -> float:
    """Return how dangerous a card is to keep, about 0 to 1; a trump, one more.

    Half is its rank. Half is its place among the cards of its suit that are still out: each
    lower one is a card that others can play under it. A trump also wins the tricks of other suits.
    """
    lower, higher = guess.lower_out(card), guess.higher_out(card)
    place = (lower + 1) / (lower + higher + 1)
    return (card.rank / 14 + place) / 2 + (card.suit is view.trump)


def shortness(view: SeatView, card: Card) -> float:
    """Return what is gained by coming nearer to a void, where tochoos come from.

    In Donkey a void is where trumps come from, so the suit to make trump is above all a short
    one: each card of it in hand will have to be played over somebody.
    """
    length = sum(each.suit is card.suit for each in view.hand)
    return -0.3 * length if makes_trump(view, card) else 0.3 / length


def _any_tochoo_ends(view: SeatView) -> bool:
    return view.rules.two_left == "any_tochoo" and view.players - len(view.away) == 2
