"""An old page and what it was pushed since is a fresh page, for everybody who looks, whatever happens at the table.

What the reader's browser holds or counts itself is taken out: tokens, keys, how far off a moment is, the box for who
was away.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Final

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.clocks.pace import each_card
from games.live import kept
from games.live.frames import Asked, Frame, board_frames
from games.models import Game, Halt, Holder, Table, Vote
from games.rules.errors import IllegalMove
from games.rules.moves import Draw
from games.selectors.company import NotAtTable
from games.selectors.games import game_state, held_seats
from games.selectors.sight import Viewer
from games.selectors.updates import Since
from games.services.aside import MOST_FAILED, game_failed
from games.services.dealing import game_next
from games.services.errors import ServiceError
from games.services.extensions import everybody_extended
from games.services.going_on import next_objected
from games.services.halts import halts_applied
from games.services.locks import table_locked, writing
from games.services.seats import seat_handed
from games.services.stand_ins import stood_in
from games.services.tables import SeatPlan, TablePlan, table_open
from games.services.timeouts import came_back, turn_due
from games.services.vacations import vacation_ended, vacation_set
from games.services.votes import Question, vote_cast, vote_opened
from tests.games.halting import frozen, game_taken_up, thawed
from tests.games.pacing import DAY, paced
from tests.games.pages import client_of
from tests.games.sameness import normal
from tests.games.stored import NOW, SECRET, people, person, play
from tests.games.watching import came_by, invite_to
from tests.random_games import random_entry, random_rules

pytestmark = pytest.mark.django_db

MINUTE: Final = dt.timedelta(minutes=1)
_BOARD: Final = re.compile(r'<div id="board".*?(?=</main>)', re.DOTALL)


class Onlooker:
    """Somebody who has had the page open since before anything happened, and what they were pushed since."""

    def __init__(self, viewer: Viewer, client: Client, invited: tuple[int, ...] = ()) -> None:
        self.viewer, self.client, self.invited = viewer, client, invited
        self.html, self.since, self.code = "", Since(-1, -1), ""

    def opens(self, game: Game) -> None:
        self.code = game.code
        self.html = self._fresh()
        self.since = Since(game.version, game.revision)

    def _fresh(self) -> str:
        page = self.client.get(f"/games/{self.code}/")
        assert page.status_code == 200, self.viewer
        found = _BOARD.search(page.content.decode())
        assert found
        return found[0]

    def asks(self) -> Asked:
        return Asked(self.viewer.pk, self.invited, self.since)

    def pushed(self, frame: Frame | Exception | None) -> None:
        if frame is not None:
            assert isinstance(frame, Frame), frame
            assert frame.since != self.since
            self.html, self.since = frame.html, frame.since

    def check(self) -> None:
        assert normal(self.html) == normal(self._fresh())


class Sitting:
    """A table of people, some of whom watch, to which things happen a minute after each other."""

    def __init__(self, seed: int, *, every: int = 1) -> None:
        self.rng, self.every, self.now, self.count = Random(seed), every, NOW, 0
        self.users = people(self.rng.choice((3, 4, 4, 5)))
        rules = random_rules(self.rng, packs=1)
        plan = TablePlan(host=self.users[0], name="A table", rules=rules, deals=3, watch=Table.Watch.ANYONE)
        game = table_open(
            plan=plan, seats=[SeatPlan(user=each) for each in self.users], now=NOW, source=lambda _: 0, secret=SECRET
        )
        self.game = paced(game, each_card(DAY)) if self.rng.random() < 0.7 else game
        link = invite_to(self.game.table, expires=NOW + 99 * DAY)
        watcher = person("Watcher")
        self.stranger = person("Stranger")
        self.onlookers = [Onlooker(user, client_of(user)) for user in self.users]
        self.onlookers.append(Onlooker(watcher, client_of(watcher)))
        self.onlookers.append(Onlooker(AnonymousUser(), came_by(link), (link.pk,)))
        self.opened()

    def opened(self) -> None:
        self.game.refresh_from_db()
        for each in self.onlookers:
            each.opens(self.game)

    @contextmanager
    def later(self, by: dt.timedelta = MINUTE) -> Iterator[dt.datetime]:
        """Let something happen at the next moment, and look at what everybody is shown then."""
        self.now += by
        with time_machine.travel(self.now, tick=False):
            yield self.now
            asked = [each.asks() for each in self.onlookers]
            frames = board_frames(code=self.game.code, asked=asked, now=timezone.now())
            for each, frame in zip(self.onlookers, frames, strict=True):
                each.pushed(frame)

    def look(self, *, all_of_them: bool) -> None:
        """Compare what is shown with fresh pages: all of them, or one in turn."""
        self.count += 1
        chosen = self.onlookers if all_of_them else [self.onlookers[self.count % len(self.onlookers)]]
        with time_machine.travel(self.now, tick=False):
            for each in chosen:
                each.check()

    def step(self) -> None:
        """Let a random card fall, or a hand be taken."""
        state = game_state(self.game)
        entry = random_entry(state, self.rng)
        assert not isinstance(entry, Draw)
        with self.later() as now, suppress(ServiceError, IllegalMove):
            play(self.game, entry, version=state.entries, now=now)
        self.look(all_of_them=self.every == 1)

    @property
    def over(self) -> bool:
        self.game.refresh_from_db()
        return self.game.status == Game.Status.OVER

    def happens(self, act: Callable[["Sitting", dt.datetime], object]) -> None:
        with self.later() as now:
            act(self, now)
        self.look(all_of_them=True)

    def user(self) -> User:
        """One of those who sit there in person."""
        held = [each.awaited_user for each in held_seats(self.game.table_id).values()]
        there = [each for each in held if each is not None]
        return User.objects.get(pk=self.rng.choice(there)) if there else self.users[0]

    def seat(self) -> int:
        return self.rng.choice(list(held_seats(self.game.table_id)))


def extended(at: Sitting, now: dt.datetime) -> None:
    everybody_extended(game_id=at.game.pk, user=at.user(), now=now)


def asked(at: Sitting, now: dt.datetime) -> None:
    kind = at.rng.choice((Vote.Kind.PAUSE, Vote.Kind.EXTEND, Vote.Kind.RESUME))
    days = 0 if kind == Vote.Kind.RESUME else 2
    vote_opened(table_id=at.game.table_id, user=at.user(), question=Question(kind, days=days), now=now)


def answered(at: Sitting, now: dt.datetime) -> None:
    vote = Vote.objects.filter(table=at.game.table_id, done=None).first()
    if vote is not None:
        vote_cast(vote_id=vote.pk, user=at.user(), yes=at.rng.random() < 0.8, now=now)


def halted(at: Sitting, now: dt.datetime) -> None:
    if at.over:
        # Nobody's time runs at a deal that is over: it is not told again.
        return
    if Halt.objects.filter(until=None).exists():
        thawed(now=now)
    else:
        frozen(why="New disks.", now=now)
    halts_applied(now=now)


def left_alone(at: Sitting, now: dt.datetime) -> None:
    with writing():
        table = table_locked(at.game.table_id)
        stood_in(table=table, holder=Holder.objects.get(table=table, user=at.user(), until=None), now=now)


def back(at: Sitting, now: dt.datetime) -> None:
    away = Holder.objects.filter(table=at.game.table_id, until=None, user__isnull=False).exclude(stand_in="").first()
    if away is not None and away.user is not None:
        came_back(table_id=at.game.table_id, user=away.user, now=now)


def gone_for_good(at: Sitting, now: dt.datetime) -> None:
    if sum(each.user_id is not None for each in held_seats(at.game.table_id).values()) > 2:
        seat_handed(table_id=at.game.table_id, seat=at.seat(), now=now)


def timed_out(at: Sitting, now: dt.datetime) -> None:
    state = game_state(at.game)
    if state.awaited:
        turn_due(game_id=at.game.pk, seat=state.awaited[0], now=now + 3 * DAY)


def away(at: Sitting, now: dt.datetime) -> None:
    user = at.user()
    gone = user.vacation_set.filter(ended=None).first()
    if gone is not None:
        vacation_ended(user=user, vacation_id=gone.pk, now=now)
    else:
        vacation_set(user=user, first=now.date(), last=now.date() + 3 * DAY, now=now)


def set_aside(at: Sitting, now: dt.datetime) -> None:
    for _ in range(MOST_FAILED):
        try:
            int("nonsense")
        except ValueError as error:
            game_failed(game_id=at.game.pk, what="test", error=error, now=now)


def taken_up(at: Sitting, now: dt.datetime) -> None:
    game_taken_up(game_id=at.game.pk, now=now)


def objected(at: Sitting, now: dt.datetime) -> None:
    next_objected(table_id=at.game.table_id, user=at.user(), now=now)


def dealt(at: Sitting, now: dt.datetime) -> None:
    game_next(table_id=at.game.table_id, now=now)


WHILE_IT_RUNS: Final = (
    *(extended, asked, answered, asked, answered, answered, halted, halted, left_alone, back, timed_out, back),
    *(away, set_aside, taken_up, gone_for_good),
)


def happens(at: Sitting, act: Callable[[Sitting, dt.datetime], object]) -> None:
    """Let something happen, or be refused where it makes no sense just now."""

    def tried(sitting: Sitting, now: dt.datetime) -> None:
        with suppress(ServiceError):
            act(sitting, now)

    at.happens(tried)


def whole_game(seed: int, *, every: int) -> None:
    """Play a random game to its end and into the next deal; all that may happen to it does, at random moments."""
    kept.forget()
    with time_machine.travel(NOW, tick=False):
        at = Sitting(seed, every=every)
    acts = at.rng.sample(WHILE_IT_RUNS, k=len(WHILE_IT_RUNS))
    while not at.over:
        at.step()
        if acts and at.rng.random() < 0.4:
            happens(at, acts.pop())
    for act in (*acts, objected, dealt):
        happens(at, act)
    Table.objects.filter(pk=at.game.table_id).update(watch=Table.Watch.NOBODY)
    [refused] = board_frames(code=at.game.code, asked=[Asked(at.stranger.pk)], now=at.now)
    assert type(refused) is NotAtTable


@pytest.mark.parametrize("seed", [0])
def test_an_old_page_and_what_it_was_pushed_is_a_fresh_page(seed: int) -> None:
    whole_game(seed, every=4)


def test_a_change_that_nobody_counts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel(NOW, tick=False):
        at = Sitting(1)
    monkeypatch.setattr("games.services.extensions.board_changed", lambda **_: None)
    with pytest.raises(AssertionError):
        at.happens(extended)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 300))
def test_the_same_of_many_games(seed: int) -> None:
    whole_game(seed, every=1)
