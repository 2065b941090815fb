"""Section 10 of the rules: fouls."""

from typing import Any

import pytest

from games.rules.cards import card
from games.rules.events import Fouled, GotAway, PickedUp, PowerPassed
from games.rules.state import GameState
from games.rules.view import public_view
from tests.rules.positions import after, events, fouls, hands, legal, lost, position, refused

HANDS = ("8H 2D", "QH 3D 4C", "9H 4D", "TH 5D")


def strict(*hands: str, **more: Any) -> GameState:
    return position(*hands, penalties="penalise", **more)


def test_prevent_accepts_no_foul() -> None:
    state = after(position(*HANDS), "0 8H")
    assert [fouls(state, seat) for seat in range(4)] == [""] * 4
    assert refused(state, "1 3D") == ("follow_suit", "You hold hearts: follow hearts.")
    assert refused(state, "2 9H") == ("not_your_turn", "It is not your turn: wait for the other seat.")


def test_another_suit_while_holding_the_led_one() -> None:
    state = after(strict(*HANDS), "0 8H")
    assert (legal(state, 1), fouls(state, 1)) == ("QH", "4C 3D")
    state = after(state, "1 3D")
    assert hands(state) == ["2D", "4C 3D 8H QH", "4D 9H", "5D TH"]
    assert (state.power, state.awaited, state.trick, state.tricks) == (1, (1,), (), 2)
    assert state.events == (Fouled(1, card("3D")), PickedUp(1, (card("8H"),), None))


def test_out_of_turn_the_offender_takes_the_trick_its_own_card_among_it() -> None:
    state = after(strict(*HANDS), "0 8H", "1 QH")
    assert [fouls(state, seat) for seat in range(4)] == ["2D", "4C 3D", "4D", "5D TH"]
    state = after(state, "0 2D")
    assert (hands(state), state.power) == (["2D 8H QH", "4C 3D", "4D 9H", "5D TH"], 0)


def test_a_card_that_would_fit_is_a_foul_out_of_turn_too() -> None:
    state = after(strict(*HANDS), "0 8H", "3 TH")
    assert (hands(state)[3], state.power) == ("5D 8H TH", 3)


def test_a_seat_may_foul_only_with_a_card_that_it_holds() -> None:
    state = after(strict(*HANDS), "0 8H")
    assert refused(state, "1 2D")[0] == "not_held"
    assert refused(after(strict("8H", "9H", "-"), "0 8H"), "2 9H")[0] == "away"


def test_seats_of_that_trick_left_empty_get_away_in_the_order_they_played() -> None:
    state = after(strict("8H", "QH", "9H 4D", "TH 5D"), "0 8H", "1 QH", "2 4D")
    assert (state.away, state.power, hands(state)[2]) == ((0, 1), 2, "4D 8H 9H QH")
    assert events(state, GotAway) == [GotAway(0, 1), GotAway(1, 2)]


def test_a_foul_may_end_the_game() -> None:
    state = after(strict("8H", "-", "9H 4D"), "0 8H", "2 4D")
    assert lost(state) == ((1, 0), 2, 3)


def test_right_after_a_pick_up_its_cards_pass_to_the_offender() -> None:
    state = after(strict(*HANDS), "0 8H", "1 QH", "2 9H", "3 TH", "1 4C", "2 4D")
    assert (state.power, hands(state)[1]) == (1, "4C 3D 4D")
    assert (fouls(state, 0), legal(state, 1)) == ("2D", "4C 3D 4D takes 3")
    state = after(state, "0 2D")
    assert (hands(state), state.power) == (["4C 2D 4D", "3D", "", "5D"], 0)
    assert state.events == (Fouled(0, card("2D")), PickedUp(0, (card("4C"), card("4D")), 1))


def test_the_seat_that_had_picked_up_gets_away_if_it_is_empty_then() -> None:
    state = after(strict("8H 2D", "QH", "3C 4D", "5C 6C"), "0 8H", "1 QH", "2 3C")
    assert (state.power, state.away, hands(state)[1]) == (1, (), "3C 8H QH")
    state = after(state, "3 5C")
    assert (state.away, hands(state)[3], state.power) == ((1,), "3C 5C 6C 8H QH", 3)
    assert events(state, GotAway) == [GotAway(1, 1)]


