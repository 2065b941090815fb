"""Turns whose time is up: in every phase of a deal, by what the table chose, and whatever is stored of deadlines."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from games.clocks.pace import banked, each_card
from games.models import Answer, Bank, Game, Halt, Holder, MissedTurn, Move, Notice, Turn, Vacation
from games.rules.cards import card
from games.rules.errors import IllegalMove
from games.rules.legality import legal_moves
from games.rules.moves import Draw, Play
from games.rules.ruleset import PRESETS, Ruleset
from games.rules.state import GameState
from games.selectors.games import BrokenGame, game_state
from games.selectors.halts import HOLD
from games.services import timeouts
from games.services.errors import StaleGame, TimeUp
from games.services.timeouts import TimedOut, turn_due
from games.services.verify import game_verify
from tests.games.pacing import DAY, HOUR, awaited, paced, slow_game, turn_of
from tests.games.pages import client_of
from tests.games.seats import sentence
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

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

DUE = NOW + DAY
REFUSED = IllegalMove("not_held", card="the ace of spades")


def up_to(until: Callable[[GameState], bool], seats: int = 4, rules: Ruleset | None = None) -> Game:
    """A game with a day for each card, played until a state is as wanted."""
    game = game_of(rules, persons=people(seats))
    play_on(game, until)
    return paced(game, each_card(DAY))


def drawn_lead() -> Game:
    """A game in which somebody must lead the card that they have just drawn."""
    record = recorded("edges", why="drawn_thrice")
    game = game_recorded(record)
    played(game, record, next(at for at, move in enumerate(record.moves) if isinstance(move, Draw)) + 1)
    return paced(game, each_card(DAY))


PHASES: dict[str, Callable[[], Game]] = {
    "before the first card": lambda: up_to(lambda state: not state.entries),
    "lead, when a hand may be taken": lambda: up_to(lambda state: state.tricks == 1 and not state.trick),
    "follow": lambda: up_to(lambda state: state.tricks == 2 and len(state.trick) == 2),
    "lead of a drawn card": drawn_lead,
    "with penalties": lambda: up_to(lambda state: len(state.trick) == 2, rules=PRESETS["Strict table"]),
    "a trump, in Donkey": lambda: up_to(
        lambda state: state.trump is not None and len(state.trick) == 1, rules=PRESETS["Donkey (Kasaragod)"]
    ),
    "two left": lambda: up_to(lambda state: state.left == 2 and bool(state.trick)),
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_bot_plays_in_every_phase(phase: str) -> None:
    game = PHASES[phase]()
    before, seat = game_state(game), awaited(game)
    assert turn_due(game_id=game.pk, seat=seat, now=DUE - dt.timedelta(microseconds=1)) is None
    assert turn_due(game_id=game.pk, seat=seat, now=DUE) == TimedOut(before.entries + 1)
    move = Move.objects.get(game=game, number=before.entries + 1)
    assert (move.kind, move.seat, move.actor, move.at, move.key) == ("play", seat, "timeout", DUE, "")
    assert Play(seat, card(move.card)) in legal_moves(before, seat)
    if before.drawn is not None:
        assert move.card == before.drawn.code
    after = game_state(game)
    assert {turn.seat: turn.due_at for turn in Turn.objects.filter(game=game)} == dict.fromkeys(
        after.awaited, DUE + DAY
    )
    answer = Answer.objects.get(game=game, how="timeout")
    assert (answer.seat, answer.number, answer.charged, answer.late) == (seat, before.entries + 1, DAY, dt.timedelta(0))
    miss = MissedTurn.objects.get()
    assert (miss.holder_id, miss.number, miss.due_at, miss.excuse) == (answer.holder_id, answer.number, DUE, "")
    game_verify(game_id=game.pk)


def test_two_in_one_trick_each_when_their_time_is_up() -> None:
    game = up_to(lambda state: state.tricks == 1 and len(state.trick) == 1)
    for day in (1, 2):
        assert turn_due(game_id=game.pk, seat=awaited(game), now=NOW + day * DAY)
    assert list(MissedTurn.objects.order_by("due_at").values_list("due_at", flat=True)) == [DUE, DUE + DAY]
    game_verify(game_id=game.pk)


def test_all_at_once_in_an_opening_in_any_order() -> None:
    game = up_to(lambda state: len(state.trick) == 1, seats=8, rules=Ruleset(opening="any_order"))
    seats = game_state(game).awaited
    assert len(seats) == 7
    found = [turn_due(game_id=game.pk, seat=seat, now=DUE) for seat in seats]
    assert found == [TimedOut(number) for number in range(2, 9)]
    assert game_state(game).tricks == 1
    assert MissedTurn.objects.count() == 7
    assert [turn.ran_from or turn.since for turn in Turn.objects.all()] == [DUE]
    game_verify(game_id=game.pk)


def test_those_who_wait_on_in_it_keep_their_time() -> None:
    game = game_of(Ruleset(opening="any_order"), persons=people(4))
    play_on(game, lambda state: len(state.trick) == 1)
    game = paced(game, banked(DAY, HOUR, 2 * DAY))
    one, two, _ = game_state(game).awaited
    Turn.objects.filter(game=game, seat=two).update(bank=2 * DAY)
    assert turn_due(game_id=game.pk, seat=one, now=DUE)
    assert turn_due(game_id=game.pk, seat=two, now=DUE) is None
    turn = Turn.objects.get(game=game, seat=two)
    assert (turn.since, turn.due_at) == (NOW, NOW + 2 * DAY)


def test_a_hand_taken_ends_the_turn_of_whose_it_was() -> None:
    """The leader's hand is taken: nobody missed anything, and their time is settled."""
    game = up_to(lambda state: state.tricks == 1 and not state.trick)
    state = game_state(game)
    taker = next(seat for seat in range(4) if state.next_seat(seat) == state.power)
    [take] = [move for move in legal_moves(state, taker) if not isinstance(move, Play)]
    play(game, take, now=NOW + HOUR)
    answer = Answer.objects.get(game=game, seat=state.power, at=NOW + HOUR)
    assert (answer.how, answer.number, answer.charged) == ("other", state.entries + 1, HOUR)
    assert not MissedTurn.objects.exists()


