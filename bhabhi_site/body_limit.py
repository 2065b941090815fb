"""Refuses large request bodies before Django stores them anywhere."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

type Message = Mapping[str, Any]
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]
type App = Callable[[Any, Receive, Send], Awaitable[None]]


def _limit(scope: Message) -> int:
    hook = bool(settings.MAIL_HOOK_SECRET) and str(scope.get("path", "")).startswith("/hooks/mail/")
    return int(settings.MAIL_HOOK_MOST if hook else settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


class BodyLimit:
    """Answers 413 when a request's body is larger than DATA_UPLOAD_MAX_MEMORY_SIZE, whatever its headers say.

    What providers of mail tell may be larger, where they may tell anything (MAIL_HOOK_MOST). Django checks the declared
    length of some kinds of body only, and only once it has them all on disk.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Read the body of an HTTP request up to the limit, then pass both on or refuse."""
        messages = await self._read(receive, _limit(scope))
        if messages is None:
            await self._refuse(send)
            return
        rest = iter(messages)

        async def replay() -> Message:
            return next(rest, None) or await receive()

        await self.app(scope, replay, send)

    async def _read(self, receive: Receive, limit: int) -> list[Message] | None:
        """Return the messages that make up the body, or None as soon as it is too large."""
        messages: list[Message] = []
        size = 0
        while True:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            if size > limit:
                return None
            if not message.get("more_body", False):
                return messages

    async def _refuse(self, send: Send) -> None:
        page = render_to_string("413.html").encode()
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(page)).encode()),
            (b"cache-control", b"private, no-store"),
            (b"content-security-policy", b"default-src 'none'"),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": page})
