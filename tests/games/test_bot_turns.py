import io
import time
from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from games import effects, tasks
from games.models import Game, Move, Turn
from games.rules.cards import card
from games.rules.legality import legal_moves
from games.rules.moves import Play, Take
from games.rules.ruleset import PRESETS, Ruleset
from games.rules.shuffle import Source
from games.rules.view import SeatView
from games.selectors.due import turns_due
from games.selectors.games import game_state
from games.services import bot_pace, bot_turns
from games.services.bot_pace import LEAD_PAUSE, PAUSE, bot_pause, bots_asked
from games.services.bot_turns import GRACE, bot_move
from games.services.dealing import game_start
from tests.games.conftest import Tasks
from tests.games.stored import NOW, chosen, everything, game_of, person, play, play_on, table_of

pytestmark = [pytest.mark.sqlite_too]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("presets", [("Strict table",), pytest.param(tuple(PRESETS), marks=pytest.mark.soak)])
def test_bots_play_whole_games_by_themselves(worker: None, presets: tuple[str, ...]) -> None:
    """A real worker takes every task from the broker; nobody else does anything. All presets in the long campaign."""
    for rules in map(PRESETS.__getitem__, presets):
        table = table_of(rules, bots=rules.seats.start + 1, level="easy" if rules.packs == 1 else "random")
        game_start(table_id=table.pk, now=timezone.now())
    until = time.monotonic() + 120
    while Game.objects.filter(status=Game.Status.RUNNING).exists():
        assert time.monotonic() < until, list(Game.objects.values_list("table__name", "status", "version"))
        time.sleep(0.1)
    assert set(Move.objects.values_list("actor", flat=True)) == {"bot"}
    assert not Turn.objects.exists()
    call_command("verify_games", stdout=io.StringIO())


