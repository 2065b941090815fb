"""Section 7 of the rules: getting away, and the power with no card left."""

from typing import Any

import pytest

from games.rules.cards import card
from games.rules.events import CardDrawn, GotAway, PowerPassed
from games.rules.legality import draw_pool
from games.rules.state import GameState
from games.rules.view import public_view, seat_view
from tests.rules.positions import after, events, hands, legal, lost, position, refused, waste

POWERS = ["draw_waste", "draw_next", "escape_if_three", "escape"]


def won_with_the_last_card(power: str, *hands: str, **options: Any) -> GameState:
    """Seat 0 leads its last card to a clean trick of hearts and wins it."""
    state = position("KH", *(hands or ("5H 2C", "9H 3C")), waste="4D 6S", power=power, **options)
    state = after(state, "0 KH")
    while state.trick:
        (seat,) = state.awaited
        state = after(state, f"{seat} {legal(state, seat)}")
    return state


def test_empty_seats_without_the_power_get_away_in_the_order_in_which_they_played() -> None:
    state = position("2H", "KH 2C", "3H", "4H 4C", leader=2)
    state = after(state, "2 3H", "3 4H", "0 2H", "1 KH")
    assert (state.away, state.power) == ((2, 0), 1)
    assert events(state, GotAway) == [GotAway(2, 1), GotAway(0, 2)]


def test_empty_seats_get_away_from_a_pick_up_too() -> None:
    state = after(position("2H 2D", "KH 2C", "3C", "4H 4C"), "0 2H", "1 KH", "2 3C")
    assert (state.away, state.power) == ((2,), 1)
    state = after(position("2H", "KH", "3C", "4H 4C"), "0 2H", "1 KH", "2 3C")
    assert (state.away, state.power, hands(state)[1]) == ((0, 2), 1, "3C 2H KH")


def test_nobody_gets_away_before_the_trick_ends() -> None:
    state = after(position("2H", "3H", "4H 4C"), "0 2H", "1 3H")
    assert state.away == ()


def test_draw_waste_draws_without_the_trick_just_played_which_then_joins_the_waste() -> None:
    state = after(position("KH", "5H 2C", "9H 3C", waste="4D 6S"), "0 KH", "1 5H", "2 9H")
    assert (state.power, state.awaited, state.away) == (0, (), ())
    assert sorted(draw_pool(state)) == [card("4D"), card("6S")]
    for code in ("KH", "5H", "9H", "2C", "AS"):
        told = f"The {card(code).name} is not among the cards that can be drawn."
        assert refused(state, f"0 draws {code}") == ("draw_absent", told)
    state = after(state, "0 draws 6S")
    assert (hands(state)[0], waste(state), legal(state, 0)) == ("6S", "4D 5H 9H KH", "6S")
    assert events(state, CardDrawn) == [CardDrawn(0, card("6S"), None)]


def test_the_draw_is_entered_before_anything_else_and_by_the_seat_with_the_power() -> None:
    state = after(position("KH", "5H 2C", "9H 3C", waste="4D"), "0 KH", "1 5H", "2 9H")
    assert refused(state, "1 2C") == ("draw_due", "Wait: a card must be drawn first.")
    assert refused(state, "1 draws 4D") == ("draw_seat", "Only the seat with the power draws.")
    assert refused(position("KH", "5H"), "0 draws 4D") == ("no_draw_due", "No card is to be drawn now.")
    state = after(state, "0 draws 4D")
    assert refused(state, "0 draws 4D") == ("no_draw_due", "No card is to be drawn now.")


@pytest.mark.parametrize(("power", "code"), [("draw_waste", "6S"), ("draw_next", "2C")])
def test_the_drawn_card_must_be_led(power: str, code: str) -> None:
    state = won_with_the_last_card(power, "5H 2C 7C", "9H 3C")
    state = after(state, f"0 draws {code}")
    assert (state.awaited, legal(state, 0)) == ((0,), code)
    assert refused(state, "2 3C")[0] == "not_your_turn"
    assert hands(after(state, f"0 {code}"))[0] == ""


def test_a_drawn_card_that_is_beaten_lets_the_seat_get_away() -> None:
    state = after(position("KH", "5H 7D", "9H 8D 3C", waste="4D"), "0 KH", "1 5H", "2 9H", "0 draws 4D")
    state = after(state, "0 4D", "1 7D", "2 8D")
    assert (state.away, state.power) == ((0, 1), 2)


def test_a_drawn_card_that_is_highest_again_draws_again() -> None:
    state = after(position("KH", "5H 2D 7C", "9H 3D 3C", waste="4D"), "0 KH", "1 5H", "2 9H", "0 draws 4D")
    state = after(state, "0 4D", "1 2D", "2 3D")
    assert (state.due, state.away) == ("waste", ())
    assert sorted(each.code for each in draw_pool(state)) == ["5H", "9H", "KH"]


def test_a_drawn_card_that_meets_a_tochoo_is_picked_up_and_the_seat_leads_from_hand() -> None:
    state = after(position("KH", "5H 7C 8C", "9H 3C", waste="4D"), "0 KH", "1 5H", "2 9H", "0 draws 4D")
    state = after(state, "0 4D", "1 7C")
    assert (hands(state)[0], state.power, state.drawn) == ("7C 4D", 0, None)
    assert legal(state, 0) == "7C 4D takes 1"


