"""How the site is, on one page: what doctor says, how old what is, what waits, which games were set aside."""

import math
import platform
from collections.abc import Iterator
from datetime import timedelta
from importlib.metadata import version
from typing import Any, Final

from django.contrib.admin import AdminSite
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from games.admin.deeds import may
from games.models import Audit, Game, Halt, Pulse
from games.services.health import looked_over
from games.services.health.figures import figures
from games.services.pulse import BACKUP, VERIFIED

_PATIENCE: Final = 2.0
_LISTED: Final = 50
_SAID: Final = {
    "sweep_age_seconds": "The last sweep",
    "web_age_seconds": "Pages were last served",
    "sweep_lag_seconds": "The latest turn waits since",
    "outbox_due": "Notices that wait",
    "outbox_age_seconds": "The oldest of them waits since",
    "games_aside": "Games set aside",
}
_PACKAGES: Final = ("Django", "django-allauth", "channels", "daphne", "celery", "django-simple-history", "openskill")


def health_page(desk: AdminSite, request: HttpRequest) -> HttpResponse:
    """Show all of it, to read; the staff of every role may."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(("GET", "HEAD"))
    now = timezone.now()
    frozen = Halt.objects.filter(until=None).order_by("since").first()
    what: dict[str, Any] = {
        **desk.each_context(request),
        "title": "How the site is",
        "checks": looked_over(now=now, patience=_PATIENCE),
        "figures": [*_figures(figures(now=now)), *_backups()],
        "aside": _aside(request),
        "frozen": frozen,
        "freeze_url": _clocks(request, frozen),
        "versions": _versions(),
    }
    return TemplateResponse(request, "admin/desk/health.html", what)


def _figures(found: dict[str, float]) -> Iterator[tuple[str, str]]:
    for name, said in _SAID.items():
        value = found[name]
        yield said, _ago(value) if name.endswith("_seconds") else f"{value:.0f}"


def _ago(seconds: float) -> str:
    if math.isinf(seconds):
        return "never"
    return f"{timedelta(seconds=round(seconds))} ago" if seconds >= 1 else "now"


def _backups() -> Iterator[tuple[str, str]]:
    at = dict(Pulse.objects.filter(name__in=(BACKUP, VERIFIED)).values_list("name", "at"))
    for name, said in ((BACKUP, "The last backup"), (VERIFIED, "A backup was last tried")):
        yield said, f"{at[name]:%Y-%m-%d %H:%M} UTC" if name in at else "never, as far as is known"


def _aside(request: HttpRequest) -> list[tuple[Game, str]]:
    """Return the games that were set aside, and where whoever may takes them up again."""
    rows = Game.objects.exclude(aside=None).order_by("aside")[:_LISTED]
    allowed = may(request.user, Audit.Action.TAKE_UP)
    return [(each, reverse("admin:games_game_deed", args=[each.pk, "take-up"]) if allowed else "") for each in rows]


def _clocks(request: HttpRequest, frozen: Halt | None) -> str:
    if frozen is not None and frozen.kind != Halt.Kind.FREEZE:
        return ""
    deed, right = ("thaw", Audit.Action.THAW) if frozen else ("freeze", Audit.Action.FREEZE)
    return reverse("admin:games_halt_clocks", args=[deed]) if may(request.user, right) else ""


def _versions() -> list[tuple[str, str]]:
    """Return what the site is made of."""
    connection.ensure_connection()
    database = ".".join(map(str, connection.get_database_version()))
    return [
        ("Python", platform.python_version()),
        (connection.display_name, database),
        *((name, version(name)) for name in _PACKAGES),
    ]
