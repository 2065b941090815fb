"""One line in the log for each request, and the same number in every line that was written meanwhile."""

import re
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, bound_contextvars, clear_contextvars

from games import effects
from games.metrics import REQUESTS

_FITS: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")
# Asked for every few seconds by machines: counted, but no line for each.
_QUIET: Final = frozenset({"healthz", "readyz", "static"})
_CODE: Final = re.compile(r"/games/([a-z0-9]{1,16})/")
# The tasks whose first number is a game's.
_OF_GAMES: Final = frozenset({effects.BOT_TURN, effects.ORDER, effects.NEXT})

_log = structlog.get_logger(__name__)


def request_ids(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Number each request, by what a trusted proxy says or anew, and tell in one line what became of it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        with bound_contextvars(request=_number(request), **_game(request)):
            response = get_response(request)
            _told(request, response.status_code, time.perf_counter() - began)
        return response

    return middleware


def _number(request: HttpRequest) -> str:
    given = request.headers.get("X-Request-Id", "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    return given if _FITS.fullmatch(given) else secrets.token_hex(8)


def _game(request: HttpRequest) -> dict[str, str]:
    """Return the code of the game that a request is about, by its address alone: routes are found later."""
    found = _CODE.match(request.path_info)
    return {"code": found[1]} if found else {}


def _told(request: HttpRequest, status: int, took: float) -> None:
    """Count a request and write its line: the route's name, never the address, in which a token may stand."""
    route = _route(request)
    REQUESTS.labels(route, str(status)).observe(took)
    line = _log.debug if route in _QUIET else _log.info
    line("request", method=_method(request), route=route, status=status, ms=round(took * 1000, 1))


def _method(request: HttpRequest) -> str:
    method = request.method or ""
    return method if method in {"GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"} else "other"


def _route(request: HttpRequest) -> str:
    """Return what a request's route is called; "none" where nothing was found, by whatever address."""
    match = request.resolver_match
    if match is not None:
        return match.view_name or "unnamed"
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "none"


def task_begun(task_id: str = "", task: Any = None, args: Any = (), **_: Any) -> None:
    """Name the task in every line that it writes, and the game that it is about."""
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)
    if task.name in _OF_GAMES and args:
        bind_contextvars(game=args[0])


def task_ended(**_: Any) -> None:
    """Name it no more: the thread takes others."""
    clear_contextvars()
