"""The sweep: every few seconds it finds what has come due or was lost, and sees to it (architecture: decision 7).

It may run twice, late or in two places: it finds by what is stored, and whoever acts looks again under the game's lock.
What goes wrong at one game keeps no other.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from games import effects
from games.models import Pulse
from games.selectors.due import deals_due, orders_due, turns_due, warnings_due
from games.selectors.halts import HOLD, clocks_halted
from games.services.aside import Round, turns_laid_aside
from games.services.bot_turns import GRACE
from games.services.forced import order_played
from games.services.going_on import next_dealt
from games.services.halts import GAP, halt_noticed, halts_applied
from games.services.pulse import WEB
from games.services.timeouts import turn_due
from games.services.turn_notices import turn_warned
from games.services.votes import votes_closed

WEB_LATE: Final = timedelta(seconds=45)
"""How long no page has been served when nobody is timed out any more: it may be the beginning of an outage."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did: how many bots it sent for, turns it ended, cards it played, reminders, deals.

    halted: clocks stand still. failed: the games at which something went wrong. more: the next one should come at once.
    """

    bots: int = 0
    ended: int = 0
    ordered: int = 0
    warned: int = 0
    dealt: int = 0
    halted: bool = False
    failed: frozenset[int] = frozenset()
    more: bool = False


type Acts = Iterator[tuple[int, Callable[[], object]]]


def swept(*, now: datetime, gap: timedelta = GAP, grace: timedelta = GRACE) -> Swept:
    """See to everything that is due: bots that are late by *grace*, turns whose time is up, cards, reminders, deals.

    After a *gap* in its own runs, or in those of the pages, it puts deadlines right first, and times nobody out.
    """
    halt_noticed(now=now, gap=gap)
    more, run = halts_applied(now=now), Round(now)
    due = turns_due(now=now, grace=grace)
    run.each("aside", _astray(due.astray))
    for game_id, version in due.bots:
        effects.bots_sent_for(game_id, version)
    if clocks_halted(now):
        return Swept(bots=len(due.bots), halted=True, more=more)
    ordered = run.each("order", _orders(now))
    ended = run.each("time-out", _time_outs(due.people, now)) if _may_time_out(now) else 0
    warned = run.each("reminder", _warnings(now))
    dealt = run.each("next deal", _deals(now))
    _votes(now)
    run.recovered()
    more = more or (due.full and ended > 0)
    return Swept(len(due.bots), ended, ordered, warned, dealt, failed=frozenset(run.failed), more=more)


def _may_time_out(now: datetime) -> bool:
    """Tell whether people's time may be up now: neither just after a halt, nor if none of the pages has been served."""
    late = Pulse.objects.filter(name=WEB, at__lt=now - WEB_LATE).exists()
    return not late and not clocks_halted(now, HOLD)


def _astray(games: Sequence[int]) -> Acts:
    for game_id in games:
        yield game_id, partial(turns_laid_aside, game_id=game_id)


def _time_outs(people: Sequence[tuple[int, int]], now: datetime) -> Acts:
    for game_id, seat in people:
        yield game_id, partial(turn_due, game_id=game_id, seat=seat, now=now)


def _orders(now: datetime) -> Acts:
    for game_id, seat in orders_due(now=now):
        yield game_id, partial(order_played, game_id=game_id, seat=seat, now=now)


def _warnings(now: datetime) -> Acts:
    for game_id, seat in warnings_due(now=now):
        yield game_id, partial(turn_warned, game_id=game_id, seat=seat, now=now)


def _deals(now: datetime) -> Acts:
    for game_id in deals_due(now=now):
        yield game_id, partial(next_dealt, game_id=game_id, now=now)


def _votes(now: datetime) -> None:
    try:
        votes_closed(now=now)
    except Exception as error:  # noqa: BLE001 - no game waits for a vote
        _log.error("votes not closed", error=type(error).__name__)
