"""Small positions in the middle of a game, and games written in a few letters."""

from typing import Any

import pytest

from games.rules.cards import Suit, card, hand_of, hand_text
from games.rules.engine import apply
from games.rules.errors import IllegalMove
from games.rules.events import Event
from games.rules.knowledge import Known
from games.rules.legality import foul_cards, legal_moves
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from tests.views import entry_text


def position(
    *hands: str, leader: int = 0, tricks: int = 1, waste: str = "", trump: str = "", dealer: int = 0, **options: Any
) -> GameState:
    """A game before a lead; a seat whose hand is "-" has got away. Cards that no seat needs are left out."""
    cards = tuple(hand_of(hand.replace("-", "")) for hand in hands)
    return GameState(
        rules=Ruleset(**options),
        players=len(hands),
        dealer=dealer,
        hands=cards,
        known=(Known(),) * len(hands),
        power=leader,
        waste=tuple(card(code) for code in waste.split()),
        tricks=tricks,
        trump=Suit(trump) if trump else None,
        away=tuple(seat for seat, hand in enumerate(hands) if hand == "-"),
    )


def entry(text: str) -> Entry:
    """ "0 AS" is a play, "1 takes 2" and "0 draws 7H" are what they say."""
    match text.split():
        case [seat, "takes", victim]:
            return Take(int(seat), int(victim))
        case [seat, "draws", code]:
            return Draw(int(seat), card(code))
        case [seat, code]:
            return Play(int(seat), card(code))
        case _:
            raise ValueError(text)


def after(state: GameState, *entries: str) -> GameState:
    for text in entries:
        state = apply(state, entry(text))
    return state


def refused(state: GameState, text: str) -> tuple[str, str]:
    """The code and the sentence with which an entry is refused."""
    with pytest.raises(IllegalMove) as caught:
        apply(state, entry(text))
    return caught.value.code, str(caught.value)


def hands(state: GameState) -> list[str]:
    return [hand_text(hand) for hand in state.hands]


def table(state: GameState) -> str:
    return hand_text(play.card for play in state.trick)


def waste(state: GameState) -> str:
    return hand_text(sorted(state.waste))


def legal(state: GameState, seat: int) -> str:
    """What a seat may do without a foul: "7H 9H takes 2"."""
    moves = [entry_text(move).split(maxsplit=1)[1] for move in legal_moves(state, seat)]
    return " ".join(moves).replace("plays ", "")


def fouls(state: GameState, seat: int) -> str:
    return hand_text(foul_cards(state, seat))


def lost(state: GameState) -> tuple[tuple[int, ...], int | None, int | None]:
    """Who got away in which order, who lost, and with how many cards."""
    assert state.result is not None
    return state.result.away, state.result.loser, state.result.cards_left


def events[T: Event](state: GameState, kind: type[T]) -> list[T]:
    return [event for event in state.events if isinstance(event, kind)]
