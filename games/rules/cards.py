"""Cards, suits and packs (rules.md 3.1, 12)."""

from collections.abc import Iterable
from enum import Enum
from typing import Final, final


class Suit(Enum):
    """One of the four suits; the value is its letter in a record."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    # Members are singletons, so identity is equality; Enum's own hash runs in Python and is slow.
    __hash__ = object.__hash__

    @property
    def word(self) -> str:
        """The suit as an English plural: "hearts"."""
        return self.name.lower()


RANK_LETTERS: Final = "23456789TJQKA"
_RANK_WORDS: Final = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)


@final
class Card:
    """A playing card. There is one object for each of the 52 faces, so `is` and `==` agree.

    Two packs hold two copies of a face; nothing tells them apart, and nothing may.
    """

    __slots__ = ("code", "index", "rank", "suit")

    code: str
    index: int
    rank: int
    suit: Suit

    def __init__(self, code: str, index: int, rank: int, suit: Suit) -> None:
        """Only this module makes cards; everybody else asks `card()`."""
        set_ = object.__setattr__
        set_(self, "code", code)
        set_(self, "index", index)
        set_(self, "rank", rank)
        set_(self, "suit", suit)

    def __setattr__(self, name: str, value: object) -> None:
        """Cards never change.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"a card's {name} cannot change")

    def __delattr__(self, name: str) -> None:
        """Cards lose nothing: a card that did would be lost to every game.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"a card's {name} cannot change")

    def __repr__(self) -> str:
        return self.code

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index

    def __reduce__(self) -> "tuple[object, tuple[str]]":
        return card, (self.code,)

    @property
    def name(self) -> str:
        """The card in English words: "queen of hearts"."""
        return f"{_RANK_WORDS[self.rank - 2]} of {self.suit.word}"


PACK: Final[tuple[Card, ...]] = tuple(
    Card(letter + suit.value, 13 * s + r, r + 2, suit)
    for s, suit in enumerate(Suit)
    for r, letter in enumerate(RANK_LETTERS)
)
_BY_CODE: Final = {each.code: each for each in PACK}

type Hand = tuple[Card, ...]
"""Cards in rising order of index; order means nothing (rules.md 12)."""


def card(code: str) -> Card:
    """Return the card of a two-character code such as "QH" (rules.md 12).

    Raises:
        ValueError: if there is no such card.
    """
    found = _BY_CODE.get(code)
    if found is None:
        raise ValueError("There is no such card.")
    return found


def hand_of(text: str) -> Hand:
    """Return the hand written as codes with spaces between: "AS KD 4C".

    Raises:
        ValueError: if one of them is no card.
    """
    return tuple(sorted(map(card, text.split())))


def hand_text(cards: Iterable[Card]) -> str:
    """Write cards as codes with spaces between, in the order given."""
    return " ".join(each.code for each in cards)


def with_cards(hand: Hand, more: Iterable[Card]) -> Hand:
    """Return the hand with more cards in it."""
    return tuple(sorted((*hand, *more)))


def without_card(hand: Hand, gone: Card) -> Hand:
    """Return the hand with one copy of a card taken out.

    Raises:
        ValueError: if the card is not in it.
    """
    at = hand.index(gone)
    return hand[:at] + hand[at + 1 :]


def has_suit(hand: Hand, suit: Suit) -> bool:
    """Say whether the hand holds a card of the suit."""
    return any(each.suit is suit for each in hand)


ACE_OF_SPADES: Final = card("AS")
