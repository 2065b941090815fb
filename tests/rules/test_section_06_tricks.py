"""Section 6 of the rules: every other trick."""

import pytest

from games.rules.events import PickedUp, Played, TrickWasted
from tests.rules.positions import after, events, hands, legal, position, refused, table, waste


def test_the_seat_with_the_power_leads_any_card() -> None:
    state = position("2C 7D QH AS", "3C", "4C", leader=0, taking="off")
    assert legal(state, 0) == "2C 7D QH AS"
    assert [legal(state, seat) for seat in (1, 2)] == ["", ""]
    assert refused(state, "1 3C") == ("not_your_turn", "It is not your turn: wait for the other seat.")


def test_each_next_seat_follows_suit_if_it_can_and_need_not_beat() -> None:
    state = after(position("7H 2C", "4H 9H 5S", "6S 8D", "2H", taking="off"), "0 7H")
    assert (state.awaited, legal(state, 1)) == ((1,), "4H 9H")
    assert refused(state, "1 5S") == ("follow_suit", "You hold hearts: follow hearts.")
    state = after(state, "1 4H")
    assert legal(state, 2) == "8D 6S"


@pytest.mark.parametrize(("direction", "order"), [("clockwise", [1, 3, 0]), ("anticlockwise", [1, 0, 3])])
def test_play_goes_round_past_seats_that_got_away(direction: str, order: list[int]) -> None:
    state = position("7H 2C", "4H 9H", "-", "2H 3H", leader=1, direction=direction)
    seen = []
    for _ in range(3):
        (seat,) = state.awaited
        seen.append(seat)
        state = after(state, f"{seat} {legal(state, seat).split()[0]}")
    assert seen == order


def test_a_tochoo_ends_the_trick_at_once_and_the_highest_takes_all() -> None:
    state = after(position("8H 2D", "QH 3D", "3C 4D", "KH 5D"), "0 8H", "1 QH", "2 3C")
    assert hands(state) == ["2D", "3C 3D 8H QH", "4D", "5D KH"]
    assert (state.power, state.awaited, table(state), waste(state), state.tricks) == (1, (1,), "", "", 2)
    assert [event.tochoo for event in events(state, Played)] == [True]
    assert [(event.seat, len(event.cards), event.from_seat) for event in events(state, PickedUp)] == [(1, 3, None)]


def test_the_second_card_may_be_the_tochoo() -> None:
    state = after(position("8H 2D", "3C 3D", "KH 4D"), "0 8H", "1 3C")
    assert hands(state) == ["3C 2D 8H", "3D", "4D KH"]
    assert state.power == 0


def test_finish_trick_goes_on_until_every_seat_has_played() -> None:
    state = position("8H 2D", "3C 3D", "KH 4D 5C", "9H TH", tochoo="finish_trick")
    state = after(state, "0 8H", "1 3C")
    assert (state.awaited, legal(state, 2), table(state)) == ((2,), "KH", "8H 3C")
    assert refused(state, "2 5C") == ("follow_suit", "You hold hearts: follow hearts.")
    state = after(state, "2 KH", "3 9H")
    assert hands(state) == ["2D", "3D", "3C 5C 4D 8H 9H KH", "TH"]
    assert (state.power, state.tricks, waste(state)) == (2, 2, "")


def test_a_clean_trick_goes_to_the_waste_and_its_highest_has_the_power() -> None:
    state = after(position("8H 2D", "QH 3D", "9H 4D", waste="2C"), "0 8H", "1 QH", "2 9H")
    assert (hands(state), waste(state), state.power) == (["2D", "3D", "4D"], "2C 8H 9H QH", 1)
    assert [event.winner for event in events(state, TrickWasted)] == [1]


def test_a_higher_card_of_another_suit_wins_nothing() -> None:
    state = after(position("2H 2D", "AS 3D", "9H 4D", tochoo="finish_trick"), "0 2H", "1 AS", "2 9H")
    assert state.power == 2


@pytest.mark.parametrize(("second", "third"), [("QH 3D", "QH 4D"), ("QH 3D", "9H 4D")])
def test_of_equal_cards_the_one_played_first_ranks_higher(second: str, third: str) -> None:
    state = position("8H 2D", second, third, "2H 5D", "3H 6D", packs=2)
    state = after(state, "0 8H", "1 QH", f"2 {third.split(maxsplit=1)[0]}", "3 2H", "4 3H")
    assert state.power == 1


def test_equal_cards_count_in_a_pick_up_too() -> None:
    state = after(position("QH 2D", "QH 3D", "4C 4D", "2H", "3H", packs=2), "0 QH", "1 QH", "2 4C")
    assert (state.power, hands(state)[0]) == (0, "4C 2D QH QH")


@pytest.mark.parametrize("text", ["0 2C", "1 3H", "2 9S", "3 2H", "9 2H", "-1 2H"])
def test_only_a_card_of_ones_own_hand(text: str) -> None:
    state = position("7H", "4H", "-", "2H")
    told = {
        "0 2C": ("not_held", "You do not hold the two of clubs: play a card from your hand."),
        "1 3H": ("not_held", "You do not hold the three of hearts: play a card from your hand."),
        "2 9S": ("away", "This seat has got away and has no cards to play."),
        "3 2H": ("not_your_turn", "It is not your turn: wait for the other seat."),
        "9 2H": ("no_seat", "There is no such seat at this table."),
        "-1 2H": ("no_seat", "There is no such seat at this table."),
    }
    assert refused(state, text) == told[text]


def test_with_two_packs_one_copy_of_two_is_played() -> None:
    state = after(position("7H 7H", "4H 5H", "8H 9H", "2H 3H", "TH JH", packs=2), "0 7H")
    assert (hands(state)[0], table(state)) == ("7H", "7H")
