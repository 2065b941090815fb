"""Each page in the language and the time of whoever reads it."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import zone_known


def for_nobody[**P, R: HttpResponseBase](view: Callable[P, R]) -> Callable[P, R]:
    """Mark a view that is the same whoever reads it: it is not asked who that is, which the database would know."""
    view.for_nobody = True  # type: ignore[attr-defined]
    return view


def reader(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Turn to the language and time zone that a person has; without a session nothing is asked of the database."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    def process_view(request: HttpRequest, view: Any, _args: Any, _kwargs: Any) -> None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or getattr(view, "for_nobody", False):
            return
        user = request.user
        if isinstance(user, User):
            if user.language:
                translation.activate(user.language)
                request.LANGUAGE_CODE = translation.get_language()
            if zone_known(user.zone):
                timezone.activate(user.zone)

    middleware.process_view = process_view  # type: ignore[attr-defined]
    return middleware
