"""What a view makes likely about the cards that a seat cannot see."""

from math import comb

from games.rules.cards import Card, Suit
from games.rules.view import SeatView


class Guess:
    """Chances, as a player with a good memory would count them.

    A card that the seat has lost sight of lies in one of the other hands, and is as likely in
    every place there that is not proved void of its suit.
    """

    def __init__(self, view: SeatView) -> None:
        self._known = view.known
        self._voids = view.voids
        self._unseen = _ranks(view.unseen)
        self._out = _ranks(
            (*view.unseen, *(each for seat, known in enumerate(view.known) if seat != view.seat for each in known))
        )
        hidden = [count - len(known) for count, known in zip(view.counts, view.known, strict=True)]
        hidden[view.seat] = 0
        self._hidden = hidden
        self._places = {
            suit: sum(n for n, voids in zip(hidden, view.voids, strict=True) if suit not in voids) for suit in Suit
        }

    def void(self, seat: int, suit: Suit) -> float:
        """Return the chance that another seat holds no card of a suit."""
        if suit in self._voids[seat]:
            return 1.0
        if self._known_ranks(seat, suit):
            return 0.0
        return self._none_of(len(self._unseen[suit]), seat, suit)

    def must_go_over(self, seat: int, card: Card) -> float:
        """Return the chance that another seat, if it holds the card's suit, holds only higher ones."""
        known = self._known_ranks(seat, card.suit)
        if any(rank <= card.rank for rank in known) or card.suit in self._voids[seat]:
            return 0.0
        unseen = self._unseen[card.suit]
        void = 0.0 if known else self._none_of(len(unseen), seat, card.suit)
        # Of equal cards the later one ranks lower (rules.md 6.6).
        none_under = self._none_of(sum(rank <= card.rank for rank in unseen), seat, card.suit)
        return (none_under - void) / (1 - void) if void < 1 else 0.0

    def lower_out(self, card: Card) -> int:
        """Return how many lower cards of its suit the others hold."""
        return sum(rank < card.rank for rank in self._out[card.suit])

    def higher_out(self, card: Card) -> int:
        """Return how many higher cards of its suit the others hold."""
        return sum(rank > card.rank for rank in self._out[card.suit])

    def _known_ranks(self, seat: int, suit: Suit) -> list[int]:
        return [each.rank for each in self._known[seat] if each.suit is suit]

    def _none_of(self, cards: int, seat: int, suit: Suit) -> float:
        """Return the chance that none of so many unseen cards of a suit is in a seat's hand."""
        places, mine = self._places[suit], self._hidden[seat]
        return comb(max(places - cards, 0), mine) / comb(places, mine)


def _ranks(cards: tuple[Card, ...]) -> dict[Suit, list[int]]:
    return {suit: [each.rank for each in cards if each.suit is suit] for suit in Suit}
