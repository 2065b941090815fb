"""The pulse of the pages: as long as the loop that serves them turns, the database hears of it every few seconds.

The sweep takes the site for away where nothing is heard, and lets nobody's time run meanwhile (`games.services.halts`).
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from django.db import connections

from bhabhi_site.pages import threads
from games.services.pulse import WEB, pulsed, site_now

type App = Callable[[Any, Any, Any], Awaitable[None]]

_log = structlog.get_logger(__name__)


class WebPulse:
    """An ASGI application that beats while it serves another one: from the first that it is asked, or told to start.

    `every` is in seconds; none beats with 0.
    """

    def __init__(self, served: App, every: float) -> None:
        self._served, self._every = served, every
        self._beating: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve."""
        self.start()
        await self._served(scope, receive, send)

    def start(self) -> None:
        """Begin to beat, in the loop that is running, if it does not beat yet."""
        if self._every and (self._beating is None or self._beating.done()):
            # A loop keeps no hold of its tasks.
            self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def _beat(self) -> None:
        while True:
            try:
                # In a thread of the pool in which pages are made: if none is free, none can be served.
                await asyncio.get_running_loop().run_in_executor(threads, beat)
            except Exception as error:  # noqa: BLE001 - the database is away; it is asked again
                _log.warning("no pulse", error=type(error).__name__)
            await asyncio.sleep(self._every)


def beat() -> None:
    """Tell the database that pages are served."""
    try:
        pulsed(name=WEB, now=site_now())
    finally:
        # Of this thread alone: nobody else would close them.
        connections.close_all()
