"""How much one reader and one address may ask for in a minute; counted in each process, as sockets are.

By the cookie of a session, so that nothing is asked of the database first. Not in the cache, where tries at the doors
are counted: each page would wait for Redis, and there would be none while Redis hangs.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from accounts.origins import origin_of
from games.live.limits import Minute

_readers: Final = Minute()
_addresses: Final = Minute()


def not_too_often(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Ask whoever asks for more than people do to wait (429); what is the same whoever reads it is free."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_view(request: HttpRequest, view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        return _wait() if not getattr(view, "for_nobody", False) and _too_often(request) else None

    middleware.process_view = process_view  # type: ignore[attr-defined]
    return middleware


def _too_often(request: HttpRequest) -> bool:
    # A cookie that somebody makes up may be long: its number is counted.
    reader = hash(request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""))
    # One who is refused takes nothing from others of the house.
    if reader and _readers.one_more(reader) > settings.REQUESTS_PER_READER:
        return True
    return _addresses.one_more(origin_of(request)) > settings.REQUESTS_PER_ADDRESS


def _wait() -> HttpResponse:
    # Without the request: nobody is looked up for whom there is nothing.
    headers = {"Retry-After": str(Minute.left())}
    return HttpResponse(render_to_string("429.html"), status=HTTPStatus.TOO_MANY_REQUESTS, headers=headers)
