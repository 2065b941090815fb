"""The sockets of open pages: an answer to "is there anything new?" that comes by itself. They read, and change nothing.

Plain ASGI functions: a consumer of Channels takes a few kilobytes more for each socket.
"""

import io
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import structlog
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest

from accounts.origins import origin_of
from games.live.hub import hub
from games.live.newcomers import OPENED_A_MINUTE, begun, opened
from games.live.places import HomeSocket, TableSocket
from games.live.sockets import Close, Send, Socket
from games.selectors.faces import lie_kept

_SCHEMES: Final = {"ws": "http", "wss": "https"}
_PORTS: Final = {"http": ":80", "https": ":443"}
_LONGEST_SINCE: Final = 64

_log = structlog.get_logger(__name__)

type Receive = Callable[[], Awaitable[dict[str, Any]]]


class _Asked(NamedTuple):
    """What is kept of a request for a socket: all that it needs, and no more."""

    own: bool
    code: str
    lie: str
    kept: dict[str, Any]


async def table_socket(scope: Any, receive: Receive, send: Send) -> None:
    """Serve the board of a game, as often as there is another one."""
    asked = _asked(scope)
    scope.clear()
    socket = TableSocket(send=send, code=asked.code, lie=lie_kept(asked.lie), **asked.kept)
    await _served(socket, receive, send, own=asked.own)


async def home_socket(scope: Any, receive: Receive, send: Send) -> None:
    """Serve the list of somebody's games, as often as it changes."""
    asked = _asked(scope)
    scope.clear()
    await _served(HomeSocket(send=send, **asked.kept), receive, send, own=asked.own)


async def _served(socket: Socket, receive: Receive, send: Send, *, own: bool) -> None:
    await receive()
    began = time.monotonic()
    # Browsers learn a code only from a socket that was accepted.
    await send({"type": "websocket.accept"})
    begun()
    counted = own and _counted(socket)
    try:
        if not own:
            await socket.stop(Close.FOREIGN)
        elif not counted:
            await socket.stop(Close.TOO_MANY)
        else:
            opened(socket)
        while (message := await receive())["type"] == "websocket.receive":
            await socket.said(message.get("text"))
        took = round(time.monotonic() - began, 1)
        _log.info("socket closed", place=type(socket).__name__, code=message.get("code"), seconds=took)
    finally:
        socket.closed = True
        hub.leave(socket)
        if counted:
            hub.limits.left(socket.address)


def _counted(socket: Socket) -> bool:
    most = settings.SOCKETS_PER_ADDRESS
    return hub.limits.came(socket.address, most=most, a_minute=max(most, OPENED_A_MINUTE))


def _asked(scope: Any) -> _Asked:
    code = scope["url_route"]["kwargs"].get("code", "")
    request = ASGIRequest(
        {**scope, "method": "GET", "scheme": _SCHEMES.get(scope.get("scheme", ""), "http")}, io.BytesIO()
    )
    kept = {
        "session": request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""),
        "address": origin_of(request),
        "since": request.GET.get("since", "")[:_LONGEST_SINCE],
        "plain": request.GET.get("plain") == "1",
    }
    return _Asked(_own(request), code, request.COOKIES.get(settings.LIE_COOKIE_NAME, ""), kept)


def _own(request: HttpRequest) -> bool:
    """Tell whether a page of this very site asks: browsers say whose page it is, and let no script say otherwise."""
    try:
        host = request.get_host()
    except DisallowedHost:
        return False
    scheme = "https" if request.is_secure() else "http"
    ours = f"{scheme}://{host}".lower()
    return request.headers.get("Origin", "").lower() in (ours, ours.removesuffix(_PORTS[scheme]))
