"""Each page in the language and the time of whoever reads it; a sentence in its place while a part of us is down."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.gates import problem
from accounts.mails import MailNotSent
from accounts.models import User
from accounts.zones import zone_known

_NO_MAIL: Final = ("No mail goes out just now", "We could not send you a mail: wait a few minutes and try again.")
_NO_COUNT: Final = ("Not just now", "This does not work just now: wait a few minutes and try again.")
_log = structlog.get_logger(__name__)


def for_nobody[**P, R: HttpResponseBase](view: Callable[P, R]) -> Callable[P, R]:
    """Mark a view that is the same whoever reads it: it is not asked who that is, which the database would know."""
    view.for_nobody = True  # type: ignore[attr-defined]
    return view


def outages(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Say so (503) where a page needs the mail server, Redis or the database, and it is down; the log says why."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    middleware.process_exception = _outage_page  # type: ignore[attr-defined]
    return middleware


def _outage_page(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """Return what to answer to an error, None if it is a fault of ours."""
    back, status = request.get_full_path(), HTTPStatus.SERVICE_UNAVAILABLE
    if _no_connection(error):
        _log.warning("no database connection")
        # Without the request: whoever looked at a person would wait for a connection again.
        response = HttpResponse(render_to_string("503.html", {"back": back}), status=status)
        response["Retry-After"] = "10"
        return response
    said = _outage(error)
    if said is None:
        return None
    title, sentence = said
    response = problem(request, status=status, title=title, sentence=sentence, back=back)
    response["Retry-After"] = "300"
    return response


def _no_connection(error: Exception) -> bool:
    """Tell whether the database is away: no connection was free in time or could be made, or this one broke."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    # By name: the embedded default, which has no PostgreSQL, does not load its package. What PostgreSQL itself says has
    # a state; of those 57P is that it stops or begins.
    package, state = type(error.__cause__).__module__.partition(".")[0], getattr(error.__cause__, "sqlstate", "")
    return package == "psycopg_pool" or (package == "psycopg" and (state is None or state[:3] == "57P"))


def _outage(error: Exception) -> tuple[str, str] | None:
    """Return what to say of an error, None if it is a fault of ours."""
    if isinstance(error, MailNotSent):
        return _NO_MAIL
    # By name: the embedded default, which has no Redis, does not load its package.
    if type(error).__module__ == "redis.exceptions":
        _log.warning("cache failed", error=type(error).__name__)
        return _NO_COUNT
    return None


def reader(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Turn to the language and time zone that a person has; without a session nothing is asked of the database."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    def process_view(request: HttpRequest, view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or getattr(view, "for_nobody", False):
            return None
        try:
            _turned_to(request)
        except (InterfaceError, OperationalError) as error:
            # What fails before a view is nobody's to answer.
            response = _outage_page(request, error)
            if response is None:
                raise
            return response
        return None

    middleware.process_view = process_view  # type: ignore[attr-defined]
    return middleware


def _turned_to(request: HttpRequest) -> None:
    """Turn to the language and time zone of whoever reads."""
    user = request.user
    if not isinstance(user, User):
        return
    if user.language:
        translation.activate(user.language)
        request.LANGUAGE_CODE = translation.get_language()
    if zone_known(user.zone):
        timezone.activate(user.zone)
