"""The viewer's own hand, as a page shows it (R1 to R5, R44)."""

from collections import Counter
from typing import Final

from games.rules.cards import Card, Suit
from games.rules.view import SeatView
from games.selectors.cast import Cast, cards_text
from games.selectors.faces import SUIT_ORDER, HandCard, HandRow, face_of, in_page_order

_STATES: Final = {"play": "playable", "foul": "a foul", "no": "not now"}


def hand_rows(view: SeatView, cast: Cast) -> tuple[HandRow, ...]:
    """Return a row for each suit that the viewer holds."""
    cards, copies = in_page_order(view.hand), Counter[Card]()
    why = {each.card: _why(each.code, each.sentence, view, cast) for each in view.refusals}
    rows = []
    for suit in SUIT_ORDER:
        mine = [card for card in cards if card.suit is suit]
        if mine:
            rows.append(_row(suit, mine, view, why, copies))
    return tuple(rows)


def led_suit(view: SeatView) -> Suit | None:
    """Return the suit of the trick on the table; its first card always lies open."""
    return view.table[0].card.suit if view.table and view.table[0].card else None


def _row(suit: Suit, mine: list[Card], view: SeatView, why: dict[Card, str], copies: Counter[Card]) -> HandRow:
    word, led = suit.word.capitalize(), led_suit(view) is suit
    cards = tuple(
        _card(card, view, why.get(card, ""), copies, f"{at} of {len(mine)} in {suit.word}")
        for at, card in enumerate(mine, start=1)
    )
    return HandRow(suit.value, f"{word}, {cards_text(len(mine))}", led, led and len(mine) <= 7, cards)


def _card(card: Card, view: SeatView, why: str, copies: Counter[Card], where: str) -> HandCard:
    copies[card] += 1
    playable, face = view.playable, face_of(card)
    kind = "play" if card in playable else "foul" if card in view.fouls else "no"
    drawn = view.drawn is card
    words = [face.name.capitalize(), _STATES[kind], *(["drawn"] if drawn else []), where]
    return HandCard(
        face,
        kind,
        f"card-{card.code}-{copies[card]}",
        ", ".join(words),
        why,
        drawn,
        only=kind == "play" and len(playable) == 1,
    )


def _why(code: str, sentence: str, view: SeatView, cast: Cast) -> str:
    """Return why a card is refused, naming whom to wait for."""
    if code != "not_your_turn":
        return sentence
    whose = f"{cast.plain(view.awaited[0])}\u2019s turn" if len(view.awaited) == 1 else "not your turn yet"
    return f"Wait: it is {whose}."
