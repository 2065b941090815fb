"""Section 4 of the rules: taking the next seat's hand."""

import pytest

from games.rules.events import GotAway, HandTaken, PowerPassed
from games.rules.state import GameState
from tests.rules.positions import after, events, hands, legal, lost, position, refused

HANDS = ("4H 5H", "6H 7H", "8H 9H", "TH JH")


def opening(*hands: str, **options: object) -> GameState:
    return position(*hands, tricks=0, **options)  # type: ignore[arg-type]


def test_a_seat_takes_the_whole_hand_of_the_next_which_has_got_away() -> None:
    state = after(position(*HANDS), "1 takes 2")
    assert hands(state) == ["4H 5H", "6H 7H 8H 9H", "", "TH JH"]
    assert (state.away, state.power, state.awaited) == ((2,), 0, (0,))
    assert state.events == (HandTaken(1, 2, 2), GotAway(2, 1))


def test_before_any_trick_while_no_card_of_it_lies_on_the_table() -> None:
    state = position(*HANDS)
    assert [legal(state, seat) for seat in range(4)] == ["4H 5H takes 1", "takes 2", "takes 3", "takes 0"]
    state = after(state, "0 4H")
    assert [legal(state, seat) for seat in range(4)] == ["", "6H 7H", "", ""]
    late = ("take_too_late", "A card lies on the table: take a hand before the next lead.")
    assert refused(state, "1 takes 2") == late
    assert refused(state, "0 takes 1") == late
    state = after(state, "1 6H", "2 8H", "3 TH")
    assert legal(state, 0) == "takes 1"


def test_before_the_opening_trick_too() -> None:
    state = opening("AS 5H", "6H 7H", "8H 9H")
    assert [legal(state, seat) for seat in range(3)] == ["AS takes 1", "takes 2", "takes 0"]
    assert hands(after(state, "1 takes 2")) == ["5H AS", "6H 7H 8H 9H", ""]
    assert refused(after(state, "0 AS"), "1 takes 2")[0] == "take_too_late"


def test_the_first_lead_closes_the_window_of_an_opening_in_any_order_too() -> None:
    state = after(opening("AS 5H", "6H 7H", "8H 9H", opening="any_order"), "0 AS")
    assert [legal(state, seat) for seat in range(3)] == ["", "6H 7H", "8H 9H"]
    assert refused(state, "1 takes 2")[0] == "take_too_late"


def test_only_the_hand_of_the_next_seat() -> None:
    wrong = ("take_not_next", "Only the hand of the next seat may be taken.")
    for victim in (0, 1, 3, -1, 9):
        assert refused(position(*HANDS), f"1 takes {victim}") == wrong
    assert refused(position(*HANDS, direction="anticlockwise"), "1 takes 2") == wrong
    assert after(position(*HANDS, direction="anticlockwise"), "1 takes 0").away == (0,)


def test_the_next_seat_is_the_nearest_that_has_not_got_away() -> None:
    state = position("4H", "-", "-", "TH", "JH")
    assert legal(state, 0) == "4H takes 3"
    assert legal(position("4H", "-", "-", "TH", "JH", direction="anticlockwise"), 3) == "takes 0"
    for text in ("1 takes 3", "2 takes 3"):
        assert refused(state, text) == ("away", "This seat has got away and has no cards to play.")


def test_again_and_again_by_one_seat_or_several() -> None:
    state = after(position("4H", "5H", "6H", "7H", "8H", "9H"), "1 takes 2", "1 takes 3", "4 takes 5")
    assert hands(state) == ["4H", "5H 6H 7H", "", "", "8H 9H", ""]
    assert state.away == (2, 3, 5)
    assert hands(after(state, "4 takes 0", "4 takes 1")) == ["", "", "", "", "4H 5H 6H 7H 8H 9H", ""]


def test_who_takes_the_hand_with_the_power_has_the_power() -> None:
    state = after(position(*HANDS), "3 takes 0")
    assert (state.power, state.awaited, state.away) == (3, (3,), (0,))
    assert events(state, PowerPassed) == [PowerPassed(3)]
    assert legal(state, 3) == "4H 5H TH JH takes 1"
    assert not events(after(position(*HANDS), "0 takes 1"), PowerPassed)


def test_before_the_opening_trick_the_opener_is_found_anew() -> None:
    state = opening("2H", "AS 3H", "4H")
    assert after(position("2H", "AS 3H", "4H", tricks=0, leader=1), "0 takes 1").power == 0
    assert after(state._replace(power=1), "2 takes 0").power == 1


def test_with_two_packs_the_new_opener_need_not_be_the_taker() -> None:
    dealt = ("2H", "AS 3H", "4H", "AS 5H", "6H")
    state = position(*dealt, tricks=0, leader=1, packs=2)
    state = after(state, "0 takes 1")
    assert (hands(state)[0], state.power) == ("2H 3H AS", 3)
    assert events(state, PowerPassed) == [PowerPassed(3)]
    assert refused(state, "0 AS") == ("not_your_turn", "It is not your turn: wait for the other seat.")
    assert after(state, "3 AS").trick
    assert after(state, "2 takes 3").power == 2


@pytest.mark.parametrize("taking", ["anyone", "leader", "off"])
def test_who_may_take(taking: str) -> None:
    state = position(*HANDS, leader=2, taking=taking)
    takers = [seat for seat in range(4) if "takes" in legal(state, seat)]
    assert takers == {"anyone": [0, 1, 2, 3], "leader": [2], "off": []}[taking]
    told = {
        "leader": ("take_leader", "Only the seat with the power may take a hand here."),
        "off": ("taking_off", "Taking a hand is not played at this table."),
    }
    if taking != "anyone":
        assert refused(state, "1 takes 2") == told[taking]


def test_the_leader_before_the_opening_trick_is_the_opener() -> None:
    state = opening("2H", "AS 3H", "4H 5H")._replace(power=1)
    state = state._replace(rules=position("2H", taking="leader").rules)
    assert [legal(state, seat) for seat in range(3)] == ["", "AS takes 2", ""]


def test_nobody_takes_while_a_draw_is_due_or_a_drawn_card_waits() -> None:
    sentence = "Nobody may take a hand until the drawn card is led."
    state = after(position("KH", "5H 2C", "9H 3C", waste="4D"), "0 KH", "1 5H", "2 9H")
    for moment in (state, after(state, "0 draws 4D")):
        assert "takes" not in "".join(legal(moment, seat) for seat in range(3))
        for text in ("0 takes 1", "1 takes 2", "2 takes 0"):
            assert refused(moment, text) == ("take_draw", sentence)


def test_with_two_left_taking_concedes() -> None:
    state = after(position("4H 5H", "-", "8H 9H TH", leader=2), "0 takes 2")
    assert lost(state) == ((1, 2), 0, 5)
    assert refused(state, "0 4H") == ("over", "The game is over: start a new one.")
    assert lost(after(position("4H 5H", "-", "8H", leader=0), "0 takes 2")) == ((1, 2), 0, 3)


def test_a_seat_that_is_not_there_takes_nothing() -> None:
    for text in ("7 takes 0", "-1 takes 0"):
        assert refused(position(*HANDS), text) == ("no_seat", "There is no such seat at this table.")