def test_with_an_empty_waste_the_seat_gets_away_and_the_next_leads() -> None:
    state = position("AS", "5S 2C", "9S 3C", tricks=0, opening_tochoo="counts")
    state = after(state, "0 AS", "1 5S", "2 9S")
    assert (state.away, state.power, state.due, waste(state)) == ((0,), 1, None, "5S 9S AS")
    assert events(state, PowerPassed) == [PowerPassed(1)]


def test_draw_next_draws_from_the_hand_of_the_next_seat() -> None:
    state = won_with_the_last_card("draw_next", "5H 2C 7C", "9H 3C")
    assert [each.code for each in draw_pool(state)] == ["2C", "7C"]
    assert refused(state, "0 draws 3C")[0] == "draw_absent"
    assert refused(state, "0 draws 4D")[0] == "draw_absent"
    assert waste(state) == "4D 5H 9H KH 6S"
    state = after(state, "0 draws 7C")
    assert hands(state) == ["7C", "2C", "3C"]
    assert events(state, CardDrawn) == [CardDrawn(0, card("7C"), 1)]


def test_draw_next_of_the_last_card_lets_that_seat_get_away() -> None:
    state = after(won_with_the_last_card("draw_next"), "0 draws 2C")
    assert (hands(state), state.away) == (["2C", "", "3C"], (1,))
    assert events(state, GotAway) == [GotAway(1, 1)]
    assert after(state, "0 2C", "2 3C").result is not None


def test_draw_next_of_the_last_card_of_the_last_other_loses() -> None:
    state = after(won_with_the_last_card("draw_next", "-", "9H 3C"), "0 draws 3C")
    assert lost(state) == ((1, 2), 0, 1)
    assert refused(state, "0 3C")[0] == "over"


def test_draw_next_passes_over_seats_that_got_away_with_the_trick() -> None:
    state = won_with_the_last_card("draw_next", "5H", "9H 3C", "TH 4C")
    assert (state.away, [each.code for each in draw_pool(state)]) == ((1,), ["3C"])
    back = won_with_the_last_card("draw_next", "5H 2C", "9H 3C", "TH 4C", direction="anticlockwise")
    assert [each.code for each in draw_pool(back)] == ["4C"]


@pytest.mark.parametrize(("power", "code", "seers"), [("draw_waste", "6S", {0}), ("draw_next", "7C", {0, 1})])
def test_who_sees_a_drawn_card(power: str, code: str, seers: set[int]) -> None:
    state = after(won_with_the_last_card(power, "5H 2C 7C", "9H 3C"), f"0 draws {code}")
    for seat in range(3):
        view = seat_view(state, seat)
        (event,) = (each for each in view.events if isinstance(each, CardDrawn))
        assert event.card is (card(code) if seat in seers else None)
        assert view.drawn is (card(code) if seat == 0 else None)
        assert view.drawn_waits
    (event,) = (each for each in public_view(state).events if isinstance(each, CardDrawn))
    assert event.card is None


def test_escape_if_three_gets_away_with_three_left_itself_counted() -> None:
    state = won_with_the_last_card("escape_if_three")
    assert (state.away, state.power, state.due) == ((0,), 1, None)
    assert events(state, PowerPassed) == [PowerPassed(1)]


def test_escape_if_three_counts_after_the_others_got_away_and_draws_with_two_left() -> None:
    state = won_with_the_last_card("escape_if_three", "5H", "9H 3C")
    assert (state.away, state.due, state.power) == ((1,), "waste", 0)


def test_escape_always_gets_away() -> None:
    state = won_with_the_last_card("escape")
    assert (state.away, state.power) == ((0,), 1)
    assert lost(won_with_the_last_card("escape", "5H", "9H 3C 4C")) == ((1, 0), 2, 2)


def test_a_seat_that_escapes_comes_after_the_others_of_its_trick() -> None:
    state = won_with_the_last_card("escape", "5H", "9H", "TH 4C", "JH 5C")
    assert (state.away, state.power) == ((1, 2, 0), 3)


def test_the_next_seat_leads_in_either_direction() -> None:
    assert won_with_the_last_card("escape", direction="anticlockwise").power == 2


@pytest.mark.parametrize("power", POWERS)
def test_if_every_remaining_seat_is_empty_the_power_loses(power: str) -> None:
    state = position("5H", "9H", "7H", waste="4D", power=power)
    assert lost(after(state, "0 5H", "1 9H", "2 7H")) == ((0, 2), 1, 0)


@pytest.mark.parametrize(("both_empty", "loser"), [("power_loses", 2), ("leader_loses", 0)])
@pytest.mark.parametrize("power", POWERS)
def test_the_last_two_both_empty(both_empty: str, loser: int, power: str) -> None:
    options: dict[str, Any] = {"power": power, "both_empty": both_empty}
    state = position("5H", "-", "9H", waste="4D", **options)
    assert lost(after(state, "0 5H", "2 9H")) == ((1, 2 - loser), loser, 0)
    # The leader that keeps the power loses either way.
    state = position("9H", "-", "5H", waste="4D", **options)
    assert lost(after(state, "0 9H", "2 5H")) == ((1, 2), 0, 0)


def test_leader_loses_when_exactly_two_played_only() -> None:
    state = position("5H", "9H", "7H", both_empty="leader_loses")
    assert lost(after(state, "0 5H", "1 9H", "2 7H")) == ((0, 2), 1, 0)


def test_a_beaten_leader_with_a_card_left_against_it_just_gets_away() -> None:
    state = position("5H", "-", "9H 2C", both_empty="leader_loses")
    assert lost(after(state, "0 5H", "2 9H")) == ((1, 0), 2, 1)
