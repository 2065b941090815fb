"""Which version of the game a move may be made for, and what happens to one that is sent again."""

import pytest

from games.models import Move
from games.rules.errors import IllegalMove
from games.rules.legality import legal_cards, legal_moves
from games.rules.moves import Draw, Play, Take
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.selectors.games import game_state
from games.services.errors import KeyReused, StaleGame
from games.services.play import Outcome
from tests.games.stored import (
    chosen,
    everything,
    game_of,
    game_recorded,
    people,
    play,
    play_on,
    played,
    recorded,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

ANY_ORDER = Ruleset(opening="any_order")
STRICT = Ruleset(penalties="penalise")


def lead(state: GameState) -> Play:
    return Play(state.power, legal_cards(state, state.power)[0])


class TestKeys:
    def test_ten_times_the_same_is_one_entry(self) -> None:
        game = game_of(persons=people(3))
        move = lead(game_state(game))
        first = play(game, move, version=0, key="k")
        before = everything()
        again = [play(game, move, version=version, key="k") for version in [0, 1, 7, -1, 0, 0, 0, 0, 0]]
        assert again == [Outcome(first.number, first.version, repeated=True)] * 9
        assert everything() == before

    def test_still_after_others_have_played_and_the_game_is_over(self) -> None:
        game = game_of(persons=people(3))
        move = lead(game_state(game))
        first = play(game, move, version=0, key="k")
        play_on(game, lambda state: state.result is not None or state.entries > 300)
        assert play(game, move, version=0, key="k") == Outcome(first.number, first.version, repeated=True)

    def test_the_version_of_a_repeated_move_counts_its_draw(self) -> None:
        record = recorded("edges", why="drawn_thrice")
        at = next(at for at, move in enumerate(record.moves) if isinstance(move, Draw))
        game = game_recorded(record)
        played(game, record, upto=at - 1)
        move = record.moves[at - 1]
        assert isinstance(move, Play)
        first = play(game, move, key="k")
        assert first == Outcome(number=at, version=at + 1, repeated=False)
        assert play(game, move, version=at - 1, key="k") == Outcome(at, at + 1, repeated=True)

    def test_another_move_or_seat_with_it_is_refused(self) -> None:
        game = game_of(persons=people(3))
        move = lead(game_state(game))
        play(game, move, key="k")
        state = game_state(game)
        before = everything()
        with pytest.raises(KeyReused):
            play(game, Play(move.seat, state.hands[move.seat][0]), key="k")
        with pytest.raises(KeyReused):
            play(game, chosen(state, state.awaited[0]), key="k")
        assert everything() == before

    def test_belongs_to_its_game(self) -> None:
        one = game_of(bots=3)
        move = lead(game_state(one))
        play(one, move, key="k")
        assert not play(game_of(bots=3), move, key="k").repeated

    def test_a_refused_move_keeps_none(self) -> None:
        game = game_of(persons=people(3))
        state = game_state(game)
        with pytest.raises(IllegalMove):
            play(game, Play(state.power, state.hands[state.power][0]), key="k")
        assert not play(game, lead(state), key="k").repeated


class TestOpeningInAnyOrder:
    def test_cards_of_different_seats_cross(self) -> None:
        game = game_of(ANY_ORDER, persons=people(5))
        state = game_state(game)
        play(game, lead(state))
        state = game_state(game)
        for seat in reversed(state.awaited):
            play(game, chosen(state, seat), version=1)
        assert [game_state(game).tricks, len(Move.objects.filter(game=game))] == [1, 5]

    def test_the_lead_must_have_been_seen(self) -> None:
        game = game_of(ANY_ORDER, persons=people(3))
        play(game, lead(game_state(game)))
        state = game_state(game)
        before = everything()
        for version in [0, -1, 2]:
            with pytest.raises(StaleGame):
                play(game, chosen(state, state.awaited[0]), version=version)
        assert everything() == before

    def test_a_second_card_of_a_seat_is_stale(self) -> None:
        game = game_of(ANY_ORDER, persons=people(3))
        play(game, lead(game_state(game)))
        state = game_state(game)
        seat = state.awaited[0]
        play(game, chosen(state, seat), version=1)
        before = everything()
        with pytest.raises(StaleGame):
            play(game, Play(seat, state.hands[seat][-1]), version=1)
        assert everything() == before

    def test_a_take_from_before_the_lead_is_stale_and_one_after_it_too_late(self) -> None:
        game = game_of(ANY_ORDER, persons=people(4))
        state = game_state(game)
        seat = state.next_seat(state.power)
        [take] = [move for move in legal_moves(state, seat) if isinstance(move, Take)]
        play(game, lead(state))
        before = everything()
        with pytest.raises(StaleGame):
            play(game, take, version=0)
        with pytest.raises(IllegalMove, match="before the next lead"):
            play(game, take, version=1)
        assert everything() == before

    def test_a_lead_from_before_a_take_is_stale(self) -> None:
        game = game_of(ANY_ORDER, persons=people(4))
        state = game_state(game)
        play(game, Take(state.power, state.next_seat(state.power)))
        with pytest.raises(StaleGame):
            play(game, lead(state), version=0)

    @pytest.mark.parametrize(("rules", "tricks"), [(Ruleset(), 0), (Ruleset(), 1), (ANY_ORDER, 1)])
    def test_nothing_crosses_in_turn_or_after_the_opening(self, rules: Ruleset, tricks: int) -> None:
        game = game_of(rules, bots=4)
        state = play_on(game, lambda state: state.tricks == tricks and len(state.trick) == 2)
        with pytest.raises(StaleGame):
            play(game, chosen(state, state.awaited[0]), version=state.entries - 1)