class TestWhatTheTableChose:
    def test_the_bot_keeps_the_seat(self) -> None:
        persons = people(4)
        game = slow_game(persons, missed="keep")
        seat = awaited(game)
        EmailAddress.objects.filter(user=persons[seat]).update(verified=True)
        assert turn_due(game_id=game.pk, seat=seat, now=DUE) == TimedOut(1, stood_in=True)
        holder = Holder.objects.get(table=game.table, seat__number=seat)
        assert (holder.stand_in, holder.stood_in, holder.until) == ("medium", DUE, None)
        assert list(Notice.objects.values_list("kind", "user")) == [("stood_in", holder.user_id)]

    def test_its_next_turn_is_a_bots_at_once(self) -> None:
        """Whoever leads after their own missed card is not awaited for another day."""
        game = slow_game(people(3), missed="keep")
        play_on(game, lambda state: len(state.trick) == 2 and state.tricks == 1)
        seat = awaited(game)
        assert turn_due(game_id=game.pk, seat=seat, now=DUE) is not None
        later = Turn.objects.filter(game=game, seat=seat).first()
        assert later is None or (later.due_at is not None and later.due_at < DUE + HOUR)

    def test_it_is_waited_on_once_with_fresh_time(self) -> None:
        game = paced(game_of(persons=people(3)), banked(DAY, 6 * HOUR, 2 * DAY), missed="nudge")
        seat = awaited(game)
        assert turn_due(game_id=game.pk, seat=seat, now=DUE + HOUR) == TimedOut(None)
        turn = turn_of(game)
        assert (turn.nudges, turn.ran_from, turn.bank) == (1, DUE + HOUR, 6 * HOUR)
        assert turn.due_at == DUE + 7 * HOUR
        assert turn.warn_at is not None
        assert (turn.since, Game.objects.get().version) == (NOW, 0)
        answer = Answer.objects.get()
        assert (answer.how, answer.number, answer.charged, answer.late) == ("nudge", None, DAY, HOUR)
        assert MissedTurn.objects.get().number is None
        assert turn_due(game_id=game.pk, seat=seat, now=DUE + HOUR) is None
        # They play after all: what they had is charged from the fresh start.
        play(game, chosen(game_state(game), seat), now=DUE + 2 * HOUR)
        assert Answer.objects.get(how="hand").charged == HOUR
        assert Bank.objects.get(seat=seat).left == 11 * HOUR

    def test_the_second_miss_running_is_played_and_the_bot_stays(self) -> None:
        game = slow_game(people(3), missed="nudge")
        seat = awaited(game)
        assert turn_due(game_id=game.pk, seat=seat, now=DUE) == TimedOut(None)
        assert turn_due(game_id=game.pk, seat=seat, now=DUE + DAY) == TimedOut(1, stood_in=True)
        assert list(Answer.objects.order_by("pk").values_list("how", flat=True)) == ["nudge", "timeout"]

    @pytest.mark.parametrize("between", ["hand", "order"])
    def test_a_card_between_breaks_the_row(self, between: str) -> None:
        """S12: one that went by itself, too, else the others could tell afterwards that it did."""
        game = slow_game(people(3))
        seat, at = awaited(game), DUE
        assert turn_due(game_id=game.pk, seat=seat, now=at) == TimedOut(1)
        for actor in (between, None):
            while awaited(game) != seat:
                at += HOUR
                play(game, chosen(game_state(game), awaited(game)), now=at)
            if actor:
                at += HOUR
                play(game, chosen(game_state(game), seat), actor=actor, now=at)
        found = turn_due(game_id=game.pk, seat=seat, now=at + DAY)
        assert found is not None
        assert not found.stood_in


