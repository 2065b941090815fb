"""Ways to break each constraint of the database that clocks, votes and what readers are told have."""

import datetime as dt
from collections.abc import Callable
from typing import Any

from games.models import (
    Answer,
    Ballot,
    Bank,
    Game,
    Halt,
    Holder,
    MissedTurn,
    Pause,
    Result,
    Seen,
    Vacation,
    Vote,
)
from tests.games.breaks import AFTER, BEFORE, Ways, another, holder, notice, table
from tests.games.stored import NOW, person

HOUR = dt.timedelta(hours=1)


def sitting(game: Game, *, bot: bool = False) -> Holder:
    """Who sits at the table: its first person, or its first bot."""
    return Holder.objects.filter(table=game.table, user__isnull=bot).order_by("seat__number")[0]


def timed(game: Game, pace: str, start: int, increment: int, cap: int, grace: int = 0) -> None:
    """A table with a pace, its lengths in hours."""
    lengths = {"start": start, "increment": increment, "cap": cap, "grace": grace}
    table(game, code=pace, pace=pace, **{f"pace_{name}": hours * HOUR for name, hours in lengths.items()})


def bank(game: Game, **changes: Any) -> None:
    Bank.objects.create(**{"game": game, "seat": 0, "left": HOUR} | changes)


def answer(game: Game, **changes: Any) -> None:
    fields = {"game": game, "seat": 0, "holder": sitting(game), "number": 1, "since": NOW, "at": NOW, "how": "hand"}
    Answer.objects.create(**fields | changes)


def missed(game: Game, **changes: Any) -> None:
    fields = {"game": game, "seat": 0, "holder": sitting(game), "number": 1, "due_at": NOW, "at": NOW}
    MissedTurn.objects.create(**fields | changes)


def pause(game: Game, **changes: Any) -> None:
    Pause.objects.create(**{"table": game.table, "since": NOW, "until": NOW} | changes)


def vote(game: Game, **changes: Any) -> Vote:
    fields = {"table": game.table, "kind": "pause", "days": 1, "opened": NOW, "closes": AFTER}
    return Vote.objects.create(**fields | changes)


def vacation(**changes: Any) -> None:
    fields = {"user": person(), "first": NOW.date(), "last": NOW.date(), "zone": "UTC", "made": NOW}
    Vacation.objects.create(**fields | changes)


def halt(**changes: Any) -> None:
    Halt.objects.create(**{"kind": "outage", "since": NOW, "until": NOW} | changes)


def twice(store: Callable[[Game], object]) -> Callable[[Game], None]:
    """Store the same a second time."""

    def act(game: Game) -> None:
        for _ in range(2):
            store(game)

    return act


def _stood_in(game: Game, **changes: Any) -> None:
    fields: dict[str, Any] = {"stand_in": "medium", "stood_in": NOW, "until": NOW}
    holder(game, **fields | changes)


def _one_ballot_twice(game: Game) -> None:
    asked = vote(game)
    for yes in (True, False):
        Ballot.objects.create(vote=asked, holder=sitting(game), yes=yes)


CLOCK_BREAKS: Ways = {
    "table_pace_fits": [
        lambda game: timed(game, "none", 1, 1, 1),
        lambda game: timed(game, "none", 0, 0, 0, grace=1),
        lambda game: timed(game, "move", 0, 0, 0),
        lambda game: timed(game, "move", 2, 1, 2),
        lambda game: timed(game, "move", 2, 2, 3),
        lambda game: timed(game, "live", 2, 2, 2, grace=1),
        lambda game: timed(game, "bank", 0, 1, 2),
        lambda game: timed(game, "bank", 1, 0, 2),
        lambda game: timed(game, "bank", 3, 1, 2),
        lambda game: timed(game, "bank", 1, 3, 2),
        lambda game: timed(game, "bank", 1, 1, 2, grace=-1),
        lambda game: timed(game, "fast", 1, 1, 1),
    ],
    "table_clocks_known": [
        lambda game: table(game, missed="skip"),
        lambda game: table(game, next="soon"),
        lambda game: table(game, rest_between=-HOUR),
    ],
    "holder_stand_in_for_a_person": [
        lambda game: Holder.objects.filter(pk=sitting(game, bot=True).pk).update(stand_in="medium", stood_in=NOW),
    ],
    "holder_stand_in_since": [
        lambda game: _stood_in(game, stand_in=""),
        lambda game: _stood_in(game, stood_in=None),
    ],
    "game_next_after_end": [lambda game: another(game, next_at=AFTER)],
    "bank_once_a_seat": [twice(bank)],
    "bank_seat_0_to_11": [lambda game: bank(game, seat=12)],
    "answer_once_an_entry": [twice(answer)],
    "answer_how_known": [lambda game: answer(game, how="bot")],
    "answer_seat_0_to_11": [lambda game: answer(game, seat=12)],
    "missed_once_a_deadline": [twice(missed)],
    "missed_seat_0_to_11": [lambda game: missed(game, seat=12)],
    "missed_excuse_known": [lambda game: missed(game, excuse="ill")],
    "missed_after_its_deadline": [lambda game: missed(game, at=BEFORE)],
    "pause_ends_after_its_start": [lambda game: pause(game, until=BEFORE)],
    "vote_one_open_a_table": [twice(vote)],
    "vote_kind_and_columns_agree": [
        lambda game: vote(game, days=0),
        lambda game: vote(game, days=15),
        lambda game: vote(game, holder=sitting(game)),
        lambda game: vote(game, kind="extend", days=0),
        lambda game: vote(game, kind="resume"),
        lambda game: vote(game, kind="resume", days=0, holder=sitting(game)),
        lambda game: vote(game, kind="bot", days=0),
        lambda game: vote(game, kind="bot", holder=sitting(game)),
        lambda game: vote(game, kind="end"),
    ],
    "vote_closes_after_opened": [lambda game: vote(game, closes=BEFORE)],
    "ballot_once_a_holder": [_one_ballot_twice],
    "vacation_last_after_first": [lambda game: vacation(last=BEFORE.date() - dt.timedelta(days=1))],
    "halt_kind_known": [lambda game: halt(kind="strike")],
    "halt_ends_after_start": [lambda game: halt(until=BEFORE)],
    "halt_one_open_a_kind": [twice(lambda game: halt(until=None))],
    "seen_once_a_game": [
        twice(lambda game: Seen.objects.create(user_id=sitting(game).user_id or 0, game=game, number=1)),
    ],
    "notice_channel_known": [lambda game: notice(game, channel="pigeon")],
}


def clocks_stored(game: Game) -> None:
    """Store what is right, at the edges of what may be."""
    done = another(game, status="over", ended=NOW, next_at=NOW)
    Result.objects.create(game=done, void=True, away=[])
    timed(game, "none", 0, 0, 0)
    timed(game, "move", 2, 2, 2)
    timed(game, "live", 1, 1, 1)
    timed(game, "bank", 3, 1, 3, grace=2)
    _stood_in(game)
    for seat in (0, 11):
        bank(game, seat=seat)
        answer(game, seat=seat)
        missed(game, seat=seat)
    for _ in range(2):
        answer(game, number=None, how="nudge")
        vote(game, done=NOW)
        pause(game)
        vacation()
        halt()
    vote(game, kind="bot", days=0, holder=sitting(game), closes=NOW)
    for kind in ("outage", "freeze"):
        halt(kind=kind, until=None)
