"""Section 5 of the rules: the opening trick."""

from typing import Any

import pytest

from games.rules.events import Played, TrickWasted, visible
from games.rules.moves import Play
from games.rules.state import GameState
from games.rules.view import public_view, seat_view
from tests.rules.positions import after, entry, events, fouls, hands, legal, position, refused, table, waste

HANDS = ("2H 3H", "4S 5S 6H", "AS 7H 8S", "9H TH")


def opening(**options: Any) -> GameState:
    return position(*HANDS, tricks=0, leader=2, **options)


def test_the_opener_must_lead_an_ace_of_spades() -> None:
    state = opening()
    assert legal(state, 2).split()[0] == "AS"
    for text in ("2 7H", "2 8S"):
        assert refused(state, text) == ("lead_ace", "Lead the ace of spades.")
    assert table(after(state, "2 AS")) == "AS"


def test_every_other_seat_plays_one_card_a_spade_if_it_can() -> None:
    state = after(opening(), "2 AS")
    assert (state.awaited, legal(state, 3)) == ((3,), "9H TH")
    state = after(state, "3 9H", "0 2H")
    assert (state.awaited, legal(state, 1)) == ((1,), "4S 5S")
    assert refused(state, "1 6H") == ("follow_suit", "You hold spades: follow spades.")
    assert refused(state, "1 9H") == ("not_held", "You do not hold the nine of hearts: play a card from your hand.")


def test_in_turn_others_wait() -> None:
    state = after(opening(), "2 AS")
    for text in ("0 2H", "1 4S", "2 8S"):
        assert refused(state, text) == ("not_your_turn", "It is not your turn: wait for the other seat.")


def test_nobody_picks_up_and_the_opener_leads_next() -> None:
    state = after(position("2H 3H", "4S 5S", "AS 7H", "9H AS", tricks=0, leader=2), "2 AS", "3 AS", "0 2H", "1 4S")
    assert hands(state) == ["3H", "5S", "7H", "9H"]
    assert (waste(state), state.power, state.awaited, state.tricks) == ("2H 4S AS AS", 2, (2,), 1)
    assert [event.winner for event in events(state, TrickWasted)] == [2]


def test_direction_of_play() -> None:
    state = after(opening(direction="anticlockwise"), "2 AS")
    assert state.awaited == (1,)
    assert after(state, "1 4S").awaited == (0,)


def test_in_any_order_every_seat_may_play_after_the_lead() -> None:
    state = opening(opening="any_order")
    assert state.awaited == (2,)
    assert refused(state, "0 2H")[0] == "not_your_turn"
    state = after(state, "2 AS")
    assert state.awaited == (0, 1, 3)
    state = after(state, "1 4S")
    assert state.awaited == (0, 3)
    told = ("already_played", "You have played to this trick: wait for the others.")
    assert refused(state, "1 5S") == told
    assert refused(state, "2 8S") == told
    state = after(state, "3 9H", "0 3H")
    assert (hands(state), state.power, waste(state)) == (["2H", "6H 5S", "7H 8S", "TH"], 2, "3H 9H 4S AS")


@pytest.mark.parametrize("order", [("0 3H", "1 4S", "3 9H"), ("3 9H", "1 4S", "0 3H"), ("1 4S", "0 3H", "3 9H")])
def test_any_order_gives_the_same(order: tuple[str, ...]) -> None:
    state = after(opening(opening="any_order"), "2 AS", *order)
    other = after(opening(opening="any_order"), "2 AS", "3 9H", "0 3H", "1 4S")
    assert (state.hands, sorted(state.waste), state.power) == (other.hands, sorted(other.waste), other.power)


def test_suit_duty_holds_in_any_order() -> None:
    state = after(opening(opening="any_order"), "2 AS")
    assert legal(state, 1) == "4S 5S"
    assert refused(state, "1 6H") == ("follow_suit", "You hold spades: follow spades.")


def test_cards_lie_face_down_known_to_their_owner_until_all_have_played() -> None:
    state = after(opening(opening="any_order"), "2 AS", "1 4S")
    owner, other, public = seat_view(state, 1), seat_view(state, 0), public_view(state)
    assert [each.card and each.card.code for each in owner.table] == ["AS", "4S"]
    for view in (other, public):
        assert [each.card and each.card.code for each in view.table] == ["AS", None]
        assert view.events == (Played(1, None, led=False, face_down=True, tochoo=False, drawn=False),)
        assert view.voids == ((), (), (), ())
        assert view.winning is None
    assert owner.events == state.events
    state = after(state, "3 9H", "0 3H")
    shown = public_view(state).events
    assert shown[0] == Played(0, None, led=False, face_down=True, tochoo=False, drawn=False)
    plays = tuple(Play(int(text[0]), entry(text).card) for text in ("2 AS", "1 4S", "3 9H", "0 3H"))  # type: ignore[union-attr]
    assert shown[1] == TrickWasted(plays, 2)
    assert [[suit.value for suit in voids] for voids in public_view(state).voids] == [["S"], [], [], ["S"]]


def test_a_tochoo_that_lies_face_down_is_told_to_its_owner_only() -> None:
    state = after(opening(opening="any_order"), "2 AS", "3 9H")
    (event,) = state.events
    assert isinstance(event, Played)
    assert event.tochoo
    assert visible(event, 3) == event
    for viewer in (None, 0, 1, 2):
        assert visible(event, viewer) == Played(3, None, led=False, face_down=True, tochoo=False, drawn=False)


def test_fouls_are_refused_in_the_opening_trick() -> None:
    for options in ({}, {"opening": "any_order"}, {"opening_tochoo": "counts"}):
        state = opening(penalties="penalise", **options)
        assert refused(state, "2 7H")[0] == "lead_ace"
        assert refused(state, "0 2H")[0] == "not_your_turn"
        state = after(state, "2 AS")
        assert [fouls(state, seat) for seat in range(4)] == [""] * 4
        assert refused(state, "2 8S")[0] in ("not_your_turn", "already_played")


def test_a_counting_opening_is_led_with_the_ace_and_ended_by_section_6() -> None:
    state = opening(opening_tochoo="counts")
    assert refused(state, "2 8S") == ("lead_ace", "Lead the ace of spades.")
    state = after(state, "2 AS", "3 9H")
    assert hands(state) == ["2H 3H", "6H 4S 5S", "7H 9H 8S AS", "TH"]
    assert (state.power, waste(state), state.tricks) == (2, "", 1)


def test_a_clean_counting_opening_goes_to_the_waste_and_its_highest_card_leads() -> None:
    state = position("2S 3H", "4S 5S", "AS 7H", tricks=0, leader=2, opening_tochoo="counts")
    state = after(state, "2 AS", "0 2S", "1 4S")
    assert (state.power, waste(state)) == (2, "2S 4S AS")
