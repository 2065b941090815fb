"""Section 9 of the rules: Donkey."""

from typing import Any

from games.rules.cards import Suit
from games.rules.events import PickedUp, Played, TrickWasted, TrumpMade
from games.rules.outcome import Result
from games.rules.scoring import Deal, standings
from games.rules.state import GameState
from games.rules.view import public_view
from tests.rules.positions import after, events, fouls, hands, legal, lost, position, refused, waste


def donkey(*hands: str, **more: Any) -> GameState:
    return position(*hands, game="donkey", **more)


def test_the_first_seat_that_cannot_follow_makes_trump_and_the_trick_goes_on() -> None:
    state = after(donkey("8H 2D", "QH 3D", "3C 4D", "KH 5D"), "0 8H", "1 QH")
    assert (state.trump, legal(state, 2)) == (None, "3C 4D")
    state = after(state, "2 3C")
    assert (state.trump, state.awaited) == (Suit.CLUBS, (3,))
    assert events(state, TrumpMade) == [TrumpMade(2, Suit.CLUBS)]
    assert not events(state, Played)[0].tochoo
    state = after(state, "3 KH")
    assert (state.power, waste(state), hands(state)[2]) == (2, "3C 8H QH KH", "4D")
    assert events(state, TrickWasted)[0].winner == 2


def test_trump_is_made_once_in_a_deal() -> None:
    state = after(donkey("8H 2D", "QC 3D", "3C 4D", trump="S"), "0 8H", "1 QC")
    assert (state.trump, state.power, hands(state)[0]) == (Suit.SPADES, 0, "QC 2D 8H")
    assert not events(state, TrumpMade)


def test_a_seat_without_the_led_suit_must_play_a_trump_if_it_has_one() -> None:
    state = after(donkey("8H 2D", "QC 3S 5S", "3C 4D", trump="S"), "0 8H")
    assert legal(state, 1) == "3S 5S"
    told = ("play_trump", "You hold no hearts but you hold spades: play spades, the trump.")
    assert refused(state, "1 QC") == told


def test_the_led_suit_goes_before_trump() -> None:
    state = after(donkey("8H 2D", "9H 3S", "3C 4D", trump="S"), "0 8H")
    assert legal(state, 1) == "9H"
    assert refused(state, "1 3S") == ("follow_suit", "You hold hearts: follow hearts.")


def test_a_trump_led_must_be_followed_with_trumps() -> None:
    state = after(donkey("8S 2D", "QC 3S", "3C 4D", trump="S"), "0 8S")
    assert legal(state, 1) == "3S"
    state = after(state, "1 3S", "2 4D")
    assert events(state, Played)[0].tochoo
    assert (state.power, hands(state)[0]) == (0, "2D 4D 3S 8S")


def test_the_highest_trump_wins() -> None:
    state = after(donkey("AH 2D", "3S 3D", "9S 4D", "5S 5D", trump="S"), "0 AH", "1 3S", "2 9S", "3 5S")
    assert state.power == 2
    state = after(donkey("AH 2D", "3H 3D", "9H 4D", trump="S"), "0 AH", "1 3H", "2 9H")
    assert state.power == 0


def test_of_equal_trumps_the_first_wins() -> None:
    state = donkey("AH 2D", "3S 3D", "9S 4D", "9S 5D", "2H 6D", trump="S", packs=2)
    assert after(state, "0 AH", "1 3S", "2 9S", "3 9S", "4 2H").power == 2


def test_neither_the_led_suit_nor_a_trump_is_the_tochoo_and_the_winner_picks_up() -> None:
    state = after(donkey("AH 2D", "3S 3D", "4D 5C", "5S 5D", trump="S"), "0 AH", "1 3S", "2 4D")
    assert (state.power, hands(state)[1], state.awaited) == (1, "3D 4D AH 3S", (1,))
    assert [(event.seat, len(event.cards)) for event in events(state, PickedUp)] == [(1, 3)]


