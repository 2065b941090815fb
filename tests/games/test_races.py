import io
from collections import Counter

import pytest
from django.core.management import call_command

from games.models import Game, Move, Table, Turn
from games.rules.moves import Play, Take
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state
from games.services.bot_turns import bot_move
from games.services.dealing import game_next, game_start
from games.services.errors import GameRunning, StaleGame
from games.services.play import Outcome
from games.services.tables import SeatPlan, TablePlan, table_open
from tests.games.stored import NOW, chosen, everything, game_of, in_threads, people, play, play_on, table_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def verify() -> None:
    call_command("verify_games", stdout=io.StringIO())


def without_projections(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """What an accepted card must not have touched."""
    return {name: found for name, found in rows.items() if name not in ("Game", "Move", "Turn", "Answer")}


def test_fifty_posts_of_one_version_are_one_entry() -> None:
    game = game_of(persons=people(4))
    state = play_on(game, lambda state: state.tricks == 1 and len(state.trick) == 1)
    move, before = chosen(state, state.awaited[0]), everything()
    results = in_threads(50, lambda number: play(game, move, version=state.entries, key=f"key {number}"))
    kinds = Counter(type(result).__name__ for result in results)
    assert kinds == {"Outcome": 1, "StaleGame": 49}
    after = everything()
    assert after["Move"][:-1] == before["Move"]
    assert len(after["Game"]) == 1
    assert Game.objects.get().version == state.entries + 1
    assert [turn.seat for turn in Turn.objects.all()] == list(game_state(game).awaited)
    assert len(after["Answer"]) == len(before["Answer"]) + 1
    assert without_projections(after) == without_projections(before)
    verify()


def test_fifty_posts_with_one_key_are_one_entry_and_one_outcome() -> None:
    game = game_of(persons=people(4))
    state = play_on(game, lambda state: len(state.trick) == 1)
    move = chosen(state, state.awaited[0])
    results = in_threads(50, lambda _: play(game, move, version=state.entries, key="one"))
    first = Outcome(state.entries + 1, state.entries + 1, repeated=False)
    again = Outcome(state.entries + 1, state.entries + 1, repeated=True)
    assert Counter(results) == {first: 1, again: 49}
    assert Move.objects.filter(game=game).count() == state.entries + 1


def test_the_opening_in_any_order_is_played_by_all_at_once() -> None:
    game = game_of(Ruleset(opening="any_order"), persons=people(8))
    state = play_on(game, lambda state: len(state.trick) == 1)
    moves = [chosen(state, seat) for seat in state.awaited]
    results = in_threads(7, lambda number: play(game, moves[number], version=1))
    assert all(isinstance(result, Outcome) for result in results)
    assert game_state(game).tricks == 1
    assert sorted(Move.objects.filter(game=game).values_list("seat", flat=True)) == list(range(8))
    verify()


def test_a_lead_and_a_take_at_once_are_one_entry() -> None:
    game = game_of(persons=people(4))
    state = play_on(game, lambda state: state.tricks == 1)
    taker = state.next_seat(state.power)
    moves: list[Play | Take] = [chosen(state, state.power), Take(taker, state.next_seat(taker))]
    results = in_threads(10, lambda number: play(game, moves[number % 2], version=state.entries))
    assert Counter(type(result) for result in results) == {Outcome: 1, StaleGame: 9}
    verify()


def test_a_task_that_runs_in_five_places_is_one_entry() -> None:
    game = game_of(bots=4)
    play_on(game, lambda state: state.tricks == 1)
    results = in_threads(5, lambda _: bot_move(game_id=game.pk, version=game.version, now=NOW))
    assert sum(result is not None for result in results) == 1
    assert Move.objects.filter(game=game).count() == game.version + 1


def test_ten_who_start_a_table_start_one_game() -> None:
    table = table_of(bots=3, deals=2)
    results = in_threads(10, lambda _: game_start(table_id=table.pk, now=NOW))
    assert Counter(type(result) for result in results) == {Game: 1, GameRunning: 9}
    game = Game.objects.get()
    play_on(game, lambda state: state.result is not None)
    results = in_threads(10, lambda _: game_next(table_id=table.pk, now=NOW))
    assert Counter(type(result) for result in results) == {Game: 1, GameRunning: 9}
    assert list(Game.objects.order_by("number").values_list("number", flat=True)) == [1, 2]


def test_a_form_sent_ten_times_at_once_opens_one_table() -> None:
    nani = people(1)[0]
    plan, seats = TablePlan(nani, "Ours", Ruleset()), [SeatPlan(user=nani), *[SeatPlan(bot="easy")] * 3]
    results = in_threads(10, lambda _: table_open(plan=plan, seats=seats, key="one", now=NOW))
    assert results == [Game.objects.get()] * 10
    assert Table.objects.count() == 1
    verify()


def test_games_played_at_once_while_they_are_verified() -> None:
    games = [game_of(bots=3 + number % 3) for number in range(5)]

    def act(number: int) -> None:
        for at in range(15):
            if number == 5:
                verify()
            else:
                state = game_state(games[number])
                play(games[number], chosen(state, state.awaited[0], seed=at), version=state.entries)

    assert in_threads(6, act) == [None] * 6
    assert set(Game.objects.values_list("version", flat=True)) >= {15}
    verify()
