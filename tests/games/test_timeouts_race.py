"""A person, the clock and a bot that is voted in, all for one turn: one of them has it, and the log names which."""

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import pytest

from games.clocks.pace import each_card
from games.models import Game, Holder, Move, Turn
from games.selectors.games import game_state
from games.services.bot_turns import bot_move
from games.services.errors import StaleGame, StoodIn
from games.services.locks import table_locked, writing
from games.services.play import move_play
from games.services.stand_ins import stood_in
from games.services.timeouts import came_back, turn_due
from games.services.verify import game_verify
from tests.games.pacing import DAY, paced
from tests.games.stored import chosen, game_of, in_threads, people

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = [60, pytest.param(200, marks=pytest.mark.soak)]
"""How often three go at once; two hundred times in the long campaign."""

ACTORS = ("hand", "timeout", "bot")


@dataclass
class Turns:
    """One turn after the other of a game at which three go at once."""

    game: Game
    rounds: int

    def __post_init__(self) -> None:
        self.gate = threading.Barrier(3)
        self.tally: Counter[str] = Counter()
        self.prepare()

    def prepare(self) -> None:
        state = game_state(self.game)
        self.version, self.move = state.entries, chosen(state, state.awaited[0])
        due = Turn.objects.values_list("due_at", flat=True).get(game=self.game)
        assert due is not None
        self.now = due
        self.holder = Holder.objects.select_related("user").get(
            table=self.game.table_id, seat__number=self.move.seat, until=None
        )
        self.won: list[str] = []

    def act(self, number: int) -> None:
        tries: list[Callable[[], object]] = [self.hand, self.clock, self.bot]
        for _ in range(self.rounds):
            self.gate.wait(30)
            # Who comes too late is refused; anything else that is raised fails the test.
            with suppress(StaleGame, StoodIn):
                if tries[number]() is not None:
                    self.won.append(ACTORS[number])
            if self.gate.wait(30) == 0:
                self.check()
                self.prepare()
            self.gate.wait(30)

    def hand(self) -> object:
        return move_play(
            game_id=self.game.pk,
            seat=self.move.seat,
            move=self.move,
            version=self.version,
            key="",
            actor=Move.Actor.HAND,
            user_id=self.holder.user_id,
            now=self.now,
        )

    def clock(self) -> object:
        return turn_due(game_id=self.game.pk, seat=self.move.seat, now=self.now)

    def bot(self) -> object:
        with writing():
            stood_in(table=table_locked(self.game.table_id), holder=self.holder, now=self.now)
        return bot_move(game_id=self.game.pk, version=self.version, now=self.now)

    def check(self) -> None:
        entry = Move.objects.get(game=self.game, number=self.version + 1)
        assert self.won == [entry.actor]
        assert entry.seat == self.move.seat
        assert Move.objects.filter(game=self.game, number__gt=self.version).exclude(kind="draw").count() == 1
        self.tally[entry.actor] += 1
        assert self.holder.user is not None
        came_back(table_id=self.game.table_id, user=self.holder.user, now=self.now)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_of_hand_clock_and_bot_one_wins_each_turn(rounds: int) -> None:
    tally: Counter[str] = Counter()
    for _ in range(4):
        turns = Turns(paced(game_of(persons=people(4)), each_card(DAY)), rounds // 4)
        assert in_threads(3, turns.act) == [None] * 3
        game_verify(game_id=turns.game.pk)
        tally += turns.tally
    assert tally.total() == rounds
    assert set(tally) == set(ACTORS), tally


def test_the_clock_waits_for_nobody_who_holds_the_table() -> None:
    """Whoever holds it changes what the time hangs on: the next sweep looks again."""
    game = paced(game_of(persons=people(3)), each_card(DAY))
    turn = Turn.objects.get(game=game)
    assert turn.due_at is not None
    due, held, done = turn.due_at, threading.Event(), threading.Event()

    def act(number: int) -> object:
        if number == 0:
            with writing():
                table_locked(game.table_id)
                held.set()
                return done.wait(30)
        assert held.wait(30)
        try:
            return turn_due(game_id=game.pk, seat=turn.seat, now=due)
        finally:
            done.set()

    assert in_threads(2, act) == [True, None]
    assert turn_due(game_id=game.pk, seat=turn.seat, now=due) is not None
