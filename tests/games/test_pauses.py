"""Pauses of a table and the votes about them: who decides, what becomes of deadlines."""

import datetime as dt
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.clocks.pace import NO_LIMIT, each_card, live
from games.models import Ballot, Game, Holder, Pause, Result, Table, Turn, Vote
from games.selectors.games import game_state
from games.selectors.pauses import StopsShown, stops_shown
from games.services import errors, stop_errors
from games.services.locks import table_locked, writing
from games.services.votes import Question, vote_cast, vote_opened, vote_recounted, votes_closed
from tests.games.gathering import told
from tests.games.pacing import DAY, HOUR, awaited, slow_game, turn_of
from tests.games.stored import NOW, chosen, everything, people, person, play

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

PAUSE = Question(Vote.Kind.PAUSE, days=3)
EXTEND = Question(Vote.Kind.EXTEND, days=2)
RESUME = Question(Vote.Kind.RESUME)


def ask(game: Game, user: User, question: Question = PAUSE, at: dt.datetime = NOW) -> Vote:
    return vote_opened(table_id=game.table_id, user=user, question=question, now=at)


def say(vote: Vote, user: User, *, yes: bool = True, at: dt.datetime = NOW) -> Vote:
    return vote_cast(vote_id=vote.pk, user=user, yes=yes, now=at)


def reachable(count: int) -> list[User]:
    """People who have shown that their addresses are theirs: they are mailed to."""
    persons = people(count)
    EmailAddress.objects.filter(user__in=persons).update(verified=True)
    return persons


def agree(game: Game, persons: list[User], question: Question, at: dt.datetime) -> None:
    """The table of three does what two of them want."""
    assert say(ask(game, persons[0], question, at), persons[1], at=at).passed


def shown(game: Game, viewer: User | AnonymousUser, at: dt.datetime = NOW) -> StopsShown:
    """What the board says, in one query."""
    game = Game.objects.select_related("table").get(pk=game.pk)
    rows = list(Holder.objects.filter(table=game.table).select_related("seat").order_by("seat__number", "since"))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = stops_shown(game=game, rows=rows, viewer=viewer, now=at)
    assert len(queries) <= 1
    return found


