"""The sweep: it finds what has come due or was lost, and what goes wrong at one game keeps no other."""

import datetime as dt
import io
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from accounts.models import User
from games import effects, tasks
from games.clocks.pace import each_card
from games.models import Audit, Game, Halt, Holder, Notice, Turn, Vote
from games.rules.ruleset import Ruleset
from games.selectors.due import turns_due
from games.selectors.games import BrokenGame, game_state
from games.selectors.halts import HOLD
from games.services import bot_turns, timeouts
from games.services import sweep as sweep_module
from games.services.aside import MOST_FAILED
from games.services.planned import WAIT
from games.services.pulse import pulsed
from games.services.sweep import WEB_LATE, swept
from tests.games.conftest import Tasks
from tests.games.halting import frozen, game_taken_up, thawed
from tests.games.pacing import DAY, HOUR, awaited, paced, slow_game, turn_of
from tests.games.stored import NOW, chosen, everything, game_of, people, play
from tests.games.sweeping import MINUTE, SECOND, actors, bots_act, sweep
from tests.games.test_going_on import series

pytestmark = [pytest.mark.django_db]

DUE = NOW + DAY


def player(game: Game, seat: int) -> User:
    user = Holder.objects.get(table=game.table, seat__number=seat).user
    assert user is not None
    return user


class TestDue:
    def test_each_thing_at_its_time_and_once(self) -> None:
        late, done = slow_game(), series(next="once", rest_between=HOUR)
        # Whoever has not shown that an address is theirs is told of nothing there.
        EmailAddress.objects.filter(user=player(late, awaited(late))).update(verified=True)
        assert sweep(NOW) == sweep_module.Swept()
        found = sweep(NOW + HOUR)
        assert (found.dealt, Game.objects.filter(table=done.table).count()) == (1, 2)
        found = sweep(NOW + DAY * 4 / 5)
        assert (found.warned, Notice.objects.filter(kind="deadline", game=late).count()) == (1, 1)
        found = sweep(DUE)
        assert (found.ended, actors(late)) == (1, ["timeout"])
        found = sweep(DUE)
        assert (found.ended, found.warned, found.dealt) == (0, 0, 0)

    def test_an_only_card_goes_by_itself(self) -> None:
        game = paced(game_of(Ruleset(taking="off"), persons=people(3)), each_card(DAY))
        user = player(game, awaited(game))
        user.notices = {"forced": True}
        user.save()
        Turn.objects.filter(game=game).update(order_at=NOW + MINUTE)
        assert sweep(NOW + MINUTE - SECOND).ordered == 0
        assert sweep(NOW + MINUTE).ordered == 1
        assert actors(game) == ["order"]

    def test_a_vote_closes(self) -> None:
        game = slow_game()
        vote = Vote.objects.create(table=game.table, kind="pause", days=1, opened=NOW, closes=NOW + HOUR)
        sweep(NOW + HOUR)
        vote.refresh_from_db()
        assert vote.done == NOW + HOUR

    def test_in_portions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from games.selectors import due

        games = [slow_game() for _ in range(5)]
        monkeypatch.setattr(due, "AT_ONCE", 2)
        assert [(each.ended, each.more) for each in (sweep(DUE) for _ in range(4))] == [
            (2, True),
            (2, True),
            (1, False),
            (0, False),
        ]
        assert [actors(game) for game in games] == [["timeout"]] * 5

    def test_people_whose_time_is_up_stand_in_no_bots_way(self) -> None:
        """They are told apart, and those who come first waited longest."""
        game, bots = slow_game(), game_of(bots=3)
        due = turns_due(now=DUE, grace=5 * SECOND)
        assert (due.bots, due.people) == (((bots.pk, 0),), ((game.pk, awaited(game)),))
        Holder.objects.filter(table=game.table).update(stand_in="medium", stood_in=NOW)
        assert turns_due(now=DUE + 5 * SECOND, grace=5 * SECOND).bots == ((bots.pk, 0), (game.pk, 0))


