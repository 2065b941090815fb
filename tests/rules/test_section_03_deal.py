"""Section 3 of the rules: ranks, the deal, the opener."""

from collections import Counter

import pytest

from games.rules.cards import PACK, Card, card, hand_of
from games.rules.deal import check_deal, deal_hands, full_deck, next_dealer, opener, seats_after, start
from games.rules.errors import RecordError
from games.rules.ruleset import Ruleset

ONE, TWO = Ruleset(), Ruleset(packs=2)
BACKWARDS = Ruleset(direction="anticlockwise")


def problem(rules: Ruleset, dealer: int, hands: list[tuple[Card, ...]]) -> str:
    with pytest.raises(RecordError) as caught:
        start(rules, dealer, hands)
    return str(caught.value)


def test_cards_rank_from_ace_to_two_and_there_are_no_jokers() -> None:
    spades = sorted((each for each in PACK if each.code[1] == "S"), key=lambda each: -each.rank)
    assert "".join(each.code[0] for each in spades) == "AKQJT98765432"
    assert Counter(each.suit for each in PACK) == dict.fromkeys({each.suit for each in PACK}, 13)
    assert len(set(PACK)) == 52


def test_packs() -> None:
    assert Counter(full_deck(ONE)) == dict.fromkeys(PACK, 1)
    assert Counter(full_deck(TWO)) == dict.fromkeys(PACK, 2)


@pytest.mark.parametrize(("rules", "order"), [(ONE, (3, 4, 0, 1, 2)), (BACKWARDS, (1, 0, 4, 3, 2))])
def test_dealt_singly_in_play_order_from_the_seat_after_the_dealer(rules: Ruleset, order: tuple[int, ...]) -> None:
    assert seats_after(rules, 5, 2) == order
    hands = deal_hands(rules, 5, 2, PACK)
    for number, each in enumerate(PACK):
        assert each in hands[order[number % 5]]
    assert [len(hands[seat]) for seat in order] == [11, 11, 10, 10, 10]


@pytest.mark.parametrize("players", range(3, 13))
def test_hands_differ_by_one_card_at_most(players: int) -> None:
    rules = TWO if players > 8 else ONE
    sizes = [len(hand) for hand in deal_hands(rules, players, 0, full_deck(rules))]
    assert sum(sizes) == 52 * rules.packs
    assert max(sizes) - min(sizes) <= 1


def test_the_deal_goes_round_in_play_order() -> None:
    assert [next_dealer(ONE, 4, dealer) for dealer in range(4)] == [1, 2, 3, 0]
    assert [next_dealer(BACKWARDS, 4, dealer) for dealer in range(4)] == [3, 0, 1, 2]


def test_the_opener_is_the_first_after_the_dealer_with_an_ace_of_spades() -> None:
    hands = [hand_of(text) for text in ("AS 2C", "3C 4C", "AS 5C", "6C 7C", "8C 9C")]
    assert [opener(TWO, dealer, hands) for dealer in range(5)] == [2, 2, 0, 0, 0]
    back = Ruleset(packs=2, direction="anticlockwise")
    assert [opener(back, dealer, hands) for dealer in range(5)] == [2, 0, 0, 2, 2]


def test_a_game_starts_with_the_opener_awaited() -> None:
    hands = deal_hands(ONE, 4, 1, PACK)
    state = start(ONE, 1, hands)
    assert card("AS") in state.hands[state.power]
    assert (state.awaited, state.tricks, state.entries, state.away) == ((state.power,), 0, 0, ())
    assert start(ONE, 1, [hand[::-1] for hand in hands]) == state


@pytest.mark.parametrize(
    ("rules", "players", "sentence"),
    [
        (ONE, 2, "With packs: 1, 3 to 8 seats may play, not 2."),
        (ONE, 9, "With packs: 1, 3 to 8 seats may play, not 9."),
        (TWO, 4, "With packs: 2, 5 to 12 seats may play, not 4."),
        (TWO, 13, "With packs: 2, 5 to 12 seats may play, not 13."),
        (ONE, 0, "With packs: 1, 3 to 8 seats may play, not 0."),
    ],
)
def test_wrong_numbers_of_seats(rules: Ruleset, players: int, sentence: str) -> None:
    with pytest.raises(RecordError) as caught:
        deal_hands(rules, players, 0, full_deck(rules))
    assert (caught.value.code, str(caught.value)) == ("seats", sentence)
    assert problem(rules, 0, [()] * players) == sentence


@pytest.mark.parametrize("dealer", [-1, 4, 99])
def test_a_dealer_who_is_not_there(dealer: int) -> None:
    assert problem(ONE, dealer, list(deal_hands(ONE, 4, 0, PACK))) == f"There is no seat {dealer} to deal."


def test_wrong_deals() -> None:
    right = list(deal_hands(ONE, 5, 0, PACK))
    short = [right[0][1:], *right[1:]]
    assert problem(ONE, 0, short) == f"The hands hold the {right[0][0].name} 0 times; 1 is right."
    double = [(*right[0], right[1][0]), right[1][1:], *right[2:]]
    assert problem(ONE, 0, double) == "Seat 1 was dealt 10 cards and must have 11."
    assert problem(ONE, 3, right) == "Seat 4 was dealt 10 cards and must have 11."
    assert problem(TWO, 0, right) == "The hands hold the two of clubs 1 times; 2 is right."
    check_deal(ONE, 0, right)
