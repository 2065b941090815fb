"""Who wins a trick and what stops it (rules.md 6, 9)."""

from collections.abc import Sequence

from games.rules.cards import Card, Suit
from games.rules.moves import Play


def winning_play(plays: Sequence[Play], trump: Suit | None) -> Play:
    """Return the play that wins so far: the highest trump, else the highest of the led suit.

    Of equal cards the one played first ranks higher (rules.md 6.6).
    """
    best = plays[0]
    for play in plays[1:]:
        card, top = play.card, best.card
        if card.suit is top.suit:
            if card.rank > top.rank:
                best = play
        elif card.suit is trump:
            best = play
    return best


def is_tochoo(card: Card, led: Suit, trump: Suit | None) -> bool:
    """Say whether a card played to a trick is a tochoo (rules.md 6.2, 9.4)."""
    return card.suit is not led and card.suit is not trump


def proved_by(card: Card, led: Suit, trump: Suit | None) -> tuple[Suit, ...]:
    """Return the suits that a seat is proved not to hold by a legal card (rules.md 6.2, 9.2)."""
    if card.suit is led:
        return ()
    return (led,) if trump is None or card.suit is trump else (led, trump)
