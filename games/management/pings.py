"""Clients may ping, but not without end: each ping is answered, and the answers kept for who does not read them."""

import time
from typing import Final

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

A_MINUTE: Final = 30
"""How many pings of a socket are answered in a minute; browsers send none, a proxy one now and then."""


class SparingProtocol(WebSocketProtocol):
    """A socket that is dropped if it pings more than that."""

    _minute = 0
    _pings = 0

    def onPing(self, payload: bytes) -> None:  # noqa: N802 - autobahn's name
        """Answer, or drop the line: to close it would be one more answer that nobody reads."""
        minute = int(time.monotonic() // 60)
        if minute != self._minute:
            self._minute, self._pings = minute, 0
        self._pings += 1
        if self._pings > A_MINUTE:
            self.dropConnection(abort=True)
        else:
            super().onPing(payload)


def pings_limited() -> None:
    """Let every socket that comes from now on be such a one."""
    WebSocketFactory.protocol = SparingProtocol
