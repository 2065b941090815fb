import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from games.models import Deal, Game, Holder, Move, Result, Turn, WastePile
from games.rules.cards import card
from games.rules.errors import IllegalMove
from games.rules.events import CardDrawn
from games.rules.legality import foul_cards, legal_cards, legal_moves
from games.rules.moves import Draw, Play, Take
from games.rules.record import record_dict
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.selectors.games import dealt_state, game_state, held_seats
from games.services.errors import GameGone, KeyReused, NotYourSeat, ServiceError, StaleGame
from games.services.play import Outcome, move_play
from tests.games.stored import (
    NOW,
    chosen,
    everything,
    game_of,
    game_recorded,
    people,
    person,
    play,
    play_on,
    played,
    recorded,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

ANY_ORDER = Ruleset(opening="any_order")
STRICT = Ruleset(penalties="penalise")


def awaited(game: Game) -> list[int]:
    return list(Turn.objects.filter(game=game).order_by("seat").values_list("seat", flat=True))


def lead(state: GameState) -> Play:
    return Play(state.power, legal_cards(state, state.power)[0])


def test_a_card_is_an_entry_and_everything_follows() -> None:
    game = game_of(persons=people(3))
    state = game_state(game)
    later = NOW + dt.timedelta(minutes=5)
    outcome = play(game, lead(state), key="k", now=later)
    assert outcome == Outcome(number=1, version=1, repeated=False)
    [move] = Move.objects.filter(game=game)
    assert (move.number, move.kind, move.seat, move.card, move.victim) == (1, "play", state.power, "AS", None)
    assert (move.actor, move.key, move.at) == ("hand", "k", later)
    game.refresh_from_db()
    assert (game.version, game.revision, game.status, game.ended) == (1, 2, "running", None)
    assert bytes(game.last_hash) == bytes(move.hash)
    [turn] = Turn.objects.filter(game=game)
    assert (turn.seat, turn.since, turn.due_at) == (state.next_seat(state.power), later, None)


def test_whole_records_through_the_writer() -> None:
    for file, why in [
        ("edges", "drawn_thrice"),
        ("edges", "draw_next_last"),
        ("edges", "conceded"),
        ("edges", "all_empty_many"),
        ("strict", None),
        ("bhabho", None),
        ("donkey", None),
    ]:
        record = recorded(file, why=why)
        game = game_recorded(record)
        played(game, record)
        state = game_state(game)
        result = Result.objects.get(game=game)
        assert state.result is not None
        assert record_dict(record, state.result)["result"] == record.result
        assert (list(result.away), result.loser, result.void, result.cards_left) == (
            list(state.result.away), state.result.loser, state.result.void, state.result.cards_left,
        )  # fmt: skip
        assert result.holder is not None
        assert result.holder.seat.number == result.loser
        assert (game.status, game.ended, awaited(game)) == ("over", NOW, [])
        assert game.version == len(record.moves)
    call_command("verify_games")


REFUSED = [
    "revoke",
    "turn",
    "absent",
    "take",
    "after",
    "take_drawn",
    "foul_drawn",
    "foul_opening",
    "not_ace",
    "duty",
    "end",
]


@pytest.mark.parametrize("why", REFUSED)
def test_what_the_rules_refuse_changes_nothing(why: str) -> None:
    record = min((recorded("refused", line, why=why) for line in range(12)), key=lambda each: len(each.moves))
    *_, refused = record.moves
    assert not isinstance(refused, Draw)
    game = game_recorded(record)
    played(game, record, upto=-1)
    before = everything()
    with pytest.raises(IllegalMove):
        play(game, refused, key="k")
    assert everything() == before


def _other_game(game: Game) -> dict[str, Any]:
    return {"game_id": game.pk + 1000}


def _foreign_seat(game: Game) -> dict[str, Any]:
    return {"user_id": person("Stranger").pk}


def _nobody(game: Game) -> dict[str, Any]:
    return {"user_id": None}


def _left(game: Game) -> dict[str, Any]:
    Holder.objects.filter(table=game.table, user__isnull=False).update(until=NOW)
    return {}


def _bot_for_person(game: Game) -> dict[str, Any]:
    return {"actor": Move.Actor.BOT}


REFUSALS: list[tuple[Callable[[Game], dict[str, Any]], type[ServiceError]]] = [
    (_other_game, GameGone),
    (_foreign_seat, NotYourSeat),
    (_nobody, NotYourSeat),
    (_left, NotYourSeat),
    (_bot_for_person, NotYourSeat),
    (lambda _: {"version": 0}, StaleGame),
    (lambda _: {"version": 2}, StaleGame),
    (lambda _: {"version": -1}, StaleGame),
    (lambda _: {"version": 10**30}, StaleGame),
]


@pytest.mark.parametrize(("change", "error"), REFUSALS)
def test_what_the_service_refuses_changes_nothing(
    change: Callable[[Game], dict[str, Any]], error: type[ServiceError]
) -> None:
    game = game_of(persons=people(3))
    play(game, lead(game_state(game)))
    state = game_state(game)
    move, user = chosen(state, state.awaited[0]), held_seats(game.table_id)[state.awaited[0]].user_id
    changed = change(game)
    before = everything()
    given: dict[str, Any] = {"game_id": game.pk, "seat": move.seat, "move": move, "version": 1, "key": "k", "now": NOW}
    with pytest.raises(error) as refused:
        move_play(**given | {"actor": Move.Actor.HAND, "user_id": user} | changed)
    assert str(refused.value).endswith(".")
    assert everything() == before


def test_no_such_seat_and_what_is_not_a_move() -> None:
    game = game_of(persons=people(3))
    given: dict[str, Any] = {"game_id": game.pk, "version": 0, "actor": Move.Actor.HAND, "user_id": 1, "now": NOW}
    with pytest.raises(NotYourSeat):
        move_play(seat=7, move=Play(7, card("AS")), key="", **given)
    with pytest.raises(ValueError, match="another seat's"):
        move_play(seat=1, move=Play(0, card("AS")), key="", **given)
    for key in ["k" * 65, "\0", "a\nb", "\ud800"]:
        with pytest.raises(ValueError, match="no short plain text"):
            move_play(seat=0, move=Play(0, card("AS")), key=key, **given)


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


def test_no_query_grows_with_the_game(django_assert_num_queries: Any) -> None:
    game = game_of(bots=4)
    state = play_on(game, lambda state: state.tricks == 2 and len(state.trick) == 1)
    # One by the test itself; savepoint twice, game, holders, deal, log, entry, turns twice, game again.
    with django_assert_num_queries(11):
        play(game, chosen(state, state.awaited[0]), version=state.entries)
    state = play_on(game, lambda state: state.tricks > 9 and len(state.trick) == 1)
    with django_assert_num_queries(11):
        play(game, chosen(state, state.awaited[0]), version=state.entries)


def test_loading_is_two_queries(django_assert_num_queries: Any) -> None:
    game = game_of(bots=4)
    play_on(game, lambda state: state.tricks > 3)
    with django_assert_num_queries(2):
        state = game_state(game)
    assert state.entries == game.version
    assert dealt_state(game).hands == tuple(
        tuple(sorted(map(card, hand.split()))) for hand in Deal.objects.get(game=game).hands
    )
    assert json.loads(json.dumps(Deal.objects.get(game=game).hands)) == Deal.objects.get(game=game).hands
