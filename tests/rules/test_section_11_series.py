"""Section 11 of the rules: the standings of a series."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from games.rules.outcome import Result
from games.rules.scoring import TIE_BREAKS, Deal, How, standings, totals

VOID = Result.without_loser((1,))
SEATS = 5


def lost_by(seat: int, cards: int = 0, first: int = 0) -> Result:
    away = sorted((each for each in range(4) if each != seat), key=lambda each: each != first)
    return Result(tuple(away), seat, void=False, cards_left=cards)


def deals(*results: Result | None) -> list[Deal]:
    return [Deal(number, number % 4, result) for number, result in enumerate(results, 1)]


def told(*results: Result | None, tie_break: str = "") -> list[tuple[int, int, int, int]]:
    """(seat, losses, legs, place) of each line."""
    return [(each.seat, each.losses, each.legs, each.place) for each in standings(4, deals(*results), tie_break)]


def test_each_deal_gives_one_loss_and_fewer_is_better() -> None:
    found = told(lost_by(2, 3), lost_by(0, 0), lost_by(2, 4), lost_by(3, 1), lost_by(2, 9), lost_by(0, 5))
    assert found == [(1, 0, 0, 1), (3, 1, 1, 2), (0, 2, 5, 3), (2, 3, 16, 4)]


def test_equal_totals_share_the_place() -> None:
    assert [(seat, place) for seat, _, _, place in told(lost_by(2), lost_by(0))] == [(1, 1), (3, 1), (0, 3), (2, 3)]


def test_a_deal_that_is_endless_or_void_or_in_play_gives_none() -> None:
    assert [losses for _, losses, _, _ in told(VOID, VOID, None)] == [0] * 4
    assert told(VOID, lost_by(1, 2), None)[-1] == (1, 1, 2, 4)


def test_a_series_without_a_deal() -> None:
    assert [(seat, place) for seat, _, _, place in told()] == [(0, 1), (1, 1), (2, 1), (3, 1)]


def test_every_number_says_which_deals_it_comes_from() -> None:
    found = {each.seat: each for each in standings(4, deals(lost_by(2, 3, first=1), VOID, lost_by(2, 1), lost_by(0)))}
    assert [found[seat].lost for seat in range(4)] == [(4,), (), (1, 3), ()]
    assert [found[seat].first for seat in range(4)] == [(3,), (1, 4), (), ()]


def test_how_a_deal_stands() -> None:
    lost, void = Deal(1, 0, lost_by(2)), Deal(1, 0, VOID)
    assert {each.how for each in (lost, replace(lost, corrected=True))} == {How.LOST}
    assert (replace(lost, result=None).how, void.how) == (How.RUNNING, How.ENDLESS)
    assert replace(void, corrected=True).how == How.VOID
    assert replace(void, result=Result.without_loser((), stopped=True)).how == How.STOPPED


def test_what_breaks_a_tie_is_asked_for_by_name() -> None:
    # Seats 1 and 2 lost once, 0 and 3 never; 0 was the first away twice and 3 never.
    played = (lost_by(1, 2), lost_by(2, 9))

    def places(name: str) -> list[int]:
        found = standings(4, deals(*played), name)
        return [each.place for each in sorted(found, key=lambda each: each.seat)]

    assert places("") == [1, 3, 3, 1]
    assert places("cards") == [1, 3, 4, 1]
    assert places("first") == [1, 3, 3, 2]
    assert places("longest") == [1, 3, 4, 1]


RESULTS = st.one_of(
    st.none(),
    st.just(VOID),
    st.builds(
        lambda order, cards: Result(tuple(order[1:]), order[0], void=False, cards_left=cards),
        st.permutations(range(SEATS)),
        st.integers(0, 20),
    ),
)


@given(st.lists(RESULTS, max_size=50), st.sampled_from(sorted(TIE_BREAKS)))
def test_any_series(results: list[Result | None], tie_break: str) -> None:
    """They are a tally, in order; only equals share a place; void deals and those in play change nothing."""
    found = standings(SEATS, deals(*results), tie_break)
    tally = Counter(result.loser for result in results if result and not result.void)
    assert sorted(each.seat for each in found) == list(range(SEATS))
    assert {each.seat: each.losses for each in found} == {seat: tally[seat] for seat in range(SEATS)}
    worth = [(each.losses, TIE_BREAKS[tie_break](each)) for each in found]
    assert worth == sorted(worth)
    assert [each.place for each in found] == [1 + worth.index(each) for each in worth]
    counted = [each for each in deals(*results) if each.how is How.LOST]
    assert standings(SEATS, counted, tie_break) == found


@given(st.lists(RESULTS, max_size=50))
def test_the_totals_after_each_deal(results: list[Result | None]) -> None:
    after = totals(SEATS, deals(*results))
    over = [each for each in deals(*results) if each.result is not None]
    assert len(after) == len(over)
    for upto, losses in enumerate(after, 1):
        assert {each.seat: each.losses for each in standings(SEATS, over[:upto])} == dict(enumerate(losses))
