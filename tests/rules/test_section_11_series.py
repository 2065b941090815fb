"""Section 11 of the rules: the standings of a series."""

from games.rules.outcome import Result
from games.rules.scoring import Standing, standings

VOID = Result.without_loser((1,))


def lost_by(seat: int, cards: int = 0) -> Result:
    return Result(tuple(each for each in range(4) if each != seat), seat, void=False, cards_left=cards)


def test_each_deal_gives_one_loss_and_fewer_is_better() -> None:
    found = standings(4, [lost_by(2, 3), lost_by(0, 0), lost_by(2, 4), lost_by(3, 1), lost_by(2, 9), lost_by(0, 5)])
    assert found == (Standing(1, 0, 0, 1), Standing(3, 1, 1, 2), Standing(0, 2, 5, 3), Standing(2, 3, 16, 4))


def test_equal_totals_share_the_place() -> None:
    found = standings(4, [lost_by(2), lost_by(0)])
    assert [(each.seat, each.place) for each in found] == [(1, 1), (3, 1), (0, 3), (2, 3)]


def test_an_endless_or_void_deal_gives_none() -> None:
    assert [each.losses for each in standings(3, [VOID, VOID])] == [0, 0, 0]
    assert standings(4, [VOID, lost_by(1, 2)])[-1] == Standing(1, 1, 2, 4)


def test_a_series_without_a_deal() -> None:
    assert [(each.seat, each.place) for each in standings(3, [])] == [(0, 1), (1, 1), (2, 1)]
