"""What the server itself cannot read gets a sentence, too: Twisted answers such requests with a bare status line."""

from typing import Any, Final

from twisted.web.http import HTTPChannel

_TEXT: Final = b"We could not read what your browser sent: go back, reload the page and try again.\n"
_ANSWER: Final = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_TEXT), _TEXT)
)


def answer_in_words() -> None:
    """Let every server of this process answer unreadable requests, a form in parts without a boundary say, in words."""
    # Twisted has no public place for it.
    HTTPChannel._respondToBadRequestAndDisconnect = _respond  # type: ignore[method-assign]  # noqa: SLF001


def _respond(channel: Any) -> None:
    channel.transport.write(_ANSWER)
    channel.loseConnection()
