"""The site's own middleware: static files that suit an asynchronous server, and pages that no cache may keep."""

import codecs
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.csp import CSP
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFiles(WhiteNoiseMiddleware):
    """WhiteNoise, but answers from memory: an asynchronous server warns about each response that streams a file."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:  # type: ignore[override]  # the base is WSGI's
        """Return the whole of *static_file*, or what its conditional or range headers ask for."""
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        response = HttpResponse(content, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response


# No page uses any of these. What pages do use (passkeys, sharing, copying) is open to this site alone by default.
_DEVICES: Final = ", ".join(
    f"{each}=()"
    for each in ("camera", "display-capture", "geolocation", "microphone", "midi", "payment", "serial", "usb")
)


def closed_devices(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Keep devices that no page uses, say the camera, closed to whatever may get into one (S31)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["Permissions-Policy"] = _DEVICES
        return response

    return middleware


def own_sockets(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Let a page open sockets at the host that it came from, and at no other.

    Browsers do not agree that 'self' says so: Safari before 15.4 asks for the address itself.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # Where Django's decorators keep the policy of a view that has its own.
        vars(response).setdefault("_csp_config", settings.SECURE_CSP | {"connect-src": _connected(request)})
        return response

    return middleware


def _connected(request: HttpRequest) -> list[str]:
    try:
        host = request.get_host()
    except DisallowedHost:
        return [CSP.SELF]
    return [CSP.SELF, f"{'wss' if request.is_secure() else 'ws'}://{host}"]


def private_pages(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid browsers and proxies to keep a page, unless its view has said how it may be kept."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
            patch_vary_headers(response, ["Cookie"])
        return response

    return middleware


def readable_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse what Django or PostgreSQL would fail to read (400): a form that is not UTF-8, a cookie with a NUL in it.

    Python has codecs that are no text, and a form may name any of them; a quoted cookie may hold any character.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        other = request.encoding and codecs.lookup(request.encoding).name != "utf-8"
        if other or any("\0" in value for value in request.COOKIES.values()):
            # Without the request: the page must not look at what cannot be read, neither for a person nor for a token.
            return HttpResponseBadRequest(render_to_string("400.html"))
        return get_response(request)

    return middleware
