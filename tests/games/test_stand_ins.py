"""Bots that play for people who are not there: the seat, its losses and its clock stay the person's."""

import datetime as dt

import pytest

from games.clocks.pace import banked, each_card
from games.models import Answer, Ballot, Bank, Game, Holder, Move, Result, Table, Turn, Vote
from games.selectors.due import turns_due
from games.selectors.games import game_state, held_seats
from games.services.bot_turns import GRACE, bot_move
from games.services.dealing import game_next, game_start
from games.services.erasing import person_erased
from games.services.errors import NotYourSeat, StoodIn
from games.services.locks import table_locked, writing
from games.services.seats import seat_left
from games.services.stand_ins import stood_in
from games.services.timeouts import came_back, turn_due
from games.services.verify import game_verify
from games.services.votes import Question, vote_cast, vote_opened
from tests.games.pacing import DAY, HOUR, awaited, paced, slow_game, turn_of
from tests.games.pages import client_of
from tests.games.seats import sentence
from tests.games.stored import NOW, chosen, everything, game_of, people, person, play, play_on, table_of

pytestmark = pytest.mark.django_db

LATER = NOW + HOUR


def stand_in(game: Game, seat: int, now: dt.datetime = LATER) -> Holder:
    """Let a bot stand in at a seat, and return who sits there."""
    holder = Holder.objects.select_related("user").get(table=game.table_id, seat__number=seat, until=None)
    with writing():
        assert stood_in(table=table_locked(game.table_id), holder=holder, now=now)
    game.refresh_from_db()
    holder.refresh_from_db()
    return holder


def back(holder: Holder, now: dt.datetime) -> bool:
    assert holder.user is not None
    return came_back(table_id=holder.table_id, user=holder.user, now=now)


def first_game(table: Table) -> Game:
    """The first game of a table, with a day for each card."""
    return paced(game_start(table_id=table.pk, now=NOW), each_card(DAY))


