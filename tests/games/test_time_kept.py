"""No time comes from nowhere and none goes, whatever stops the clocks of a table or gives it more time."""

import datetime as dt
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from games.clocks.pace import NO_LIMIT, Pace, banked, each_card
from games.models import Answer, Bank, Halt, Pause, Table, Turn, Vacation, Vote
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state, held_seats
from games.services.clocks import turns_retimed
from games.services.errors import ServiceError
from games.services.extensions import everybody_extended
from games.services.halts import halts_applied
from games.services.locks import game_locked, writing
from games.services.vacations import vacation_ended, vacation_set
from games.services.votes import Question, vote_cast, vote_opened
from tests.clocks.slow import moment
from tests.games.halting import frozen, thawed
from tests.games.pacing import DAY, HOUR, paced
from tests.games.stored import chosen, game_of, people, play

pytestmark = pytest.mark.django_db

ZERO = dt.timedelta(0)
# Clocks go forward in London three days later: all that happens here does so at full hours.
START = moment("2026-03-26 10:00")
LONDON = ZoneInfo("Europe/London")
BANK = banked(2 * DAY, 6 * HOUR, 3 * DAY, 2 * HOUR)


class Week:
    """A game of three people to whom all sorts of things happen, one after the other; `given` is counted by seat."""

    def __init__(self, seed: int, pace: Pace, *, vacations: bool) -> None:
        self.random, self.now, self.pace = Random(f"{seed} of {pace}"), START, pace
        Halt.objects.all().delete()
        self.persons = people(3)
        User.objects.update(zone="Europe/London")
        rules = Ruleset(opening=self.random.choice(["in_turn", "any_order"]))
        rest = {"rest": "6", "zone": "Europe/London", "vacations": vacations}
        self.game = paced(game_of(rules, persons=self.persons), pace, **rest)
        Turn.objects.update(since=START, ran_from=START, due_at=None)
        with writing():
            turns_retimed(game=game_locked(self.game.pk), held=held_seats(self.game.table_id))
        self.given: Counter[int] = Counter()
        self.done: Counter[str] = Counter()

    def happens(self) -> None:
        """Let some hours pass, then something happen, if it can now."""
        self.now += self.random.choice([0, 1, 2, 5, 9, 30]) * HOUR
        act = self.random.choice(
            [self.card, self.card, self.card, self.more, self.pause, self.away, self.back, self.freeze, self.outage]
        )
        self.does(act)
        deadlines(self)

    def does(self, act: Callable[[], None]) -> None:
        with suppress(ServiceError):
            act()
            self.done[act.__name__] += 1

    def card(self) -> None:
        state = game_state(self.game)
        if state.result is None:
            play(self.game, chosen(state, self.random.choice(state.awaited)), now=self.now)

    def more(self) -> None:
        awaited = game_state(self.game).awaited
        length = everybody_extended(game_id=self.game.pk, user=self.random.choice(self.persons), now=self.now)
        for seat in awaited:
            self.given[seat] += length // HOUR

    def pause(self) -> None:
        on = Pause.objects.filter(table=self.game.table, until__gt=self.now).exists()
        kind = self.random.choice([Vote.Kind.EXTEND, Vote.Kind.RESUME]) if on else Vote.Kind.PAUSE
        question = Question(kind, 0 if kind == Vote.Kind.RESUME else self.random.choice([1, 2]))
        asker, other = self.random.sample(self.persons, 2)
        vote = vote_opened(table_id=self.game.table_id, user=asker, question=question, now=self.now)
        vote_cast(vote_id=vote.pk, user=other, yes=True, now=self.now)

    def away(self) -> None:
        first = self.now.astimezone(LONDON).date() + self.random.choice([0, 0, 1, 3]) * DAY
        last = first + self.random.choice([0, 1]) * DAY
        seats = [*game_state(self.game).awaited, 0, 1, 2]
        vacation_set(user=self.persons[self.random.choice(seats)], first=first, last=last, now=self.now)

    def back(self) -> None:
        for row in Vacation.objects.order_by("-pk")[:1]:
            vacation_ended(user=row.user, vacation_id=row.pk, now=self.now)

    def freeze(self) -> None:
        """The site's clocks are stopped, and run again some hours later."""
        frozen(why="", now=self.now)
        self.now += self.random.choice([2, 8]) * HOUR
        self.does(self.random.choice([self.card, self.more, self.pause, self.away]))
        thawed(now=self.now)
        halts_applied(now=self.now)

    def outage(self) -> None:
        """Nobody could do anything for a while."""
        since, self.now = self.now, self.now + self.random.choice([1, 3, 6]) * HOUR
        Halt.objects.create(kind="outage", since=since, until=self.now)
        halts_applied(now=self.now)

    def stands(self, seat: int) -> Callable[[dt.datetime], bool]:
        """Say of any hour whether the clock of a seat stood still in it, by what is stored now."""
        table = Table.objects.get(pk=self.game.table_id)
        pauses = Pause.objects.filter(table=table).values_list("since", "until")
        stops = [*pauses, *Halt.objects.values_list("since", "until")]
        gone = list(Vacation.objects.filter(user=self.persons[seat])) if table.vacations else []

        def stood(at: dt.datetime) -> bool:
            local = at.astimezone(LONDON)
            if str(local.weekday()) in table.rest or any(
                start <= at and not (end and end <= at) for start, end in stops
            ):
                return True
            days = [each for each in gone if each.first <= local.date() <= each.last]
            return any(each.made <= at and not (each.ended and each.ended <= at) for each in days)

        return stood

    def ran(self, seat: int, start: dt.datetime, end: dt.datetime) -> dt.timedelta:
        """Count the hours in which the clock of a seat ran."""
        stood = self.stands(seat)
        return sum((HOUR for at in range((end - start) // HOUR) if not stood(start + at * HOUR)), ZERO)


def kept(week: Week, seat: int) -> None:
    """All that a seat was given was used, is left, or was lost to the cap; each answer says where its time went."""
    pace, answers = week.pace, list(Answer.objects.filter(game=week.game, seat=seat).order_by("at", "pk"))
    for each in answers:
        whole, ran = each.at - each.since, week.ran(seat, each.since, each.at)
        assert each.charged + each.free + each.stood + each.late == whole
        assert each.stood == whole - ran
        assert each.free == (min(ran, pace.grace) if pace.timed else ran)
    turn = Turn.objects.filter(game=week.game, seat=seat).first()
    bank = Bank.objects.filter(game=week.game, seat=seat).values_list("left", flat=True).first()
    left = turn.bank + turn.extended if turn is not None else pace.start if bank is None else bank
    used = sum((each.charged + each.lost for each in answers), ZERO)
    assert used + left == pace.start + pace.increment * len(answers) + week.given[seat] * HOUR


@pytest.mark.parametrize("vacations", [True, False])
@pytest.mark.parametrize("pace", [each_card(12 * HOUR), BANK, NO_LIMIT])
def test_used_left_and_lost_are_what_was_given(pace: Pace, *, vacations: bool) -> None:
    done: Counter[str] = Counter()
    for seed in range(2):
        week = Week(seed, pace, vacations=vacations)
        for _ in range(35):
            week.happens()
        for seat in range(3):
            kept(week, seat)
        done += week.done
    assert set(done) == {"card", "pause", "away", "back", "freeze", "outage"} | ({"more"} if pace.timed else set())


def deadlines(week: Week) -> None:
    """Every deadline that is stored is the hour in which the time of its turn is up, counted one by one."""
    for turn in Turn.objects.filter(game=week.game):
        left, at = week.pace.grace + turn.bank + turn.extended, turn.ran_from or turn.since
        stood = week.stands(turn.seat)
        while left > ZERO:
            left -= ZERO if stood(at) else HOUR
            at += HOUR
        assert turn.due_at == (at if week.pace.timed else None)
