"""The pulse of the site: when its parts were last seen at work, all by one clock."""

from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models.functions import Greatest
from django.utils import timezone

from games.models import Pulse
from games.services.locks import writing

SWEEP: Final = "sweep"
"""The worker's pulse: each sweep beats it."""

WEB: Final = "web"
"""That of the pages: whichever process answers beats it."""

BACKUP: Final = "backup"
"""When the last backup was made."""

VERIFIED: Final = "verified"
"""When a backup was last proved to be sound."""


def site_now() -> datetime:
    """Return what time it is by the clock that all workers share: the database server's, or this computer's."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        moment: datetime = cursor.fetchone()[0]
        return moment


def pulsed(*, name: str, now: datetime) -> None:
    """Store that a part of the site was seen at work; a pulse never goes back."""
    with writing():
        rows = Pulse.objects.filter(name=name)
        if not rows.update(at=Greatest("at", now)):
            # The first time: of several that come at once one makes the row, and perhaps not the latest.
            Pulse.objects.bulk_create([Pulse(name=name, at=now)], ignore_conflicts=True)
            rows.update(at=Greatest("at", now))
