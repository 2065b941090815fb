"""Section 8 of the rules: the end of a game, short cuts, endless games, places."""

from typing import Any

import pytest

from games.rules.events import GameOver, PowerPassed
from games.rules.outcome import Result, places
from games.rules.state import MAX_TRICKS, GameState
from tests.random_games import plain, reference_summary, summary
from tests.reference import Reference
from tests.rules.positions import after, entry, events, legal, lost, position, refused, waste


def test_one_seat_left_is_the_loser_and_its_cards_are_counted() -> None:
    state = after(position("5H", "-", "9H 2C 3C"), "0 5H", "2 9H")
    assert lost(state) == ((1, 0), 2, 2)
    assert events(state, GameOver) == [GameOver(Result((1, 0), 2, void=False, cards_left=2))]
    assert (state.awaited, [legal(state, seat) for seat in range(3)]) == ((), ["", "", ""])
    for text in ("2 2C", "0 5H", "2 takes 0", "2 draws 5H", "9 2C"):
        assert refused(state, text) == ("over", "The game is over: start a new one.")


@pytest.mark.parametrize(
    ("state", "entries"),
    [
        (position("KH", "5H 2C", "-", power="escape"), ["0 KH", "1 5H"]),
        (position("5H 2C", "KH", "-", leader=1), ["0 takes 1"]),
    ],
    ids=["escape", "concede"],
)
def test_at_the_end_the_power_passes_to_nobody(state: GameState, entries: list[str]) -> None:
    state = after(state, *entries)
    assert events(state, GameOver)
    assert not events(state, PowerPassed)


# 8.2: short cuts with two left


@pytest.mark.parametrize(
    ("two_left", "cut"), [("none", False), ("drawn_lead", False), ("last_card", False), ("any_tochoo", True)]
)
def test_a_tochoo_on_a_lead_that_is_neither_drawn_nor_last(two_left: str, cut: bool) -> None:
    state = after(position("5H 2C", "-", "9S 3C", two_left=two_left), "0 5H", "2 9S")
    assert (state.result is not None) == cut
    if cut:
        assert lost(state) == ((1, 2), 0, 3)


@pytest.mark.parametrize(
    ("two_left", "cut"), [("none", False), ("drawn_lead", False), ("last_card", True), ("any_tochoo", True)]
)
def test_a_tochoo_on_the_leaders_last_card(two_left: str, cut: bool) -> None:
    state = after(position("5H", "-", "9S 3C", two_left=two_left), "0 5H", "2 9S")
    assert (state.result is not None) == cut
    if cut:
        assert lost(state) == ((1, 2), 0, 2)


@pytest.mark.parametrize(
    ("two_left", "cut"), [("none", False), ("drawn_lead", True), ("last_card", True), ("any_tochoo", True)]
)
@pytest.mark.parametrize("power", ["draw_waste", "draw_next"])
def test_a_tochoo_on_a_drawn_lead_which_is_also_the_last_card(two_left: str, cut: bool, power: str) -> None:
    state = position("KH", "-", "9H 3C 4S 6C", waste="5D", two_left=two_left, power=power)
    drawn = {"draw_waste": "5D", "draw_next": "4S"}[power]
    state = after(state, "0 KH", "2 9H", f"0 draws {drawn}", f"0 {drawn}", "2 3C")
    assert (state.result is not None) == cut
    if cut:
        assert lost(state) == ((1, 2), 0, 2)


def test_the_other_seat_has_got_away_cards_or_not_and_none_twice() -> None:
    state = after(position("5H 2C", "-", "9S", two_left="any_tochoo"), "0 5H", "2 9S")
    assert lost(state) == ((1, 2), 0, 3)


def test_a_clean_trick_with_two_left_is_no_short_cut() -> None:
    state = after(position("5H 2C", "-", "9H 3C", two_left="any_tochoo"), "0 5H", "2 9H")
    assert state.result is None


def test_two_left_is_counted_when_the_trick_is_led() -> None:
    """Three play; the pick-up leaves two, but the lead had three."""
    state = after(position("5H 2C", "6H", "9S 3C", two_left="any_tochoo"), "0 5H", "1 6H", "2 9S")
    assert (state.result, state.away) == (None, ())
    state = after(position("6H 2C", "5H", "9S 3C", two_left="any_tochoo"), "0 6H", "1 5H", "2 9S")
    assert (state.result, state.away) == (None, (1,))


def test_a_short_cut_in_an_opening_trick_that_counts() -> None:
    state = position("AS 2C", "-", "9H 3C", tricks=0, opening_tochoo="counts", two_left="any_tochoo")
    assert lost(after(state, "0 AS", "2 9H")) == ((1, 2), 0, 3)


def test_a_tochoo_in_an_ignored_opening_is_no_short_cut() -> None:
    state = position("AS 2C", "-", "9H 3C", tricks=0, two_left="any_tochoo")
    assert after(state, "0 AS", "2 9H").result is None


def test_a_trump_is_no_tochoo_and_no_short_cut() -> None:
    state = position("5H 2C", "-", "9S 3S", game="donkey", two_left="any_tochoo")
    state = after(state, "0 5H", "2 9S")
    assert (state.result, state.power) == (None, 2)


# 8.3: endless games

