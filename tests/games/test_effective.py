"""The result of a game that counts: the newest correction's, else the one that the play gave."""

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Game, Holder
from games.rules.outcome import Result, places
from games.selectors.effective import Effective, effective_of
from games.selectors.games import result_of
from tests.games.correcting import corrected
from tests.games.stored import game_of, over, people

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return over(game_of(persons=people(4)))


def end(game: Game) -> Effective:
    return effective_of([game])[game.pk]


def test_without_a_correction_it_is_what_the_play_gave(game: Game) -> None:
    assert end(game) == Effective(result_of(game.result), game.result.holder)
    assert not end(game).corrected


def test_somebody_else_has_lost_and_who_was_last_has_got_away_last(game: Game) -> None:
    stored = result_of(game.result)
    first, *others = stored.away
    last = stored.loser
    assert last is not None
    correction = corrected(game, first, cards=3)
    found = end(game)
    assert found.result == Result((*others, last), first, void=False, cards_left=3)
    assert (found.holder, found.number, found.corrected) == (correction.holder, 1, True)
    assert set(places(found.result)) == {0, 1, 2, 3}


def test_of_several_the_newest_counts_and_the_stored_result_stays(game: Game) -> None:
    stored, loser = result_of(game.result), game.result.loser
    corrected(game, None)
    assert end(game).result == Result.without_loser(stored.away)
    assert end(game).holder is None
    corrected(game, loser, cards=stored.cards_left or 0)
    assert (end(game).result, end(game).number, end(game).corrected) == (stored, 2, False)
    game.result.refresh_from_db()
    assert result_of(game.result) == stored


def test_a_game_that_nobody_lost_is_given_a_loser(game: Game) -> None:
    game.result.loser = game.result.holder = game.result.cards_left = None
    game.result.void = game.result.stopped = True
    game.result.away = [2]
    game.result.save()
    assert end(game).result == Result.without_loser((2,), stopped=True)
    corrected(game, 2, cards=1)
    assert end(game).result == Result((), 2, void=False, cards_left=1)


def test_of_many_games_in_one_query(game: Game, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    nani = User.objects.get(holder__table=game.table_id, holder__seat__number=0)
    games = [game, *(over(game_of(persons=[nani, *people(3)])) for _ in range(3)), game_of(persons=people(3))]
    corrected(games[1], 0), corrected(games[1], 2), corrected(games[2], None)
    with django_assert_num_queries(1):
        found = effective_of(games)
        names = [each.holder and each.holder.name for each in found.values()]
    assert set(found) == {each.pk for each in games[:4]}
    assert [found[each.pk].number for each in games[:4]] == [0, 2, 1, 0]
    assert found[games[1].pk].holder == Holder.objects.get(table=games[1].table, seat__number=2)
    assert len(names) == 4