@pytest.mark.django_db
class TestOneTurn:
    def test_the_awaited_bot_plays(self) -> None:
        game = game_of(Ruleset(taking="off"), bots=3)
        state = game_state(game)
        outcome = bot_move(game_id=game.pk, version=0, now=NOW)
        assert outcome is not None
        assert (outcome.number, outcome.version) == (1, 1)
        move = Move.objects.get(game=game)
        assert (move.seat, move.actor, move.key, move.card) == (state.power, "bot", "", "AS")

    def test_again_or_late_or_early_does_nothing(self) -> None:
        game = game_of(bots=3)
        bot_move(game_id=game.pk, version=0, now=NOW)
        before = everything()
        for version in [0, 2, -1]:
            assert bot_move(game_id=game.pk, version=version, now=NOW) is None
        assert bot_move(game_id=game.pk + 1000, version=1, now=NOW) is None
        assert everything() == before

    def test_not_for_a_person_nor_when_it_is_over(self) -> None:
        game = game_of(persons=[person()], bots=2, dealer=1)
        state = play_on(game, lambda state: state.awaited == (0,) and bool(state.trick))
        assert bot_move(game_id=game.pk, version=state.entries, now=NOW) is None
        state = play_on(game, lambda state: state.result is not None)
        assert bot_move(game_id=game.pk, version=state.entries, now=NOW) is None

    def test_a_quicker_one_is_let_be(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = game_of(Ruleset(taking="off"), bots=3)
        state = game_state(game)

        class Slow:
            def choose(self, view: SeatView, source: Source) -> Play | Take:
                play(game, chosen(state, state.power), version=0)
                return chosen(state, state.power)

        monkeypatch.setattr(bot_turns, "bot_named", lambda _: Slow())
        assert bot_move(game_id=game.pk, version=0, now=NOW) is None
        assert Move.objects.filter(game=game).count() == 1

    def test_sees_its_own_seats_view_and_no_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = game_of(bots=4)
        state = play_on(game, lambda state: state.tricks == 1)
        seen: list[object] = []

        class Spy:
            def choose(self, view: object, source: Source) -> None:
                seen.append(view)

        monkeypatch.setattr(bot_turns, "bot_named", lambda _: Spy())
        assert bot_move(game_id=game.pk, version=state.entries, now=NOW) is None
        assert [type(view) for view in seen] == [SeatView] * 4
        assert [getattr(view, "seat", None) for view in seen] == list(bots_asked(state, frozenset(range(4))))
        assert [getattr(view, "hands", "hidden") for view in seen] == [None] * 4

    def test_those_that_may_take_a_hand_are_asked_before_the_lead(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = game_of(bots=4)
        state = play_on(game, lambda state: state.tricks == 1)
        taker = next(seat for seat in range(4) if seat != state.power)

        class Taker:
            def choose(self, view: SeatView, source: Source) -> Play | Take | None:
                return view.take if view.seat == taker else None

        monkeypatch.setattr(bot_turns, "bot_named", lambda _: Taker())
        bot_move(game_id=game.pk, version=state.entries, now=NOW)
        last = Move.objects.filter(game=game).latest("number")
        assert (last.kind, last.seat, last.victim) == ("take", taker, state.next_seat(taker))


@pytest.mark.django_db
class TestPace:
    def test_before_a_bots_lead_people_have_time_to_take_a_hand(self) -> None:
        state = play_on(game_of(bots=4), lambda state: state.tricks == 1)
        bots = frozenset(range(4)) - {state.next_seat(state.power)}
        assert bot_pause(state, bots) == LEAD_PAUSE
        assert bot_pause(state, frozenset(range(4))) == PAUSE

    def test_not_where_nobody_may_take(self) -> None:
        game = game_of(Ruleset(taking="off"), bots=4)
        state = play_on(game, lambda state: state.tricks == 1)
        assert bot_pause(state, frozenset(range(4)) - {state.next_seat(state.power)}) == PAUSE
        assert bot_pause(state, frozenset(range(4)) - {state.power}) is None

    def test_before_a_persons_lead_bots_may_take(self) -> None:
        state = play_on(game_of(bots=4), lambda state: state.tricks == 1)
        bots = frozenset(range(4)) - {state.power}
        assert bots_asked(state, bots) == tuple(sorted(bots))
        assert bot_pause(state, bots) == PAUSE

    def test_a_person_awaited_in_a_trick_is_waited_for(self) -> None:
        game = game_of(bots=4)
        state = play_on(game, lambda state: len(state.trick) == 1)
        assert bot_pause(state, frozenset(range(4)) - set(state.awaited)) is None
        assert bot_pause(state, frozenset(state.awaited)) == PAUSE

    def test_all_awaited_bots_of_an_opening_in_any_order(self) -> None:
        game = game_of(Ruleset(opening="any_order"), bots=5)
        state = play_on(game, lambda state: len(state.trick) == 1)
        assert bots_asked(state, frozenset(range(5))) == state.awaited
        assert len(state.awaited) == 4


@pytest.mark.django_db(transaction=True)
class TestSending:
    def test_for_the_version_that_was_stored_and_with_a_pause(self, sent: Tasks) -> None:
        game = game_of(bots=3)
        assert sent() == [("games.bot_turn", [game.pk, 0], True)]
        play(game, chosen(game_state(game), game_state(game).power))
        assert sent() == [("games.bot_turn", [game.pk, 1], True)]

    def test_not_when_no_bot_can_act(self, sent: Tasks) -> None:
        game = game_of(Ruleset(taking="off"), persons=[person(), person("B")], bots=1)
        play_on(game, lambda state: set(state.awaited) < {0, 1} and state.tricks == 1, each=True)
        last = sent()[-1]
        assert last[1][1] < game.version
        play_on(game, lambda state: state.result is not None, each=True)
        assert game.version not in [arguments[1] for _, arguments, _ in sent()]


def late(now: datetime) -> list[tuple[int, int]]:
    return list(turns_due(now=now, grace=GRACE).bots)


@pytest.mark.django_db(transaction=True)
class TestSweep:
    def test_sends_again_for_a_bot_that_has_not_come(self, sent: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
        game = game_of(bots=3)
        sent()
        due = Turn.objects.get(game=game).due_at
        assert due == NOW + PAUSE
        assert due is not None
        assert late(now=due + GRACE - timedelta(milliseconds=1)) == []
        assert late(now=due + GRACE) == [(game.pk, 0)]
        tasks.sweep()
        assert sent() == [("games.bot_turn", [game.pk, 0], False)]
        tasks.bot_turn(game.pk, 0)
        assert Move.objects.filter(game=game).count() == 1

    def test_leaves_people_and_finished_games_alone(self) -> None:
        later = NOW + timedelta(days=1)
        game = game_of(persons=[person()], bots=2)
        play_on(game, lambda state: state.awaited == (0,))
        assert late(now=later) == []
        play_on(game, lambda state: state.result is not None)
        assert late(now=later) == []

    def test_names_a_game_once_the_longest_waiting_first(self) -> None:
        later = NOW + timedelta(days=1)
        one, two = game_of(Ruleset(opening="any_order"), bots=5), game_of(bots=3)
        play_on(one, lambda state: len(state.trick) == 1)
        Turn.objects.filter(game=two).update(since=NOW - timedelta(days=1), due_at=NOW - timedelta(hours=1))
        assert late(now=later) == [(two.pk, 0), (one.pk, 1)]

    def test_a_game_goes_on_after_every_task_was_lost(self, sent: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("PAUSE", "LEAD_PAUSE"):
            monkeypatch.setattr(bot_pace, name, timedelta(0))
        game = game_of(Ruleset(opening="any_order"), bots=5)
        for _ in range(12):
            sent()
            tasks.sweep(0)
            for name, arguments, _ in sent():
                assert name == effects.BOT_TURN
                tasks.bot_turn(*arguments)
        assert Game.objects.get(pk=game.pk).version >= 4

    def test_after_a_restart_nobody_waits_out_the_grace(self, sent: Tasks) -> None:
        game = game_of(bots=3)
        Turn.objects.filter(game=game).update(due_at=timezone.now() + LEAD_PAUSE - timedelta(milliseconds=100))
        sent()
        tasks.sweep()
        assert sent() == []
        effects.sweep_at_start()
        [(name, arguments, later)] = sent()
        assert (name, later) == (effects.SWEEP, False)
        tasks.sweep(*arguments)
        assert sent() == [("games.bot_turn", [game.pk, 0], False)]

    def test_is_on_the_schedule(self, settings: object) -> None:
        schedule = settings.CELERY_BEAT_SCHEDULE  # type: ignore[attr-defined]  # a lazy object
        assert any(entry["task"] == effects.SWEEP and entry["schedule"] == 10 for entry in schedule.values())


def test_pauses_are_what_a_person_can_follow() -> None:
    assert timedelta(seconds=0.3) < bot_pace.PAUSE < timedelta(seconds=1)
    assert timedelta(seconds=3) <= bot_pace.LEAD_PAUSE < timedelta(seconds=5)


@pytest.mark.django_db
def test_bots_never_foul() -> None:
    game = game_of(PRESETS["Strict table"], bots=3, level="easy")
    state = game_state(game)
    while state.result is None and state.entries < 60:
        bot_move(game_id=game.pk, version=state.entries, now=NOW)
        last = Move.objects.filter(game=game).latest("number")
        if last.kind == "play":
            assert Play(last.seat, card(last.card)) in legal_moves(state, last.seat)
        state = game_state(game)