def test_with_finish_trick_a_later_trump_picks_up() -> None:
    state = donkey("AH 2D", "4D 5C", "3S 3D", "5S 5D", trump="S", tochoo="finish_trick")
    state = after(state, "0 AH", "1 4D", "2 3S", "3 5S")
    assert (state.power, hands(state)[3]) == (3, "4D 5D AH 3S 5S")


def test_a_trump_is_made_and_a_tochoo_falls_in_one_trick() -> None:
    state = after(donkey("AH 2D", "3S 3D", "4D 5C", "5H 5D"), "0 AH", "1 3S", "2 4D")
    assert (state.trump, state.power, hands(state)[1]) == (Suit.SPADES, 1, "3D 4D AH 3S")


def test_the_opening_trick_never_ends_early_and_nobody_picks_up() -> None:
    state = donkey("AS 2D", "3D 3H", "4C 5C", "5D 6C", "7S 8S", tricks=0)
    state = after(state, "0 AS", "1 3D")
    assert (state.trump, state.awaited) == (Suit.DIAMONDS, (2,))
    state = after(state, "2 4C")
    assert state.awaited == (3,)
    assert legal(state, 3) == "5D"
    state = after(state, "3 5D", "4 7S")
    assert (state.power, waste(state), state.tricks) == (3, "4C 3D 5D 7S AS", 1)
    assert hands(state) == ["2D", "3H", "5C", "6C", "8S"]


def test_the_opening_trick_of_spades_alone_is_won_by_the_ace() -> None:
    assert after(donkey("2D 3S", "AS 3H", "4S 5C", tricks=0, leader=1), "1 AS", "2 4S", "0 3S").power == 1


def test_an_empty_winner_of_the_opening_trick_is_no_exception() -> None:
    state = after(donkey("AS 2D", "3D", "4S 5C", tricks=0, power="escape"), "0 AS", "1 3D", "2 4S")
    assert (state.away, state.power) == ((1,), 2)


def test_highest_means_this_winner_in_section_7_too() -> None:
    state = after(donkey("AH 2D", "3S", "4H 5C", trump="S", waste="6C"), "0 AH", "1 3S", "2 4H")
    assert (state.power, state.due) == (1, "waste")
    state = after(donkey("AH", "-", "3S", trump="S", both_empty="leader_loses"), "0 AH", "2 3S")
    assert lost(state) == ((1, 2), 0, 0)


def test_a_foul_never_makes_a_trump_and_holding_trump_is_a_duty() -> None:
    state = after(donkey("AH 2D", "3S 3H", "4H 5C", penalties="penalise"), "0 AH")
    assert fouls(state, 1) == "3S"
    assert after(state, "1 3S").trump is None
    state = after(donkey("AH 2D", "3S 3C", "4H 5C", penalties="penalise", trump="S"), "0 AH")
    assert (legal(state, 1), fouls(state, 1)) == ("3S", "3C")
    state = after(state, "1 3C")
    assert (hands(state)[1], state.power) == ("3C AH 3S", 1)


def test_voids_in_the_led_suit_and_in_trump_are_known() -> None:
    state = after(donkey("AH 2D", "3S 3D", "4D 5C", "5H 5D"), "0 AH", "1 3S")
    assert public_view(state).voids[1] == (Suit.HEARTS,)
    state = after(state, "2 4D")
    assert public_view(state).voids[2] == (Suit.HEARTS, Suit.SPADES)


def test_legs_are_the_cards_held_at_the_end() -> None:
    results = [Result((1, 2), 0, void=False, cards_left=5), Result((2, 1), 0, void=False, cards_left=2)]
    deals = [Deal(number, 0, result) for number, result in enumerate(results, 1)]
    assert [(each.seat, each.legs) for each in standings(3, deals)] == [(1, 0), (2, 0), (0, 7)]
