"""Views about the site itself."""

import threading
import time
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.gates import only
from accounts.middleware import for_nobody
from bhabhi_site.leaving import leaving
from games.services.health import ready

_PLAIN: Final = "text/plain; charset=utf-8"
# Seconds: how long an answer is kept, since anybody may ask, and how long its parts are waited for.
KEPT: Final = 2.0
PATIENCE: Final = 2.0


@for_nobody
@only("GET")
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that this process serves pages, or that it is about to stop (503); it asks nothing of the database."""
    if leaving.is_set():
        leaves = HttpResponse("leaving\n", status=503, content_type=_PLAIN)
        # Asked every second until it stops; Django would log each as an error.
        setattr(leaves, "_has_been_logged", True)  # noqa: B010 - a name of Django's own
        return leaves
    return HttpResponse("ok\n", content_type=_PLAIN)


@for_nobody
@only("GET")
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer whether the site is at work, a part in each line; 503 if one is not. For alarms, not for a proxy."""
    found = readiness.found()
    lines = "".join(f"{name} {'ok' if well else 'broken'}\n" for name, well in found.items())
    return HttpResponse(lines, status=200 if all(found.values()) else 503, content_type=_PLAIN)


class Readiness:
    """What was last found, for a moment; of several who ask at once one looks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at = -KEPT
        self._last: dict[str, bool] = {}
        # Once they are complete they stay so for this process: a newer version may add to them while it runs.
        self._known: set[str] = set()

    def found(self) -> dict[str, bool]:
        """Return which parts are well."""
        with self._lock:
            if time.monotonic() - self._at >= KEPT or not self._last:
                self._last = ready(now=timezone.now(), patience=PATIENCE, known=self._known)
                self._at = time.monotonic()
                self._known |= {name for name in ("migrations",) if self._last[name]}
            return self._last


readiness = Readiness()
