"""What this process has folded of a game spares the next move of it the log, and decides nothing."""

from typing import Any

import pytest

from games.models import Game
from games.selectors import folded
from games.selectors.folded import Folded, Known, folded_kept, folded_of
from games.selectors.games import game_state
from games.services import play as service
from tests.games.stored import chosen, game_of, play, play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


@pytest.fixture
def game() -> Game:
    game = game_of(bots=4)
    play_on(game, lambda state: state.tricks == 2 and len(state.trick) == 1)
    return stored(game)


def stored(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def played(game: Game) -> None:
    state = game_state(game)
    play(game, chosen(state, state.awaited[0]), version=state.entries)


def known(game: Game) -> Known:
    return Known(folded_of(game), bytes(game.last_hash))


def same(found: Folded, expected: Folded) -> bool:
    return (found.log, found.states, found.voids) == (expected.log, expected.states, expected.voids)


def test_it_is_the_game_as_it_is_stored(game: Game, django_assert_num_queries: Any) -> None:
    expected = folded_of(game)
    with django_assert_num_queries(0):
        assert same(folded_kept(game), expected)


def test_it_goes_on_where_another_process_has_played(game: Game, django_assert_num_queries: Any) -> None:
    before = known(game)
    for _ in range(6):
        played(game)
    folded.folded_keep(game.pk, before)
    now = stored(game)
    expected = folded_of(now)
    for queries in (1, 0):
        with django_assert_num_queries(queries):
            assert same(folded_kept(now), expected)


def test_what_began_otherwise_is_read_anew(game: Game) -> None:
    other = game_of(bots=4)
    play_on(other, lambda state: state.tricks == 1 and len(state.trick) == 1)
    folded.folded_keep(game.pk, known(stored(other)))
    played(game)
    assert same(folded_kept(stored(game)), folded_of(stored(game)))


def test_a_move_that_was_undone_leaves_nothing(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    before, really = known(game), folded.folded_keep

    def fail(*arguments: Any) -> None:
        # The last thing that a move does.
        really(*arguments)
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(service, "folded_keep", fail)
        with pytest.raises(ZeroDivisionError):
            played(game)
    assert folded._kept[game.pk].folded.log.entries != before.folded.log.entries
    assert same(folded_kept(stored(game)), before.folded)
    played(game)
    assert same(folded_kept(stored(game)), folded_of(stored(game)))


def test_only_so_many_are_kept(game: Game) -> None:
    one = known(game)
    for number in range(1000, 1300):
        folded.folded_keep(number, one)
    assert len(folded._kept) == folded._MOST
    assert game.pk not in folded._kept
    folded._kept.clear()