class TestNotYet:
    def refuses(self, game: Game, now: dt.datetime = DUE) -> None:
        before, seat = everything(), awaited(game)
        assert turn_due(game_id=game.pk, seat=seat, now=now) is None
        assert everything() == before

    def test_for_whom_there_is_no_limit_no_person_and_no_game(self) -> None:
        self.refuses(game_of(persons=people(3)))
        self.refuses(slow_game(people(1), bots=2, pace=each_card(DAY)), NOW + HOUR)
        bots = game_of(bots=3)
        self.refuses(paced(bots, each_card(DAY)), NOW + 9 * DAY)
        assert turn_due(game_id=bots.pk + 1000, seat=0, now=DUE) is None

    def test_a_seat_that_is_not_awaited_and_a_game_set_aside_or_over(self) -> None:
        game = slow_game(people(3))
        assert turn_due(game_id=game.pk, seat=(awaited(game) + 1) % 3, now=DUE) is None
        Game.objects.filter(pk=game.pk).update(aside=NOW)
        self.refuses(game)
        Game.objects.filter(pk=game.pk).update(aside=None)
        play_on(game, lambda state: state.result is not None)
        assert turn_due(game_id=game.pk, seat=0, now=NOW + 99 * DAY) is None

    def test_a_deadline_that_was_not_put_right_times_nobody_out(self) -> None:
        """The sweep finds by what is stored; what holds is worked out anew, and stored."""
        game = slow_game(people(3))
        Halt.objects.create(kind="outage", since=NOW + HOUR, until=NOW + 7 * HOUR)
        revision = Game.objects.get().revision
        assert turn_due(game_id=game.pk, seat=awaited(game), now=DUE) is None
        assert turn_of(game).due_at == DUE + 6 * HOUR
        assert Game.objects.get().revision == revision + 1
        assert turn_due(game_id=game.pk, seat=awaited(game), now=DUE + 6 * HOUR) == TimedOut(1)
        assert MissedTurn.objects.get().excuse == "outage"

    def test_just_after_a_halt_nobody_is_timed_out(self) -> None:
        """Their time was up before it, but nobody could play then: a few minutes are theirs."""
        game = slow_game(people(3))
        halt = Halt.objects.create(kind="freeze", since=DUE + HOUR)
        self.refuses(game, DUE + 2 * HOUR)
        Halt.objects.filter(pk=halt.pk).update(until=DUE + 3 * HOUR)
        self.refuses(game, DUE + 3 * HOUR + HOLD - dt.timedelta(seconds=1))
        assert turn_due(game_id=game.pk, seat=awaited(game), now=DUE + 3 * HOUR + HOLD) == TimedOut(1)
        miss = MissedTurn.objects.get()
        assert (miss.due_at, miss.excuse) == (DUE, "freeze")


@pytest.mark.parametrize(("error", "raised"), [(ZeroDivisionError(), ZeroDivisionError), (REFUSED, BrokenGame)])
def test_what_fails_changes_nothing_and_names_no_card(
    error: Exception, raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = slow_game(people(3), missed="keep")
    before = everything()

    def broken(**_: Any) -> None:
        raise error

    monkeypatch.setattr(timeouts, "move_entered", broken)
    with pytest.raises(raised) as found:
        turn_due(game_id=game.pk, seat=awaited(game), now=DUE)
    assert everything() == before
    assert "ace" not in str(found.value)


@pytest.mark.parametrize(("counts", "found"), [(True, None), (False, "vacation")])
def test_days_away(counts: bool, found: str | None) -> None:
    """Where they count the clock stands; where not they excuse."""
    persons = people(3)
    game = slow_game(persons, vacations=counts)
    user = persons[awaited(game)]
    days = {"first": NOW.date(), "last": NOW.date() + dt.timedelta(days=4), "zone": "UTC"}
    Vacation.objects.create(user=user, made=NOW + HOUR, **days)
    turn_due(game_id=game.pk, seat=awaited(game), now=DUE)
    assert MissedTurn.objects.values_list("excuse", flat=True).first() == found


def test_whoever_comes_too_late_is_told_so() -> None:
    persons = people(3)
    game = slow_game(persons)
    seat, state = awaited(game), game_state(game)
    form = {"card": chosen(state, seat).card.code, "version": 0, "key": "some-key"}
    turn_due(game_id=game.pk, seat=seat, now=DUE)
    before = everything()
    with pytest.raises(TimeUp):
        play(game, chosen(state, seat), version=0, now=DUE)
    other = awaited(game)
    with pytest.raises(StaleGame) as refused:
        play(game, chosen(game_state(game), other), version=0, now=DUE)
    assert not isinstance(refused.value, TimeUp)
    assert everything() == before
    answer = client_of(persons[seat]).post(f"/games/{game.code}/play/", form)
    assert (answer.status_code, sentence(answer)) == (409, TimeUp.sentence)
