"""What a scrape of the metrics tells of the site as a whole: a few numbers, each by an index, and no names."""

import math
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Min

from accounts.choices import DIGEST
from games.models import Game, Notice, Pulse, Turn
from games.selectors.halts import clocks_halted
from games.services.pulse import BACKUP, SWEEP, WEB


def figures(*, now: datetime) -> dict[str, float]:
    """Return the numbers by name, in seconds where the name says so; what has never happened is infinitely long ago.

    There is no age of backups where none are wanted and none was ever made.
    """
    pulses = dict(Pulse.objects.filter(name__in=(SWEEP, WEB, BACKUP)).values_list("name", "at"))
    found = {f"{name}_age_seconds": _since(pulses.get(name), now) for name in (SWEEP, WEB)}
    if settings.BACKUP_TO or BACKUP in pulses:
        found["backup_age_seconds"] = _since(pulses.get(BACKUP), now)
    return found | {"sweep_lag_seconds": _lag(now), "games_aside": _aside()} | _outbox(now)


def _since(at: datetime | None, now: datetime) -> float:
    return math.inf if at is None else max(0.0, (now - at).total_seconds())


def _lag(now: datetime) -> float:
    """Return how late the turn is that has been due for longest; none is while clocks stand still."""
    rows = Turn.objects.filter(due_at__lte=now).order_by("due_at")
    due = None if clocks_halted(now) else rows.values_list("due_at", flat=True).first()
    return 0.0 if due is None else _since(due, now)


def _aside() -> float:
    return Game.objects.exclude(aside=None).count()


def _outbox(now: datetime) -> dict[str, float]:
    """Return how many notices should have gone out, and for how long the oldest; digests have hours of their own."""
    waiting = Notice.objects.filter(sent=None, gone=None, due__lte=now).exclude(channel=DIGEST)
    found = waiting.aggregate(count=Count("pk"), oldest=Min("due"))
    oldest = found["oldest"]
    return {"outbox_due": found["count"], "outbox_age_seconds": 0.0 if oldest is None else _since(oldest, now)}
