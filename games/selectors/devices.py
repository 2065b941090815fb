"""The browsers in which a person wants to be told."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.models import PushDevice


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A browser: what its person reads of it, since when, when it last took a notice, None if it never did.

    `mark` is by which a browser knows itself: a hash of its address, which nobody else is told.
    """

    id: int
    agent: str
    created: datetime
    used: datetime | None
    mark: str


def devices_of(user: User) -> tuple[DeviceRow, ...]:
    """Return a person's browsers, the newest first."""
    rows = PushDevice.objects.filter(user=user).order_by("-created", "-pk")
    return tuple(
        DeviceRow(each.pk, each.agent, each.created, each.used, hashlib.sha256(each.endpoint.encode()).hexdigest())
        for each in rows
    )
