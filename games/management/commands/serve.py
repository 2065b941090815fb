"""`manage.py serve`: the whole site in one process, for playing on this computer."""

import asyncio
import logging
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.entry import entry_token
from accounts.models import User
from games.effects import sweep_at_start
from games.management.embedded import AlreadyRunning, HeldFolder, listen, worker_and_beat

DEFAULT_PORT = 8000


class Command(BaseCommand):
    """Migrates, makes the demo games if there are none, and serves pages, sockets and tasks until told to stop."""

    help = "Serve the site on this computer, with everything it needs in one process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the port to try first."""
        parser.add_argument("--port", type=int, default=None, help="port to try first (PORT, or 8000)")

    def handle(self, *args: Any, port: int | None, **options: Any) -> None:
        """Serve until SIGINT or SIGTERM."""
        if settings.DATA_DIR is None:
            raise CommandError(
                "serve is for the embedded settings; others run daphne, a worker and beat (see README.md)."
            )
        asked = port if port is not None else _port_of(os.environ.get("PORT", ""))
        try:
            folder = HeldFolder(settings.DATA_DIR)
        except AlreadyRunning as other:
            self._point_to(other.port)
            return
        call_command("migrate", verbosity=0, interactive=False)
        self._serve(folder, asked)

    def _point_to(self, port: int) -> None:
        if not port:
            raise CommandError("Getaway is already starting in another window: look for its address there.")
        self.stdout.write(f"Getaway is already running; open {_way_in(_demo_user(), port)} (works once)")

    def _serve(self, folder: HeldFolder, asked: int) -> None:
        user = _demo_user()
        try:
            listener = listen(asked)
        except OSError as error:
            raise CommandError(f"Getaway found no port: {error}.") from None
        port: int = listener.getsockname()[1]
        # Links in mails lead here.
        settings.SITE_URL = f"http://localhost:{port}"
        if port != asked:
            self.stdout.write(f"Port {asked} is taken, so this is port {port}.")

        def ready(site: Any) -> None:
            folder.announce(port)
            self.stdout.write(f"Getaway is running; open {_way_in(user, port)} (works once; Ctrl-C stops)")
            self.stdout.flush()
            # As soon as its loop turns: nobody need ask for a page first.
            asyncio.get_event_loop().call_soon(site.start)
            sweep_at_start()

        with worker_and_beat(current_app):
            _run_server(listener.fileno(), ready)
        _leave()


def _port_of(text: str) -> int:
    if not text:
        return DEFAULT_PORT
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise CommandError(f"PORT must be a number from 1 to 65535, not {text!r}.")
    return int(text)


def _demo_user() -> User:
    # Imported late: `serve --help` and a refusal need no games.
    from games.services.demo import demo_ensure

    return demo_ensure(now=timezone.now())


def _way_in(user: User, port: int) -> str:
    return f"http://localhost:{port}/dev/enter/{entry_token(user)}/"


def _run_server(descriptor: int, ready: Callable[[Any], None]) -> None:
    """Serve on the listening socket *descriptor* until a signal says stop.

    Once connections are taken *ready* is called with the ASGI application.
    """
    # Importing daphne installs its event loop for the whole process: only when serving.
    from channels.routing import get_default_application
    from daphne.server import Server

    from games.management.pings import pings_limited

    pings_limited()
    site = get_default_application()
    Server(
        site,
        ready_callable=partial(ready, site),
        endpoints=[f"fd:fileno={descriptor}"],
        server_name="getaway",
        # It limits what is sent as well: a board.
        websocket_max_message_size=65536,
        application_close_timeout=1,
    ).run()


def _leave() -> None:
    """End the process now: a worker that waits for its next task notices only after two seconds that it should stop.

    Tasks may run twice, late or never, so one that is cut off does no harm.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(os.EX_OK)