ROUND = ("0 2H", "1 3H", "2 2D", "1 2D", "2 3D", "0 2C", "2 2C", "0 3C", "1 2H")
"""Three tricks after which the three seats of 8.3 hold what they held."""


def beside(state: GameState) -> Reference:
    """The reference in the same position."""
    cards = [[each.code for each in hand] for hand in state.hands]
    other = Reference(state.rules.as_dict(), state.players, state.dealer, cards, power=state.power, opening=False)
    other.tricks, other.away = state.tricks, list(state.away)
    other.waste = [each.code for each in state.waste]
    return other


def both(state: GameState, *texts: str) -> GameState:
    """Play the same in the engine and in the reference."""
    other = beside(state)
    for text in texts:
        state = after(state, text)
        other.apply(plain(entry(text)))
        assert summary(state) == reference_summary(other)
    return state


def for_ever(tricks: int = 1, **options: Any) -> GameState:
    return position("2H 2C 3C", "3H", "2D 3D", tricks=tricks, **options)


def test_three_seats_can_go_round_for_ever() -> None:
    state = for_ever()
    assert both(state, *ROUND).hands == state.hands


def test_after_a_thousand_tricks_the_game_is_endless() -> None:
    state = both(for_ever(), *ROUND * 333)
    assert (state.tricks, state.result, MAX_TRICKS) == (1_000, Result((), None, void=True, cards_left=None), 1_000)
    assert refused(state, "0 2H") == ("over", "The game is over: start a new one.")
    assert events(state, GameOver) == [GameOver(Result.without_loser(()))]
    state = both(for_ever(), *ROUND * 332, *ROUND[:6])
    assert (state.tricks, state.result) == (999, None)
    assert both(state, "2 2C", "0 3C").result is None


def test_the_opening_trick_counts_as_one() -> None:
    state = position("AS 2H", "3H 4H", "2S 3D", tricks=0)
    assert after(state, "0 AS", "1 3H", "2 2S").tricks == 1


def test_every_foul_counts_as_one() -> None:
    state = for_ever(998, penalties="penalise")
    state = both(state, "1 3H")
    assert (state.tricks, state.result) == (999, None)
    state = both(state, "2 2D")
    assert (state.tricks, state.result) == (1_000, Result.without_loser(()))
    # A foul ends the trick on the table: one, not two.
    state = both(for_ever(998, penalties="penalise"), "0 2H", "2 2D")
    assert (state.tricks, state.result) == (999, None)


def test_takes_and_draws_count_as_none() -> None:
    state = after(position("KH", "5H 2C", "9H 3C", "4C", waste="4D"), "2 takes 3")
    assert state.tricks == 1
    state = after(state, "0 KH", "1 5H", "2 9H")
    assert (state.tricks, after(state, "0 draws 4D").tricks) == (2, 2)


def test_no_draw_is_made_at_the_limit() -> None:
    for power in ("draw_waste", "draw_next"):
        state = position("KH", "5H 2C", "9H", "TH 4C", waste="4D", tricks=999, power=power)
        state = both(state, "0 KH", "1 5H", "2 9H", "3 TH")
        assert state.result == Result((2,), None, void=True, cards_left=None)
        assert (state.due, waste(state)) == (None, "4D 5H 9H TH KH")
        assert refused(state, "0 draws 4D")[0] == "over"


def test_a_seat_that_escapes_at_the_limit_has_got_away() -> None:
    state = position("KH", "5H 2C", "9H 3C", waste="4D", tricks=999, power="escape")
    assert both(state, "0 KH", "1 5H", "2 9H").result == Result((0,), None, void=True, cards_left=None)
    state = position("KH", "-", "9H 3C", waste="4D", tricks=999, power="escape")
    assert both(state, "0 KH", "2 9H").result == Result((1, 0), 2, void=False, cards_left=1)


def test_the_thousandth_trick_may_decide() -> None:
    decided = Result((1, 0), 2, void=False, cards_left=1)
    assert both(position("5H", "-", "9H 2C", tricks=999), "0 5H", "2 9H").result == decided
    empty = Result((1, 0), 2, void=False, cards_left=0)
    assert both(position("5H", "-", "9H", tricks=999), "0 5H", "2 9H").result == empty
    cut = position("5H 2C", "-", "9S 3S", tricks=999, two_left="any_tochoo")
    assert both(cut, "0 5H", "2 9S").result == Result((1, 2), 0, void=False, cards_left=3)
    foul = position("5H", "-", "9H 3S", tricks=999, penalties="penalise")
    assert both(foul, "0 5H", "2 3S").result == Result((1, 0), 2, void=False, cards_left=3)


def test_a_hand_may_be_taken_before_the_last_trick() -> None:
    state = both(for_ever(999), "0 takes 1", "0 takes 2")
    assert state.result == Result((1, 2), 0, void=False, cards_left=6)


# 8.4: places


def test_places_go_by_the_order_of_getting_away_and_the_loser_is_last() -> None:
    assert places(Result((2, 0, 3), 1, void=False, cards_left=5)) == {2: 1, 0: 2, 3: 3, 1: 4}


def test_in_a_void_game_only_those_who_got_away_have_places() -> None:
    assert places(Result.without_loser((2, 0))) == {2: 1, 0: 2}
    assert places(Result.without_loser(())) == {}
