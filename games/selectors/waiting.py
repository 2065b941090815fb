"""What a board says of time, read from the database: deadlines, stand-ins, days away, what stops the clocks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.models import Game, Holder
from games.selectors.clocks import pace_of
from games.selectors.games import Log
from games.selectors.makers import STAND_IN, TIMEOUT
from games.selectors.pauses import StopsShown, TurnShown
from games.selectors.sight import Looking, Sitting, Watching
from games.selectors.times import day_short, day_words, since_tag
from games.selectors.waits import NOTHING, Clocks, Gone

TIMED_OUT: Final = "timed out"
PLAYED_FOR: Final = "a bot played for them"
PLAYED_FOR_YOU: Final = "a bot played for you"


def clocks_shown(
    *, found: Sitting | Watching, stops: StopsShown, log: Log, made: Sequence[str], now: datetime
) -> Clocks:
    """Return how time runs in a game as its viewer may know it; *made* says how each entry of the log was made."""
    game, pace = found.game, pace_of(found.game.table)
    if game.status == Game.Status.OVER:
        return Clocks(now, timed=pace.timed, live=pace.live, late=_late(found, log, made))
    turns, today = stops.turns, timezone.localtime(now).date()
    here = {each.seat.number: each for each in found.rows if each.until is None}
    still = _still(stops, now) if pace.timed else NOTHING
    awaited = [seat for seat in turns if _awaits_person(here.get(seat))]
    mine = turns.get(found.seat) if isinstance(found, Sitting) else None
    return Clocks(
        now,
        timed=pace.timed,
        live=pace.live,
        missed=game.table.missed,
        last_miss=_last_miss(turns),
        due={} if game.aside or still else {seat: due for seat in awaited if (due := turns[seat].due) is not None},
        stood_in=frozenset(seat for seat, each in here.items() if each.stand_in),
        away={seat: Gone(day_words(each.last, today), day_short(each.last)) for seat, each in stops.away.items()},
        still=still,
        forced=mine is not None and mine.forced,
    )


def _still(stops: StopsShown, now: datetime) -> SafeString:
    """Say since when nobody's time runs and nobody knows until when; "" if it runs, or rests until a known moment."""
    since = min((each.since for each in stops.halts if each.until is None), default=None)
    return NOTHING if since is None else format_html("The clocks stand still since {}.", since_tag(since, now))


def _awaits_person(holder: Holder | None) -> bool:
    return holder is not None and holder.user_id is not None and not holder.stand_in


def _last_miss(turns: Mapping[int, TurnShown]) -> frozenset[int]:
    """Return the seats for which a bot plays on if their time passes once more."""
    return frozenset(seat for seat, turn in turns.items() if turn.missed)


def _late(found: Looking, log: Log, made: Sequence[str]) -> Mapping[int, str]:
    """Say of each seat of a game that is over where a bot played for a person: timed out, or excused."""
    played = {each.seat for each, by in zip(log.entries, made, strict=True) if by in {TIMEOUT, STAND_IN}}
    people = {each.seat.number: each.pk for each in found.rows if not each.bot}
    own = found.seat if isinstance(found, Sitting) else None
    return {
        seat: TIMED_OUT if people.get(seat) in found.late else PLAYED_FOR_YOU if seat == own else PLAYED_FOR
        for seat in sorted(played & people.keys())
    }
