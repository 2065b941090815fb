import datetime as dt
import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from games.models import Deal, Game, Holder, Move, Result, Turn, WastePile
from games.rules.cards import PACK, card
from games.rules.errors import IllegalMove
from games.rules.legality import foul_cards, legal_cards, legal_moves
from games.rules.moves import Draw, Play, Take
from games.rules.record import record_dict
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.selectors.games import dealt_state, game_state, held_seats
from games.services.errors import GameGone, NotYourSeat, ServiceError, StaleGame
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
        draws = 0 if record.rules.power == "draw_next" else sum(isinstance(move, Draw) for move in record.moves)
        assert WastePile.objects.get(game=game).shuffles == draws
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


def forged(rng: Random, state: GameState) -> Play | Take:
    """Any move at all, with a card that the seat holds about as often as not."""
    seat = rng.randrange(state.players)
    if rng.random() < 0.15:
        return Take(seat, (seat + rng.choice([1, 2])) % state.players)
    return Play(seat, rng.choice(rng.choice([state.hands[seat] or PACK, PACK])))


def is_right(state: GameState, move: Play | Take, version: int) -> bool:
    """Say whether the rules and the version allow a move that its seat's holder sends."""
    fouls = [Play(move.seat, each) for each in foul_cards(state, move.seat)]
    crosses = len(state.trick) > 1 and state.face_down and isinstance(move, Play) and move.seat in state.awaited
    return move in [*legal_moves(state, move.seat), *fouls] and (version == state.entries or crosses)


@pytest.mark.parametrize("rules", [STRICT, ANY_ORDER, Ruleset(game="donkey", taking="leader")])
def test_of_forged_moves_exactly_the_right_ones_are_accepted(rules: Ruleset) -> None:
    rng, game = Random(7), game_of(rules, persons=people(4))
    users = [held.user_id for held in held_seats(game.table_id).values()]
    told = Counter[bool]()
    for step in range(100):
        state = game_state(game)
        # Now and then a card of whoever is awaited, so that the game goes on.
        move = chosen(state, state.awaited[0], seed=step) if step % 5 == 4 else forged(rng, state)
        version, user = state.entries - (rng.random() < 0.3), users[move.seat] if rng.random() < 0.8 else users[0]
        right = user == users[move.seat] and is_right(state, move, version)
        if isinstance(move, Take) and right:
            # Would soon end the game.
            continue
        told[right] += 1
        before = everything()
        try:
            # Cards are drawn by the seed as well.
            play(game, move, version=version, user_id=user, source=rng.randrange)
        except (ServiceError, IllegalMove):
            assert not right
            assert everything() == before
        else:
            assert right
    assert min(told[True], told[False]) > 10


def test_no_query_grows_with_the_game(django_assert_num_queries: Any) -> None:
    game = game_of(bots=4)
    state = play_on(game, lambda state: state.tricks == 2 and len(state.trick) == 1)
    # One by the test itself; savepoint twice, table and game, holders, entry, turns three times, game again.
    with django_assert_num_queries(10):
        play(game, chosen(state, state.awaited[0]), version=state.entries)
    state = play_on(game, lambda state: state.tricks > 9 and len(state.trick) == 1)
    with django_assert_num_queries(10):
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
