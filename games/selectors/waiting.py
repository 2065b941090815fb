"""What a board says of time, read from the database: deadlines, stand-ins, days away, what stops the clocks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.utils import timezone

from games.models import Game, Holder, MissedTurn, Move, Turn
from games.selectors.clocks import pace_of
from games.selectors.games import Log
from games.selectors.makers import STAND_IN, TIMEOUT
from games.selectors.pauses import StopsShown
from games.selectors.sight import Looking, Sitting, Watching
from games.selectors.times import day_words
from games.selectors.waits import Clocks

TIMED_OUT: Final = "timed out"
PLAYED_FOR: Final = "a bot played for them"


def clocks_shown(
    *, found: Sitting | Watching, log: Log, made: Sequence[str], stops: StopsShown, now: datetime
) -> Clocks:
    """Return how time runs in a game as its viewer may know it; *made* says how each entry of the log was made.

    Two queries while it runs; one when it is over and a bot has played for somebody, else none.
    """
    game, pace = found.game, pace_of(found.game.table)
    if game.status == Game.Status.OVER:
        return Clocks(now, timed=pace.timed, live=pace.live, late=_late(found, log, made))
    turns = {each.seat: each for each in Turn.objects.filter(game=game)}
    here = {each.seat.number: each for each in found.rows if each.until is None}
    awaited = [seat for seat in turns if _awaits_person(here.get(seat))]
    mine = turns.get(found.seat) if isinstance(found, Sitting) else None
    return Clocks(
        now,
        timed=pace.timed,
        live=pace.live,
        missed=game.table.missed,
        last_miss=mine is not None and (mine.nudges > 0 or _missed_before(log, mine.seat)),
        due={seat: due for seat in awaited if (due := turns[seat].due_at) is not None},
        away={seat: day_words(each.last, timezone.localdate(now)) for seat, each in stops.away.items()},
        still=stops.still,
        stood_in=frozenset(seat for seat, each in here.items() if each.stand_in),
        forced=mine is not None and mine.order_at is not None,
    )


def _awaits_person(holder: Holder | None) -> bool:
    return holder is not None and holder.user_id is not None and not holder.stand_in


def _missed_before(log: Log, seat: int) -> bool:
    """Return whether the last entry of a seat was made for it when its time was up."""
    last = next((at for at in reversed(range(len(log.entries))) if log.entries[at].seat == seat), None)
    return last is not None and log.actors[last] == Move.Actor.TIMEOUT


def _late(found: Looking, log: Log, made: Sequence[str]) -> Mapping[int, str]:
    """Say of each seat of a game that is over where a bot played for a person: timed out, or excused."""
    played = {each.seat for each, by in zip(log.entries, made, strict=True) if by in {TIMEOUT, STAND_IN}}
    if not played:
        return {}
    missed = MissedTurn.objects.filter(game=found.game, excuse=MissedTurn.Excuse.NONE)
    late = set(missed.order_by().values_list("holder_id", flat=True))
    people = {each.seat.number: each.pk for each in found.rows if not each.bot}
    return {seat: TIMED_OUT if people.get(seat) in late else PLAYED_FOR for seat in sorted(played & people.keys())}