class TestHeld:
    """Nobody is timed out while the site was, or may be, away: only bots and hands play."""

    def test_a_freeze_stops_all_that_comes_by_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game, done, bots = slow_game(), series(), game_of(bots=3)
        clock = bots_act(monkeypatch)
        frozen(why="", now=NOW + MINUTE)
        before = everything()
        clock.append(NOW + MINUTE)
        found = sweep(NOW + 2 * DAY)
        assert (found.halted, found.bots, found.dealt, found.ended, found.warned) == (True, 1, 0, 0, 0)
        assert actors(bots) == ["bot"]
        assert everything()["Notice"] == before["Notice"]
        # Nobody knows when time will be up.
        assert turn_of(game).due_at is None
        play(game, chosen(game_state(game), awaited(game)), now=NOW + 2 * DAY)
        thawed(now=NOW + 3 * DAY)
        found = sweep(NOW + 3 * DAY)
        assert (found.halted, found.dealt) == (False, 0)
        assert turn_of(game).due_at == NOW + 4 * DAY
        assert sweep(NOW + 3 * DAY + WAIT).dealt == 1
        assert Game.objects.filter(table=done.table).count() == 2

    def test_for_five_minutes_after_it(self) -> None:
        game = slow_game()
        Halt.objects.create(kind="outage", since=DUE - HOUR, until=DUE - HOUR, applied=DUE - HOUR)
        Halt.objects.create(kind="freeze", since=DUE, until=DUE + MINUTE, applied=DUE)
        assert sweep(DUE + HOLD).ended == 0
        assert turn_of(game).due_at == DUE
        assert sweep(DUE + HOLD + MINUTE).ended == 1

    def test_when_no_page_has_been_served_for_a_while(self) -> None:
        slow_game()
        pulsed(name="web", now=DUE - SECOND)
        late = DUE - SECOND + WEB_LATE
        assert sweep(late + SECOND).ended == 0
        pulsed(name="web", now=late)
        assert sweep(late + SECOND).ended == 1


type Wrong = Callable[[Game, Exception], None]


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> Wrong:
    """Let time-outs of a game fail."""

    def fail(game: Game, error: Exception) -> None:
        real = timeouts.turn_due

        def turn_due(*, game_id: int, **rest: Any) -> object:
            if game_id == game.pk:
                raise error
            return real(game_id=game_id, **rest)

        monkeypatch.setattr(sweep_module, "turn_due", turn_due)

    return fail


