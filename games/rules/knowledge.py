"""What everybody at the table can prove about a hand (R17 of the brief).

A hand is a known part, cards that everybody saw go into it, and a hidden part. `Known` keeps
the known cards, and the suits that the hidden part cannot hold. Every step below follows from
what lies open on the table, so a void shown is a void proved.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from games.rules.cards import Card, Hand, Suit, with_cards, without_card

ALL_SUITS: Final = frozenset(Suit)


class Known(NamedTuple):
    """Public knowledge of one hand: its known cards, and the voids of its hidden part."""

    cards: Hand = ()
    voids: frozenset[Suit] = frozenset()

    def holds(self, count: int) -> bool:
        """Say whether a hand of `count` cards is known whole."""
        return len(self.cards) == count

    def hidden_voids(self, count: int) -> frozenset[Suit]:
        """Return the suits that the hidden part of a hand of `count` cards cannot hold."""
        return ALL_SUITS if self.holds(count) else self.voids

    def proved_voids(self, count: int) -> frozenset[Suit]:
        """Return the suits that a hand of `count` cards is proved not to hold."""
        return self.hidden_voids(count) - {each.suit for each in self.cards}

    def played(self, card: Card, voids: Iterable[Suit] = ()) -> "Known":
        """Return what is known after the hand lost a card in the open, proving voids by it."""
        cards = without_card(self.cards, card) if card in self.cards else self.cards
        return Known(cards, self.voids.union(voids))

    def gained(self, cards: Iterable[Card]) -> "Known":
        """Return what is known after cards went into the hand in the open."""
        return Known(with_cards(self.cards, cards), self.voids)

    def lost(self, cards: Iterable[Card]) -> "Known":
        """Return what is known after known cards left the hand in the open."""
        left = self.cards
        for each in cards:
            left = without_card(left, each)
        return Known(left, self.voids)

    def shown(self, card: Card) -> "Known":
        """Return what is known after the hand showed a card and kept it (a foul)."""
        return self if card in self.cards else self.gained((card,))

    def blurred(self, count: int) -> "Known":
        """Return what is known after one unseen card of `count` left: any may be the one."""
        return Known((), self.proved_voids(count))

    def merged(self, count: int, other: "Known", other_count: int) -> "Known":
        """Return what is known of two hands put together, of these counts of cards."""
        return Known(
            with_cards(self.cards, other.cards),
            self.hidden_voids(count) & other.hidden_voids(other_count),
        )
