"""Serves pages and sockets as `daphne` does, with the same arguments, and leaves without cutting anybody off.

Told to stop (SIGTERM), a web first says so at /healthz: the proxy that asks there brings everybody else to other webs.
It stops once that is known and what was under way is answered. By itself daphne drops what is under way.
"""

import gc
import signal
import sys
import time
from typing import Any, Final

from daphne.cli import CommandLineInterface
from daphne.http_protocol import WebRequest
from daphne.server import Server
from twisted.internet import reactor as twisted_reactor

from bhabhi_site.leaving import leaving
from games.management.pings import pings_limited

NOTICED: Final = 3.0
"""Seconds in which a proxy has noticed: it asks every second."""

PATIENCE: Final = 12.0
"""Seconds after which what is still under way is dropped; less than `stop_grace_period` in docker-compose.yml."""

TURN: Final = 0.0005
"""Seconds after which a thread that makes pages lets the loop go on, for which all sockets wait; Python's are ten times
as long."""

STARTED: Final = 5.0
"""Seconds after which all that a web needs is loaded, and is looked through for garbage no more: it takes 0.1 s each
time, in which nobody is served."""

YOUNG: Final = 10_000
"""How many new objects are looked through together: with Python's 700 a board is interrupted several times."""

_reactor: Any = twisted_reactor


class Web(Server):
    """A daphne that is told to leave by SIGTERM; Ctrl-C still stops it at once."""

    def run(self) -> None:
        """Serve until told to stop."""
        sys.setswitchinterval(TURN)
        pings_limited()
        _reactor.callLater(STARTED, _settle)
        # Daphne's own handlers are set when it starts, so this comes after.
        _reactor.callLater(0, signal.signal, signal.SIGTERM, self._told)
        super().run()  # type: ignore[no-untyped-call]  # daphne ships no types

    def _told(self, *_: Any) -> None:
        if not leaving.is_set():
            leaving.set()
            _reactor.callFromThread(_reactor.callLater, NOTICED, self._leave, time.monotonic() + PATIENCE)

    def _leave(self, at_last: float) -> None:
        if self._is_busy() and time.monotonic() < at_last:
            _reactor.callLater(0.05, self._leave, at_last)
        else:
            self.stop()

    def _is_busy(self) -> bool:
        """Tell whether a page is under way; sockets are not waited for, since they come back by themselves."""
        return any(isinstance(each, WebRequest) and "disconnected" not in at for each, at in self.connections.items())


def _settle() -> None:
    gc.collect()
    gc.freeze()
    # What sockets leave behind is old when they close: by Python's measure it is looked at after a million objects.
    gc.set_threshold(YOUNG, 5, 2)


class Line(CommandLineInterface):
    """The command line of daphne, for a `Web`."""

    server_class = Web


if __name__ == "__main__":
    Line().run(sys.argv[1:])
