"""What is told in the end: a mail or a message to devices, and what every one of a table may say of it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from games.models import Game, Holder, Table
from games.selectors.invites import preset_of, seats_free

PUT_OFF_MOST: Final = timedelta(hours=1)
"""What is put off is looked at again after that long: what it waits for may end sooner."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to be: to whom, from which template, in which language and time zone."""

    to: str
    template: str
    context: dict[str, Any]
    language: str = ""
    zone: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """A message to a person's devices: the words are those of the mail's subject and of one line more.

    path: the page that it leads to. tag: a later message with the same takes its place. until: when it is of no more
    use.
    """

    user: User
    template: str
    context: dict[str, Any]
    path: str
    tag: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Later:
    """Not now: look again at a moment. With a channel that is how it is told then, and to a person who is known now."""

    due: datetime
    channel: str = ""
    user: User | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What a notice tells, found to be true still; fields as in `Message`."""

    template: str
    context: dict[str, Any]
    path: str
    tag: str
    until: datetime | None = None


def facts(table: Table, game: Game | None = None) -> dict[str, Any]:
    """Return what every mail of a table may say of it: nothing of its cards. It leads to a game, else the newest."""
    game = game or Game.objects.filter(table=table).order_by("-number").first()
    path = reverse("table", args=[game.code]) if game else reverse("series", args=[table.code])
    return {
        "table": table.name,
        "rules": preset_of(table.rules),
        "seats": table.seats,
        "free": seats_free(table),
        "deals": table.deals,
        "waits": table.status == Table.Status.OPEN,
        "host": table.host.name if table.host else "",
        "path": path,
        "link": settings.SITE_URL + path,
        "settings": settings.SITE_URL + reverse("settings"),
        "names": list(_names(table)),
    }


def _names(table: Table) -> Any:
    return Holder.objects.filter(table=table, until=None).order_by("seat__number").values_list("name", flat=True)


def sits(table: Table, user: User) -> bool:
    """Tell whether a person sits at a table now."""
    return Holder.objects.filter(table=table, user=user, until=None).exists()
