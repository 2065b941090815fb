"""Halts: while the site was away, or somebody has stopped its clocks, nobody's time runs.

A halt is a span in which every clock stands still, so that deadlines move by the part of it in which their turn ran.
While it lasts nobody knows them. They are worked out anew in portions, when it begins and when it is over; whoever acts
on one before that works it out for themselves.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db.models.functions import Greatest

from games.models import Game, Halt, Pulse, Turn
from games.selectors.games import held_seats
from games.services.aside import Round
from games.services.clocks import turns_retimed
from games.services.locks import game_locked, writing
from games.services.projections import board_changed
from games.services.pulse import SWEEP, WEB

GAP: Final = timedelta(minutes=2)
"""How long no sweep has run, or no page been served, when that is taken for an outage."""

WHY_LENGTH: Final = 200
"""The most characters of why somebody has stopped the clocks."""

AT_ONCE: Final = 500
"""The most turns whose deadlines are put right at once; the next sweep goes on."""


def halt_noticed(*, now: datetime, gap: timedelta = GAP) -> Halt | None:
    """Beat the sweep's pulse; store and return an outage, if no sweep ran or no page was served for longer than *gap*.

    One of the worker is over as it is noticed, one of the pages when they are served again. Of several sweeps at once
    one notices; with no pulse yet, as when the site starts for the first time, nothing was missed.
    """
    with writing():
        swept = _swept(now)
        web = Pulse.objects.filter(name=WEB).values_list("at", flat=True).first()
        Pulse.objects.filter(name=SWEEP).update(at=max(swept, now))
        silent = web is not None and now - web > gap
        under_way = Halt.objects.filter(kind=Halt.Kind.OUTAGE, until=None).first()
        if under_way is not None:
            if not silent:
                _ended(under_way, now)
            return under_way
        missed = [at for at in (swept, web) if at is not None and now - at > gap]
        if not missed:
            return None
        return Halt.objects.create(kind=Halt.Kind.OUTAGE, since=min(missed), until=None if silent else now)


def _swept(now: datetime) -> datetime:
    """Return when the last sweep was, and hold its pulse, so that no other sweep looks meanwhile."""
    rows = Pulse.objects.select_for_update().filter(name=SWEEP).values_list("at", flat=True)
    found = rows.first()
    if found is None:
        Pulse.objects.bulk_create([Pulse(name=SWEEP, at=now)], ignore_conflicts=True)
        found = rows.get()
    return found


def _ended(halt: Halt, now: datetime) -> None:
    # Deadlines are to be worked out again, from the first turn on.
    halt.until, halt.upto, halt.applied = max(now, halt.since), 0, None
    halt.save(update_fields=["until", "upto", "applied"])


def freeze_begun(*, why: str, now: datetime) -> tuple[Halt, bool]:
    """Stop all clocks of the site, in the transaction that is open, until `freeze_ended`; tell whether they ran.

    Cards may be played by hand. `why` is what people read, at most 200 characters of it.
    """
    made = {"since": now, "why": why[:WHY_LENGTH]}
    return Halt.objects.get_or_create(kind=Halt.Kind.FREEZE, until=None, defaults=made)


def freeze_ended(*, now: datetime) -> Halt | None:
    """Let the clocks of the site run again, in the transaction that is open; None if nobody has stopped them."""
    halt = Halt.objects.select_for_update().filter(kind=Halt.Kind.FREEZE, until=None).first()
    if halt is not None:
        _ended(halt, now)
    return halt


def halts_applied(*, now: datetime, at_once: int = AT_ONCE) -> bool:
    """Work out deadlines anew after halts have begun or ended, the next so many turns; tell whether more are left.

    Safe to break off and to do again: nothing is added to a deadline, it is what its turn and the halts make it.
    """
    fresh = list(Halt.objects.filter(applied=None).order_by("pk"))
    return any(_portion_applied(halt, now, at_once) for halt in fresh)


def _portion_applied(halt: Halt, now: datetime, at_once: int) -> bool:
    """Put right what comes after the last turn that was; tell whether more are left."""
    rows = Turn.objects.filter(pk__gt=halt.upto).order_by("pk").values_list("pk", "game_id")[:at_once]
    turns = list(rows)
    games = dict.fromkeys(game_id for _, game_id in turns)
    Round(now).each("deadline", [(game_id, partial(game_retimed, game_id=game_id)) for game_id in games])
    more = len(turns) == at_once
    upto = turns[-1][0] if turns else halt.upto
    with writing():
        # Unless it has ended meanwhile, so that all is to be done again.
        same = Halt.objects.filter(pk=halt.pk, until=halt.until)
        same.update(upto=Greatest("upto", upto), applied=None if more else now)
    return more


def game_retimed(*, game_id: int) -> bool:
    """Work out all deadlines of a game anew, and tell those who look at it; False if none has changed.

    They are told either way: every board says that the clocks stand still, or that they did.

    Raises:
        GameGone: there is no such game.
    """
    with writing():
        game = game_locked(game_id)
        if game.status != Game.Status.RUNNING:
            return False
        changed = game.aside is None and turns_retimed(game=game, held=held_seats(game.table_id))
        board_changed(game=game)
        return changed
