"""Whether the parts of the site do their work, by what they have stored."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from games.models import Game, Halt, Notice, Pulse
from games.services.halts import GAP
from games.services.health.check import Found, broken, warning, well
from games.services.pulse import BACKUP, SWEEP, VERIFIED, WEB

NOTICE_LATE: Final = timedelta(minutes=10)
"""How long a mail may be due before somebody should look; six times as long is broken."""

MOST_TOLD: Final = 1_000
"""So many late ones are counted."""

BACKUP_LATE: Final = timedelta(hours=26)
VERIFIED_LATE: Final = timedelta(days=8)


def _age(name: str, now: datetime) -> timedelta | None:
    at = Pulse.objects.filter(name=name).values_list("at", flat=True).first()
    return None if at is None else now - at


def _ago(age: timedelta) -> str:
    minutes = int(age.total_seconds()) // 60
    if minutes < 120:
        return f"{minutes} minutes ago" if minutes else f"{max(0, int(age.total_seconds()))} seconds ago"
    return f"{minutes // 60} hours ago"


def sweep(now: datetime) -> Found:
    """Look whether the sweep runs: it needs the clock (beat), the broker and a worker."""
    age = _age(SWEEP, now)
    fix = "Start the worker and beat, and look at their logs."
    if age is None:
        return broken("No sweep has run yet.", fix)
    if age >= GAP:
        return broken(f"The last sweep ran {_ago(age)}: nobody's time runs.", fix)
    return well(f"The last sweep ran {_ago(age)}.")


def web(now: datetime) -> Found:
    """Look whether pages are served."""
    age = _age(WEB, now)
    fix = "Start the site's web processes, and let something ask for /healthz every few seconds."
    if age is None:
        return broken("No page has been served yet.", fix)
    if age >= GAP:
        return broken(f"Pages were last served {_ago(age)}: nobody's time runs.", fix)
    return well(f"Pages were served {_ago(age)}.")


def notices(now: datetime) -> Found:
    """Look how long the oldest notice waits that should have gone out; digests have hours of their own."""
    waiting = Notice.objects.filter(sent=None, gone=None, due__lte=now - NOTICE_LATE).exclude(channel="digest")
    dues = list(waiting.order_by("due").values_list("due", flat=True)[: MOST_TOLD + 1])
    if not dues:
        return well("No notice is late.")
    count = str(len(dues)) if len(dues) <= MOST_TOLD else f"more than {MOST_TOLD:,}"
    said = f"Notices that are late: {count}; the oldest was due {_ago(now - dues[0])}."
    fix = "Look at the worker's log, and try manage.py doctor --mail ADDRESS."
    return (broken if now - dues[0] > 6 * NOTICE_LATE else warning)(said, fix)


def aside(_now: datetime) -> Found:
    """Look for games that were set aside because the sweep failed at them."""
    codes = list(Game.objects.exclude(aside=None).order_by("aside").values_list("code", flat=True)[:5])
    if codes:
        fix = "Look for each code in the worker's log, see to it, and run manage.py take_up CODE."
        return warning(f"Games set aside: {', '.join(codes)}.", fix)
    return well("No game is set aside.")


def halt(_now: datetime) -> Found:
    """Look whether the site's clocks stand still."""
    found = Halt.objects.filter(until=None).order_by("since").first()
    if found is None:
        return well("The clocks run.")
    if found.kind == Halt.Kind.FREEZE:
        return warning(f"Clocks stand still since {found.since:%Y-%m-%d %H:%M} UTC.", "Run manage.py thaw.")
    return warning(
        f"Clocks stand still since {found.since:%Y-%m-%d %H:%M} UTC: no page is served.", "Start the web processes."
    )


def backup(now: datetime) -> Found:
    """Look whether backups are made."""
    if not settings.BACKUP_TO:
        return warning("No backups are made by themselves.", "Set BACKUP_TO to a folder, or run manage.py backup.")
    age = _age(BACKUP, now)
    if age is None or age > BACKUP_LATE:
        said = "No backup has been made yet." if age is None else f"The last backup was made {_ago(age)}."
        return broken(said, "Run manage.py backup, and look at the worker's log.")
    return well(f"The last backup was made {_ago(age)}.")


def verified(now: datetime) -> Found:
    """Look whether a backup was restored aside and replayed lately."""
    age = _age(VERIFIED, now)
    if age is None or age > VERIFIED_LATE:
        said = "No backup has been tried yet." if age is None else f"A backup was last tried {_ago(age)}."
        return warning(said, "Run manage.py verify_backup FILE.")
    return well(f"A backup was tried {_ago(age)}.")
