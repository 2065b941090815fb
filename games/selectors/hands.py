"""The viewer's own hand, as a page shows it (R1 to R5, R44)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.rules.cards import Card, Suit
from games.rules.view import SeatView
from games.selectors.cast import Cast, cards_text
from games.selectors.faces import SUIT_ORDER, HandCard, HandRow, Lie, face_of, in_page_order

_STATES: Final = {"play": "playable", "foul": "a foul", "no": "not now"}


def hand_rows(view: SeatView, cast: Cast, lie: Lie, new: Mapping[Card, int]) -> tuple[HandRow, ...]:
    """Return a row for each suit that the viewer holds; *new* says how many of a card came since their last play."""
    cards = in_page_order(view.hand, lie)
    why = {each.card: _why(each.code, each.sentence, view, cast) for each in view.refusals}
    rows = ((suit, [card for card in cards if card.suit is suit]) for suit in SUIT_ORDER)
    return tuple(_row(suit, mine, view, why, new) for suit, mine in rows if mine)


def led_suit(view: SeatView) -> Suit | None:
    """Return the suit of the trick on the table; its first card always lies open."""
    return view.table[0].card.suit if view.table and view.table[0].card else None


def _row(suit: Suit, mine: Sequence[Card], view: SeatView, why: Mapping[Card, str], new: Mapping[Card, int]) -> HandRow:
    word, led = suit.word.capitalize(), led_suit(view) is suit
    cards = tuple(
        _card(card, copy, view, why.get(card, ""), f"{at} of {len(mine)} in {suit.word}", new=fresh)
        for at, (card, copy, fresh) in enumerate(_copies(mine, new), start=1)
    )
    return HandRow(suit.value, f"{word}, {cards_text(len(mine))}", led, led and len(mine) <= 7, cards)


def _copies(mine: Sequence[Card], new: Mapping[Card, int]) -> Iterator[tuple[Card, int, bool]]:
    """Number the copies of each card, and say which are new: the last ones, so that no old one changes its place."""
    count, seen = Counter(mine), Counter[Card]()
    for card in mine:
        seen[card] += 1
        yield card, seen[card], seen[card] > count[card] - new.get(card, 0)


def _card(card: Card, copy: int, view: SeatView, why: str, where: str, *, new: bool) -> HandCard:
    playable, face = view.playable, face_of(card)
    kind = "play" if card in playable else "foul" if card in view.fouls else "no"
    drawn = view.drawn is card
    marks = [word for word, marked in (("drawn", drawn), ("new", new)) if marked]
    words = [face.name.capitalize(), _STATES[kind], *marks, where]
    return HandCard(
        face,
        kind,
        f"card-{card.code}-{copy}",
        ", ".join(words),
        why,
        drawn,
        new,
        only=kind == "play" and len(playable) == 1,
    )


def _why(code: str, sentence: str, view: SeatView, cast: Cast) -> str:
    """Return why a card is refused, naming whom to wait for."""
    if code != "not_your_turn":
        return sentence
    whose = f"{cast.plain(view.awaited[0])}\u2019s turn" if len(view.awaited) == 1 else "not your turn yet"
    return f"Wait: it is {whose}."