class TestWhileItStands:
    def test_the_turn_is_settled_and_a_bot_plays_it(self) -> None:
        game = paced(game_of(persons=people(3)), banked(DAY, 6 * HOUR, 2 * DAY))
        seat = awaited(game)
        holder = stand_in(game, seat)
        turn, answer = turn_of(game), Answer.objects.get()
        assert turn.due_at is not None
        assert turn.due_at < LATER + dt.timedelta(seconds=5)
        assert (answer.how, answer.number, answer.charged, answer.holder_id) == ("other", None, HOUR, holder.pk)
        assert Bank.objects.get(seat=seat).left == 29 * HOUR
        assert turns_due(now=turn.due_at + GRACE, grace=GRACE).bots == ((game.pk, 0),)
        assert bot_move(game_id=game.pk, version=0, now=LATER) is not None
        move = Move.objects.get(game=game)
        assert (move.seat, move.actor) == (seat, "bot")
        assert Answer.objects.count() == 1
        game_verify(game_id=game.pk)

    def test_it_plays_to_the_end_and_the_loss_is_the_persons(self) -> None:
        table = table_of(persons=people(2), bots=1, deals=2)
        game = first_game(table)
        for seat in (0, 1):
            stand_in(game, seat)
        play_on(game, lambda state: state.result is not None)
        stored = Result.objects.get()
        assert stored.loser is not None
        assert stored.holder_id == held_seats(table.pk)[stored.loser].holder_id
        # Nobody has left: the series goes on when somebody wants it to.
        assert Table.objects.get(pk=table.pk).status == "running"
        assert game_next(table_id=table.pk, now=LATER).number == 2
        assert Holder.objects.filter(table=table, stand_in="medium").count() == 2

    def test_the_person_plays_no_card_until_they_are_back(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        seat = awaited(game)
        stand_in(game, seat)
        state, before = game_state(game), everything()
        with pytest.raises(StoodIn):
            play(game, chosen(state, seat), actor="hand")
        assert everything() == before
        form = {"card": chosen(state, seat).card.code, "version": state.entries, "key": "some-key"}
        answer = client_of(persons[seat]).post(f"/games/{game.code}/play/", form)
        assert (answer.status_code, sentence(answer)) == (409, StoodIn.sentence)

    def test_not_for_who_has_left_nor_twice(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        holder = stand_in(game, 0)
        left = Holder.objects.get(table=game.table, seat__number=1)
        seat_left(table_id=game.table_id, user=persons[1], now=LATER)
        before = everything()
        for each in (holder, left):
            with writing():
                assert not stood_in(table=table_locked(game.table_id), holder=each, now=LATER + HOUR)
        assert everything() == before

    def test_a_vote_brings_it(self) -> None:
        persons = people(3)
        game = slow_game(persons, missed="nudge")
        seat = awaited(game)
        assert turn_due(game_id=game.pk, seat=seat, now=NOW + DAY)
        one, two = (user for at, user in enumerate(persons) if at != seat)
        at = NOW + DAY + HOUR
        vote = vote_opened(table_id=game.table_id, user=one, question=Question(Vote.Kind.BOT, seat=seat), now=at)
        assert vote_cast(vote_id=vote.pk, user=two, yes=True, now=at).passed
        holder = Holder.objects.get(table=game.table, seat__number=seat)
        assert (holder.stand_in, holder.stood_in) == ("medium", at)
        assert list(Answer.objects.order_by("pk").values_list("how", flat=True)) == ["nudge", "other"]
        game_verify(game_id=game.pk)


class TestComingBack:
    def test_whoever_is_awaited_has_their_time_from_now(self) -> None:
        game = paced(game_of(persons=people(3)), banked(DAY, 6 * HOUR, 2 * DAY))
        seat = awaited(game)
        holder = stand_in(game, seat)
        assert back(holder, NOW + 2 * HOUR)
        holder.refresh_from_db()
        assert (holder.stand_in, holder.stood_in, holder.back) == ("", None, NOW + 2 * HOUR)
        turn = turn_of(game)
        assert (turn.seat, turn.since, turn.bank) == (seat, NOW + 2 * HOUR, 29 * HOUR)
        assert turn.due_at == NOW + 31 * HOUR
        # The bot was sent for: it comes too late.
        before = everything()
        assert bot_move(game_id=game.pk, version=0, now=NOW + 2 * HOUR) is None
        assert everything() == before
        play(game, chosen(game_state(game), seat), now=NOW + 3 * HOUR)
        assert Bank.objects.get(seat=seat).left == 34 * HOUR

    def test_whoever_is_not_takes_no_turn_from_others(self) -> None:
        game = slow_game(people(3))
        other = (awaited(game) + 1) % 3
        holder = stand_in(game, other)
        turns = list(Turn.objects.values())
        assert back(holder, NOW + 2 * HOUR)
        assert list(Turn.objects.values()) == turns
        revision = game.revision
        game.refresh_from_db()
        assert game.revision > revision

    def test_again_or_by_a_stranger_changes_nothing(self) -> None:
        game = slow_game(people(3))
        holder = stand_in(game, 0)
        assert back(holder, NOW + 2 * HOUR)
        stranger, before = person(), everything()
        assert not back(holder, NOW + 3 * HOUR)
        with pytest.raises(NotYourSeat):
            came_back(table_id=game.table_id, user=stranger, now=NOW + 3 * HOUR)
        assert everything() == before

    def test_what_was_missed_before_is_forgiven(self) -> None:
        """After two misses running a bot kept the seat; one more does not bring it back at once."""
        game, at = slow_game(people(3)), NOW
        seat, found = awaited(game), []
        for _ in range(3):
            while awaited(game) != seat:
                play(game, chosen(game_state(game), awaited(game)), now=at)
            at += DAY
            found.append(turn_due(game_id=game.pk, seat=seat, now=at))
            holder = Holder.objects.get(table=game.table, seat__number=seat)
            if holder.stand_in:
                at += HOUR
                assert back(holder, at)
        assert [each.stood_in for each in found if each] == [False, True, False]

    def test_between_deals_the_next_one_is_planned_again(self) -> None:
        """Bots played for everybody, so that none was; now somebody would see it."""
        table = table_of(persons=people(2), bots=1, deals=2)
        game = first_game(table)
        holders = [stand_in(game, seat) for seat in (0, 1)]
        play_on(game, lambda state: state.result is not None)
        assert game.next_at is None
        assert back(holders[0], LATER)
        game.refresh_from_db()
        assert game.next_at == LATER + dt.timedelta(minutes=10)


class TestLeaving:
    def test_hands_the_seat_over_for_good(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        seat = awaited(game)
        vote_opened(table_id=game.table_id, user=persons[seat], question=Question(Vote.Kind.PAUSE, days=1), now=NOW)
        holder = stand_in(game, seat)
        answers = Answer.objects.count()
        seat_left(table_id=game.table_id, user=persons[seat], now=NOW + 2 * HOUR)
        holder.refresh_from_db()
        assert (holder.until, holder.stand_in, holder.stood_in) == (NOW + 2 * HOUR, "", None)
        assert not Ballot.objects.exists()
        assert Answer.objects.count() == answers
        held = held_seats(game.table_id)[seat]
        assert (held.user_id, held.bot) == (None, "medium")
        game_verify(game_id=game.pk)

    def test_lets_those_who_stay_decide(self) -> None:
        persons = people(2)
        game = slow_game(persons, bots=1)
        vote = vote_opened(table_id=game.table_id, user=persons[0], question=Question(Vote.Kind.PAUSE, days=1), now=NOW)
        seat_left(table_id=game.table_id, user=persons[1], now=LATER)
        vote.refresh_from_db()
        assert (vote.done, vote.passed) == (LATER, True)

    def test_a_host_hands_over_to_who_is_there(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        Table.objects.update(host=persons[0])
        stand_in(game, 1)
        seat_left(table_id=game.table_id, user=persons[0], now=LATER)
        assert Table.objects.get().host == persons[2]

    def test_a_turn_that_ends_so_is_settled(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        seat = awaited(game)
        seat_left(table_id=game.table_id, user=persons[seat], now=LATER)
        answer = Answer.objects.get()
        assert (answer.how, answer.number, answer.charged) == ("other", None, HOUR)

    @pytest.mark.parametrize("ended", [False, True])
    def test_who_is_erased_leaves_nothing_behind(self, ended: bool) -> None:
        persons = people(3)
        game = slow_game(persons)
        if ended:
            play_on(game, lambda state: state.result is not None)
            Holder.objects.filter(table=game.table, seat__number=0).update(stand_in="medium", stood_in=NOW)
        else:
            vote_opened(table_id=game.table_id, user=persons[0], question=Question(Vote.Kind.PAUSE, days=1), now=NOW)
            stand_in(game, 0)
        assert person_erased(user_id=persons[0].pk, now=LATER, due=False)
        former = Holder.objects.get(table=game.table, name="Former player 1")
        assert (former.user, former.stand_in, former.stood_in) == (None, "", None)
        assert not Ballot.objects.exists()
        game_verify(game_id=game.pk)