def test_seats_that_got_away_with_the_trick_stay_away() -> None:
    state = after(strict("8H", "QH 2C", "3C", "5C 6C"), "0 8H", "1 QH", "2 3C")
    assert state.away == (0, 2)
    assert after(state, "3 5C").away == (0, 2)


@pytest.mark.parametrize(
    ("between", "foul", "after_it"),
    [
        ("1 4C", "3 TH", ["2D", "3C 3D 8H QH", "4D", "4C 5D TH"]),
        ("3 takes 0", "2 4D", ["", "3C 4C 3D 8H QH", "4D", "2D 5D TH"]),
        ("0 2D", "2 4D", ["3C 2D 8H QH", "4C 3D", "4D", "5D TH"]),
    ],
)
def test_until_the_next_entry_of_any_kind(between: str, foul: str, after_it: list[str]) -> None:
    """A play, a take or a foul closes the window; a foul's own pick-up opens none."""
    state = after(strict("8H 2D", "QH 3D 4C", "3C 4D", "TH 5D"), "0 8H", "1 QH", "2 3C", between, foul)
    assert hands(state) == after_it
    assert state.power == int(foul[0])


def test_after_a_clean_trick_no_cards_pass() -> None:
    state = after(strict(*HANDS), "0 8H", "1 QH", "2 9H", "3 TH", "0 2D")
    assert (hands(state), state.power) == (["2D", "4C 3D", "4D", "5D"], 0)
    assert state.events == (Fouled(0, card("2D")), PowerPassed(0))


def test_with_no_cards_on_the_table_the_offender_has_the_power_only() -> None:
    state = after(strict(*HANDS), "2 9H")
    assert (hands(state), state.power, state.tricks) == (["2D 8H", "4C 3D QH", "4D 9H", "5D TH"], 2, 2)
    assert (legal(state, 2), fouls(state, 0)) == ("4D 9H takes 3", "2D 8H")


def test_the_seat_with_the_power_commits_no_foul_before_its_lead() -> None:
    state = strict(*HANDS)
    assert fouls(state, 0) == ""


def test_after_a_tochoo_with_finish_trick() -> None:
    state = after(strict("8H 2D", "3C 4C", "9H 4D", "TH 5D", tochoo="finish_trick"), "0 8H", "1 3C")
    assert (legal(state, 2), fouls(state, 2), fouls(state, 1)) == ("9H", "4D", "4C")
    state = after(state, "2 4D")
    assert (hands(state)[2], state.power) == ("3C 4D 8H 9H", 2)


def test_fouls_are_refused_while_a_draw_is_due_and_while_a_drawn_card_waits() -> None:
    state = after(strict("KH", "5H 2C", "9H 3C", waste="4D"), "0 KH", "1 5H", "2 9H")
    assert refused(state, "1 2C") == ("draw_due", "Wait: a card must be drawn first.")
    state = after(state, "0 draws 4D")
    assert [fouls(state, seat) for seat in range(3)] == [""] * 3
    assert refused(state, "1 2C") == ("not_your_turn", "It is not your turn: wait for the other seat.")
    state = after(state, "0 4D")
    assert (legal(state, 1), fouls(state, 2)) == ("2C", "3C")
    assert after(state, "2 3C").away == (0,)


def test_right_after_an_opening_trick_that_counted_its_cards_pass_too() -> None:
    state = strict("AS 2D", "3C 4C", "5S 6D", tricks=0, opening_tochoo="counts")
    state = after(state, "0 AS", "1 3C", "2 6D")
    assert (hands(state), state.power) == (["2D", "4C", "3C 6D 5S AS"], 2)


def test_a_foul_shows_a_card_to_all_and_proves_no_void() -> None:
    view = public_view(after(strict(*HANDS), "0 8H", "1 3D"))
    assert [[each.code for each in known] for known in view.known] == [[], ["3D", "8H"], [], []]
    assert view.voids == ((), (), (), ())