class TestMoreThanHalfDecide:
    def test_to_pause(self) -> None:
        persons = reachable(3)
        game = slow_game(persons)
        before = Game.objects.get(pk=game.pk).revision
        vote = ask(game, persons[0])
        assert (vote.done, turn_of(game).due_at) == (None, NOW + DAY)
        assert say(vote, persons[1], at=NOW + HOUR).passed
        assert turn_of(game).due_at == NOW + 4 * DAY
        pause = Pause.objects.get()
        assert (pause.since, pause.until, pause.by) == (NOW + HOUR, NOW + HOUR + 3 * DAY, persons[0])
        assert Game.objects.get(pk=game.pk).revision > before + 1
        # Whoever's word it was knows.
        assert sorted(told("paused")) == ["P0", "P2"]

    def test_to_pause_longer_and_to_go_on(self) -> None:
        persons = reachable(3)
        game = slow_game(persons)
        agree(game, persons, PAUSE, NOW)
        agree(game, persons, EXTEND, NOW + DAY)
        assert turn_of(game).due_at == NOW + 6 * DAY
        agree(game, persons, RESUME, NOW + 2 * DAY)
        assert turn_of(game).due_at == NOW + 3 * DAY
        assert Pause.objects.get().until == NOW + 2 * DAY
        assert sorted(told("resumed")) == ["P0", "P2"]
        # And again, later.
        agree(game, persons, PAUSE, NOW + 2 * DAY + HOUR)
        assert turn_of(game).due_at == NOW + 6 * DAY

    def test_and_those_who_no_longer_can_are_told_no(self) -> None:
        persons = people(4)
        game = slow_game(persons)
        vote = ask(game, persons[0])
        assert say(vote, persons[1], yes=False).done is None
        # Half of them is not more than half.
        done = say(vote, persons[2], yes=False, at=NOW + HOUR)
        assert (done.done, done.passed, Pause.objects.count()) == (NOW + HOUR, False, 0)
        assert ask(game, persons[2]).done is None

    def test_the_last_word_of_each_counts(self) -> None:
        persons = people(3)
        vote = ask(slow_game(persons), persons[0])
        assert say(vote, persons[0], yes=False).done is None
        assert say(vote, persons[1]).done is None
        assert say(vote, persons[0]).passed
        assert Ballot.objects.count() == 2

    def test_with_bots_alone_at_once(self) -> None:
        nani = person("Nani")
        game = slow_game([nani], bots=2)
        assert ask(game, nani).passed
        assert shown(game, nani).alone
        assert shown(slow_game([nani], bots=2, pace=NO_LIMIT), nani).asks == ()
        assert ask(game, nani, RESUME, NOW + HOUR).passed
        assert not Pause.objects.filter(until__gt=NOW + HOUR).exists()

    def test_whom_a_bot_stands_in_for_has_no_say(self) -> None:
        persons = people(4)
        game = slow_game(persons)
        vote = say(ask(game, persons[0]), persons[1])
        assert vote.done is None
        Holder.objects.filter(user=persons[2]).update(stand_in="medium", stood_in=NOW)
        with writing():
            vote_recounted(table=table_locked(game.table_id), now=NOW)
        assert Vote.objects.get().passed

    @pytest.mark.parametrize(("pace", "hours"), [(each_card(DAY), 48), (live(dt.timedelta(minutes=1)), 1 / 30)])
    def test_a_vote_is_open_for_a_while(self, pace: object, hours: float) -> None:
        persons = people(3)
        game = slow_game(persons, pace=pace)  # type: ignore[arg-type]
        vote, closes = ask(game, persons[0]), NOW + hours * HOUR
        assert vote.closes == closes
        assert votes_closed(now=closes - dt.timedelta(seconds=1)) == 0
        with pytest.raises(stop_errors.VoteOver):
            say(vote, persons[1], at=closes)
        assert votes_closed(now=closes) == 1
        assert votes_closed(now=closes) == 0
        vote.refresh_from_db()
        assert (vote.done, vote.passed) == (closes, False)

    def test_what_is_too_old_makes_way_without_the_sweep(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        old = ask(game, persons[0])
        ask(game, persons[1], at=NOW + 3 * DAY)
        old.refresh_from_db()
        assert (old.passed, Vote.objects.filter(done=None).count()) == (False, 1)

    def test_nothing_is_decided_where_the_series_has_ended(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        vote = ask(game, persons[0])
        Table.objects.update(status="over")
        with pytest.raises(errors.TableOver):
            say(vote, persons[1])
        assert votes_closed(now=NOW + 3 * DAY) == 1
        assert not Vote.objects.get().passed
        assert shown(game, persons[0]) == StopsShown()

    def test_without_a_limit_a_table_pauses_too(self) -> None:
        persons = people(3)
        game = slow_game(persons, pace=NO_LIMIT)
        agree(game, persons, PAUSE, NOW)
        assert turn_of(game).due_at is None
        assert shown(game, persons[2]).stand

    def test_a_pause_puts_off_the_next_deal(self) -> None:
        persons = people(3)
        game = slow_game(persons, deals=2)
        with transaction.atomic():
            Turn.objects.all().delete()
            Result.objects.create(game=game, void=True, away=[])
            Game.objects.update(status="over", ended=NOW, next_at=NOW + HOUR / 6)
        agree(game, persons, PAUSE, NOW)
        assert Game.objects.get().next_at == NOW + 3 * DAY + HOUR / 6
        agree(game, persons, RESUME, NOW + DAY)
        assert Game.objects.get().next_at == NOW + DAY + HOUR / 6

    def test_one_that_cannot_be_closed_keeps_no_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        games = [slow_game(), slow_game()]
        for game in games:
            ask(game, User.objects.filter(holder__table=game.table).earliest("pk"))
        broken = games[0].table_id

        def locked(table_id: int) -> Table:
            return table_locked(table_id) if table_id != broken else Table.objects.get(pk=0)

        monkeypatch.setattr("games.services.votes.table_locked", locked)
        assert votes_closed(now=NOW + 3 * DAY) == 1


class TestABotForWhoKeepsTheTableWaiting:
    @pytest.fixture
    def late(self) -> tuple[Game, User, list[User]]:
        """A game that has waited once for somebody, who that is, and the others."""
        persons = people(4)
        game = slow_game(persons, missed="nudge")
        seat = awaited(game)
        Turn.objects.filter(game=game).update(nudges=1)
        return game, persons[seat], [each for each in persons if each != persons[seat]]

    def test_is_decided_by_the_others(self, late: tuple[Game, User, list[User]]) -> None:
        game, slow, others = late
        seat = awaited(game)
        assert shown(game, others[0]).bots == ((seat, slow.name),)
        vote = ask(game, others[0], Question(Vote.Kind.BOT, seat=seat))
        with pytest.raises(stop_errors.VoteGone):
            say(vote, slow, yes=False)
        assert not (asked := shown(game, slow).vote) or not asked.may
        assert say(vote, others[1]).passed
        assert Holder.objects.get(user=slow).stand_in == "medium"
        with pytest.raises(errors.StoodIn):
            ask(game, slow)

    def test_and_is_gone_with_their_card(self, late: tuple[Game, User, list[User]]) -> None:
        game, slow, others = late
        vote = ask(game, others[0], Question(Vote.Kind.BOT, seat=awaited(game)))
        play(game, chosen(game_state(game), awaited(game)))
        assert shown(game, others[1]).vote is None
        ask(game, slow)
        vote.refresh_from_db()
        assert (vote.done, vote.passed) == (NOW, False)

    def test_of_two_people_the_other_one_alone(self) -> None:
        persons = people(2)
        game = slow_game(persons, bots=2, missed="nudge")
        while (seat := awaited(game)) > 1:
            play(game, chosen(game_state(game), seat))
        Turn.objects.filter(game=game).update(nudges=2)
        assert ask(game, persons[1 - seat], Question(Vote.Kind.BOT, seat=seat)).passed


BAD: dict[str, tuple[type[Exception], Callable[[Game, list[User]], object]]] = {
    "by nobody of the table": (errors.NotYourSeat, lambda game, _: ask(game, person("Roza"))),
    "by a stranger": (stop_errors.VoteGone, lambda game, _: say(Vote.objects.get(), person("Roza"))),
    "of no vote": (stop_errors.VoteGone, lambda _, persons: vote_cast(vote_id=0, user=persons[1], yes=True, now=NOW)),
    "twice": (stop_errors.VoteOpen, lambda game, persons: ask(game, persons[1])),
    "late": (stop_errors.VoteOver, lambda _, persons: say(Vote.objects.get(), persons[1], at=NOW + 3 * DAY)),
    "of no table": (
        errors.TableGone,
        lambda _, persons: vote_opened(table_id=0, user=persons[0], question=PAUSE, now=NOW),
    ),
    "for ever": (ValueError, lambda game, persons: ask(game, persons[1], Question(Vote.Kind.PAUSE, days=15))),
    "for no day": (ValueError, lambda game, persons: ask(game, persons[1], Question(Vote.Kind.PAUSE))),
    "for days of nothing": (ValueError, lambda game, persons: ask(game, persons[1], Question(Vote.Kind.RESUME, 2))),
}


@pytest.mark.parametrize("how", BAD)
def test_what_is_refused_changes_nothing(how: str) -> None:
    error, act = BAD[how]
    persons = people(3)
    game = slow_game(persons)
    ask(game, persons[0])
    person("Asha")
    before = {name: rows for name, rows in everything().items() if name not in ("User", "EmailAddress")}
    with pytest.raises(error):
        act(game, persons)
    assert {name: rows for name, rows in everything().items() if name in before} == before


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (EXTEND, stop_errors.PauseOff),
        (RESUME, stop_errors.PauseOff),
        (PAUSE, stop_errors.PauseOn),
        (Question(Vote.Kind.BOT, seat=0), stop_errors.NotKeptWaiting),
        (Question(Vote.Kind.BOT, seat=11), stop_errors.NotKeptWaiting),
        (Question(Vote.Kind.BOT), stop_errors.NotKeptWaiting),
    ],
)
def test_what_makes_no_sense_now_is_not_asked(question: Question, error: type[Exception]) -> None:
    persons = people(3)
    game = slow_game(persons)
    if question == PAUSE:
        agree(game, persons, PAUSE, NOW)
    with pytest.raises(error):
        ask(game, persons[2], question)