class TestAside:
    def test_after_three_failures_the_others_having_gone_on(
        self, wrong: Wrong, caplog: pytest.LogCaptureFixture
    ) -> None:
        broken, well = slow_game(), slow_game()
        wrong(broken, BrokenGame(broken.code, "the rules refuse it"))
        found = sweep(DUE)
        assert (set(found.failed), found.ended) == ({broken.pk}, 1)
        assert actors(well) == ["timeout"]
        for number in range(1, MOST_FAILED):
            broken.refresh_from_db()
            assert (broken.broken, broken.aside) == (number, None)
            sweep(DUE + number * SECOND)
        broken.refresh_from_db()
        assert broken.aside == DUE + (MOST_FAILED - 1) * SECOND
        assert turn_of(broken).due_at is turn_of(broken).warn_at is None
        said = [each.getMessage() for each in caplog.records if each.name == "games.services.aside"]
        assert len(said) == MOST_FAILED + 1
        assert "set aside" in said[-1]
        assert broken.code in said[-1]
        before = everything()
        assert sweep(DUE + HOUR) == sweep_module.Swept()
        assert everything() == before | {"Pulse": everything()["Pulse"]}

    def test_a_card_by_hand_lets_nothing_come_due_there(self, wrong: Wrong) -> None:
        game = slow_game()
        Game.objects.filter(pk=game.pk).update(aside=NOW)
        play(game, chosen(game_state(game), awaited(game)))
        assert turn_of(game).due_at is not None
        assert sweep(NOW + 2 * DAY) == sweep_module.Swept()
        assert turn_of(game).due_at is None

    def test_nobody_is_reminded_there(self) -> None:
        game = slow_game()
        Game.objects.filter(pk=game.pk).update(aside=NOW)
        assert (sweep(DUE - HOUR).warned, Notice.objects.filter(kind="deadline").count()) == (0, 0)

    def test_it_goes_on_when_somebody_has_seen_to_it(self) -> None:
        game = slow_game(persons=people(2), bots=2)
        Game.objects.filter(pk=game.pk).update(aside=NOW, broken=3)
        Turn.objects.filter(game=game).update(due_at=None, warn_at=None)
        for given in (("none", "Mended."), (game.code, " ")):
            with pytest.raises(CommandError):
                call_command("take_up", *given)
        call_command("take_up", game.code, "Mended.", stdout=io.StringIO())
        left: Any = Audit.objects.values_list("action", "by", "why", "game")
        assert list(left) == [("take_up", None, "Mended.", game.pk)]
        assert not game_taken_up(game_id=game.pk, now=NOW)
        game.refresh_from_db()
        assert (game.aside, game.broken) == (None, 0)
        assert turn_of(game).due_at is not None

    def test_failures_that_do_not_come_three_times_running_are_forgotten(self, wrong: Wrong) -> None:
        game = slow_game()
        for _ in range(2):
            wrong(game, ZeroDivisionError())
            sweep(DUE)
        wrong(game, OperationalError())
        sweep(DUE)
        assert Game.objects.get(pk=game.pk).broken == 2
        frozen(why="", now=DUE)
        thawed(now=DUE)
        Game.objects.filter(pk=game.pk).update(broken=2)
        play(game, chosen(game_state(game), awaited(game)), now=DUE)
        assert Game.objects.get(pk=game.pk).broken == 0

    def test_one_that_a_look_did_no_harm_has_recovered(self) -> None:
        game = slow_game()
        Game.objects.filter(pk=game.pk).update(broken=2)
        Turn.objects.filter(game=game).update(due_at=NOW)
        assert sweep(NOW).ended == 0
        assert Game.objects.get(pk=game.pk).broken == 0

    def test_a_votes_failure_keeps_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(now: dt.datetime) -> int:
            raise ZeroDivisionError

        monkeypatch.setattr(sweep_module, "votes_closed", fail)
        slow_game()
        assert sweep(DUE).ended == 1

    def test_a_bot_that_fails_three_times(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = game_of(bots=3)

        def broken(name: str) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(bot_turns, "bot_named", broken)
        for _ in range(MOST_FAILED):
            with pytest.raises(ZeroDivisionError):
                tasks.bot_turn(game.pk, 0)
        assert Game.objects.get(pk=game.pk).aside is not None
        assert turns_due(now=NOW + DAY, grace=SECOND).bots == ()


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite_too
def test_whatever_task_was_lost_two_sweeps_see_to_it(sent: Tasks) -> None:
    """The broker was emptied: nothing is in it of a bot, a card that goes by itself, a deadline, or the next deal."""
    past = timezone.now() - HOUR
    bots, person, done = game_of(bots=3), slow_game(), series(next="once")
    forced = paced(game_of(Ruleset(taking="off"), persons=people(3)), each_card(DAY))
    User.objects.filter(pk=player(forced, awaited(forced)).pk).update(notices={"forced": True})
    Turn.objects.exclude(game=forced).update(since=past - DAY, ran_from=past - DAY, due_at=past)
    Turn.objects.filter(game=forced).update(since=past, ran_from=past, due_at=past + DAY, order_at=past)
    for _ in range(2):
        sent()
        tasks.sweep()
    asked = sent()
    assert (effects.BOT_TURN, [bots.pk, 0], False) in asked
    for name, arguments, _ in asked:
        assert name in (effects.BOT_TURN, effects.NOTICES)
        if name == effects.BOT_TURN:
            tasks.bot_turn(*arguments)
    assert (actors(bots), actors(person), actors(forced)) == (["bot"], ["timeout"], ["order"])
    assert Game.objects.filter(table=done.table).count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_task_comes_again_at_once_if_more_is_due(sent: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "swept", lambda **_: sweep_module.Swept(more=True))
    tasks.sweep()
    assert sent() == [(effects.SWEEP, [], False)]


def test_a_sweep_of_nothing_asks_little(django_assert_max_num_queries: Any) -> None:
    for _ in range(3):
        slow_game()
    swept(now=NOW)
    with django_assert_max_num_queries(20):
        swept(now=NOW + SECOND)
