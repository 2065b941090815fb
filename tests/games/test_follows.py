"""What follows from an accepted entry: fouls, turns, the waste and the draw."""

import datetime as dt

import pytest
from django.db import transaction

from games.models import Game, Holder, Move, Turn, WastePile
from games.rules.errors import IllegalMove
from games.rules.events import CardDrawn
from games.rules.legality import foul_cards, legal_cards
from games.rules.moves import Draw, Play, Take
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.selectors.games import game_state
from games.services.errors import StaleGame
from tests.games.stored import (
    NOW,
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

pytestmark = pytest.mark.django_db

ANY_ORDER = Ruleset(opening="any_order")
STRICT = Ruleset(penalties="penalise")


def awaited(game: Game) -> list[int]:
    return list(Turn.objects.filter(game=game).order_by("seat").values_list("seat", flat=True))


def lead(state: GameState) -> Play:
    return Play(state.power, legal_cards(state, state.power)[0])


class TestFouls:
    @pytest.fixture
    def fouling(self) -> tuple[Game, Play]:
        game = game_of(STRICT, persons=people(4))
        state = play_on(game, lambda state: state.tricks == 1 and bool(foul_cards(state, 0)))
        return game, Play(0, foul_cards(state, 0)[0])

    def test_a_hand_may(self, fouling: tuple[Game, Play]) -> None:
        game, foul = fouling
        play(game, foul)
        state = game_state(game)
        assert (state.power, state.hands[0].count(foul.card)) == (0, 1)
        assert awaited(game) == [0]

    @pytest.mark.parametrize("actor", [Move.Actor.TIMEOUT, Move.Actor.ORDER, Move.Actor.ADMIN, Move.Actor.BOT])
    def test_nobody_else_may(self, fouling: tuple[Game, Play], actor: Move.Actor) -> None:
        game, foul = fouling
        if actor == Move.Actor.BOT:
            Holder.objects.filter(table=game.table, seat__number=0).update(user=None, bot="easy")
        before = everything()
        with pytest.raises(IllegalMove):
            play(game, foul, actor=actor)
        assert everything() == before

    def test_needs_the_version_that_stands(self, fouling: tuple[Game, Play]) -> None:
        game, foul = fouling
        with pytest.raises(StaleGame):
            play(game, foul, version=game.version - 1)


class TestTurns:
    def test_every_awaited_seat_has_one_and_a_seat_that_goes_on_keeps_its_own(self) -> None:
        game = game_of(ANY_ORDER, persons=people(3), bots=2)
        state = game_state(game)
        play(game, lead(state), now=NOW)
        state = game_state(game)
        assert awaited(game) == list(state.awaited)
        later = NOW + dt.timedelta(hours=1)
        play(game, chosen(state, state.awaited[0]), now=later)
        assert awaited(game) == list(state.awaited[1:])
        assert set(Turn.objects.filter(game=game).values_list("since", flat=True)) == {NOW}

    def test_the_winner_of_a_trick_has_a_new_one(self) -> None:
        game = game_of(persons=people(3))
        state = play_on(game, lambda s: s.tricks == 1 and len(s.trick) == 2)
        later = NOW + dt.timedelta(hours=1)
        play(game, chosen(state, state.awaited[0]), now=later)
        assert set(Turn.objects.filter(game=game).values_list("since", flat=True)) == {later}

    def test_taking_a_hand_before_ones_lead_does_not_begin_a_new_one(self) -> None:
        game = game_of(persons=people(4))
        state = game_state(game)
        play(game, Take(state.power, state.next_seat(state.power)), now=NOW + dt.timedelta(hours=1))
        [turn] = Turn.objects.filter(game=game)
        assert (turn.seat, turn.since) == (state.power, NOW)

    def test_only_a_bot_is_due(self) -> None:
        game = game_of(ANY_ORDER, persons=people(2), bots=2)
        play_on(game, lambda state: len(state.trick) == 1)
        due = {turn.seat: turn.due_at for turn in Turn.objects.filter(game=game)}
        assert {seat for seat, at in due.items() if at is not None} == {2, 3}.intersection(due)


class TestWaste:
    def test_lies_as_shuffled_before_the_draw_then_the_trick_just_played(self) -> None:
        record = recorded("edges", why="drawn_thrice")
        at = next(at for at, move in enumerate(record.moves) if isinstance(move, Draw))
        game = game_recorded(record)
        played(game, record, upto=at - 1)
        pile = WastePile.objects.get(game=game)
        lay = pile.cards.split()
        assert (pile.shuffles, pile.shuffled_at) == (0, None)
        assert lay == [each.code for each in game_state(game).waste]
        asked: list[int] = []

        def first_place(below: int) -> int:
            asked.append(below)
            return 0

        move = record.moves[at - 1]
        assert isinstance(move, Play)
        later = NOW + dt.timedelta(hours=1)
        play(game, move, source=first_place, now=later, key="k")
        # Each card from the last on changes places with the top one: they end up moved on by one place.
        turned = [*lay[1:], lay[0]]
        pile.refresh_from_db()
        state = game_state(game)
        assert state.last is not None
        trick = [each.card.code for each in state.last.plays]
        assert asked == list(range(len(lay), 1, -1))
        assert pile.cards.split() == [*turned[1:], *trick]
        assert (pile.shuffles, pile.shuffled_at) == (1, later)
        drawn = Move.objects.get(game=game, kind="draw")
        assert (drawn.number, drawn.seat, drawn.card) == (at + 1, state.power, turned[0])
        assert (drawn.actor, drawn.key, drawn.at) == ("hand", "", later)
        assert awaited(game) == [state.power]

    def test_is_shuffled_anew_before_each_draw_by_the_systems_randomness(self) -> None:
        record = recorded("edges", why="drawn_thrice")
        at = next(at for at, move in enumerate(record.moves) if isinstance(move, Draw))
        game = game_recorded(record)
        played(game, record, upto=at - 1)
        move = record.moves[at - 1]
        assert isinstance(move, Play)
        came, orders = set(), set()
        for _ in range(12):
            before = transaction.savepoint_create()
            play(game, move)
            came.add(Move.objects.get(game=game, kind="draw").card)
            orders.add(WastePile.objects.get(game=game).cards)
            transaction.savepoint_rollback(before)
        assert len(orders) == 12
        assert len(came) > 3

    def test_a_draw_from_the_next_hand_leaves_it_alone_but_for_the_trick(self) -> None:
        record = recorded("edges", why="draw_next_last")
        at = next(at for at, move in enumerate(record.moves) if isinstance(move, Draw))
        game = game_recorded(record)
        played(game, record, upto=at + 1)
        pile, state = WastePile.objects.get(game=game), game_state(game)
        assert (pile.shuffles, pile.cards.split()) == (0, [each.code for each in state.waste])
        assert any(isinstance(event, CardDrawn) and event.from_seat is not None for event in state.events)
