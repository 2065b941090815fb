"""Cards, rulesets, entries and states are values: nothing changes them, and copies are as good as they."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from random import Random

import pytest

from games.rules.cards import PACK, Card, Suit, card, hand_of, hand_text, with_cards, without_card
from games.rules.engine import apply
from games.rules.moves import Draw, Play, Take
from games.rules.outcome import Result
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.rules.view import open_view, public_view, seat_view
from tests.random_games import random_entry, random_game, random_start
from tests.rules.positions import after, position

COPIES: list[Callable[[object], object]] = [
    copy.copy,
    copy.deepcopy,
    lambda value: pickle.loads(pickle.dumps(value)),
]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_a_card_is_the_card(copied: Callable[[object], object]) -> None:
    for each in PACK:
        assert copied(each) is each
        assert card(each.code) is each
    assert copied(Suit.HEARTS) is Suit.HEARTS


def test_cards_never_change() -> None:
    for name in ("code", "rank", "suit", "index", "colour"):
        with pytest.raises(AttributeError, match="cannot change"):
            setattr(card("QH"), name, 1)
        with pytest.raises(AttributeError, match="cannot change"):
            delattr(card("QH"), name)
    assert (card("QH").code, card("QH").rank, card("QH").suit) == ("QH", 12, Suit.HEARTS)


def test_cards_say_what_they_are() -> None:
    assert card("QH").name == "queen of hearts"
    assert card("TC").name == "ten of clubs"
    assert repr(card("2S")) == "2S"
    assert len({each.name for each in PACK}) == 52
    assert hand_text(hand_of("AS 2C QH 2C")) == "2C 2C QH AS"


@pytest.mark.parametrize("code", ["", "A", "1S", "as", "AS ", "10H", "SA", "XX", "AS AS", "♠A", "\x00"])
def test_what_is_no_card(code: str) -> None:
    with pytest.raises(ValueError, match="There is no such card"):
        card(code)


def test_hands() -> None:
    assert hand_text(with_cards(hand_of("AS 2C"), (card("2C"), card("KH")))) == "2C 2C KH AS"
    assert hand_text(without_card(hand_of("2C 2C AS"), card("2C"))) == "2C AS"
    with pytest.raises(ValueError, match="not in"):
        without_card(hand_of("2C"), card("AS"))


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Ruleset(), "packs"),
        (Play(0, card("AS")), "seat"),
        (Take(0, 1), "victim"),
        (Draw(0, card("AS")), "card"),
        (Result((0,), 1, void=False, cards_left=2), "loser"),
        (public_view(position("2C", "3C", "4C")), "version"),
        (seat_view(position("2C", "3C", "4C"), 0), "hand"),
    ],
)
def test_frozen_values_refuse_to_change(value: object, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)


def test_a_state_refuses_to_change() -> None:
    state = position("2C", "3C", "4C")
    for name in GameState._fields:
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    with pytest.raises(TypeError):
        state.hands[0] = ()  # type: ignore[index]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copied_state_is_equal_and_plays_on(copied: Callable[[object], object]) -> None:
    for seed in range(20):
        state = random_start(Random(seed))
        for entry in list(random_game(state, Random(seed)))[:30]:
            state = apply(state, entry)
        other = copied(state)
        assert other == state
        assert isinstance(other, GameState)
        assert all(
            mine is theirs
            for one, two in zip(state.hands, other.hands, strict=True)
            for mine, theirs in zip(one, two, strict=True)
        )
        if state.result is None:
            entry = random_entry(state, Random(seed))
            assert apply(other, entry) == apply(state, entry)


def test_an_entry_leaves_the_state_before_as_it_was() -> None:
    for seed in range(20):
        state = random_start(Random(seed))
        for entry in list(random_game(state, Random(seed))):
            before = pickle.dumps(state)
            later = apply(state, entry)
            assert pickle.dumps(state) == before
            assert later != state
            state = later


def test_the_repr_of_secrets_shows_counts_only() -> None:
    state = random_start(Random(1), Ruleset(), 4)
    assert repr(state) == "<GameState after 0 entries, cards 13 13 13 13>"
    assert str(state) == f"{state}" == repr(state)
    over = after(position("5H", "-", "9H 2C"), "0 5H", "2 9H")
    assert repr(over) == "<GameState after 2 entries, cards 0 0 1>"


def test_hands_are_open_when_the_game_is_over_and_not_before() -> None:
    state = position("5H", "-", "9H 2C")
    assert public_view(state).hands is None
    over = after(state, "0 5H", "2 9H")
    assert public_view(over).hands == ((), (), (card("2C"),))
    assert open_view(over).hands == over.hands


def test_a_card_is_made_in_one_place_only() -> None:
    assert isinstance(card("AS"), Card)
    assert len({id(each) for each in PACK}) == 52
