"""What the site says to those who watch it, kept: log lines as production writes them, and Sentry's envelopes."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sentry_sdk
from django.utils.module_loading import import_string
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from bhabhi_site.faults import faults_told
from bhabhi_site.logs import logging_config


@contextmanager
def log_lines(level: int = logging.DEBUG) -> Iterator[io.StringIO]:
    """Everything that is logged at *level* and above, by whomever, as lines of JSON."""
    made = logging_config(as_json=True, level="DEBUG")["formatters"]["structlog"]
    found = io.StringIO()
    handler = logging.StreamHandler(found)
    handler.setFormatter(import_string(made["()"])(**{name: each for name, each in made.items() if name != "()"}))
    root, quiet = logging.getLogger(), {name: logging.getLogger(name) for name in ("django.request", "asyncio")}
    before, levels = root.level, {name: each.level for name, each in quiet.items()}
    root.addHandler(handler)
    root.setLevel(level)
    for each in quiet.values():
        each.setLevel(level)
    try:
        yield found
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        for name, each in quiet.items():
            each.setLevel(levels[name])


def lines_of(found: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in found.getvalue().splitlines()]


class Kept(Transport):
    """Keeps what would be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.envelopes: list[bytes] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        self.envelopes.append(envelope.serialize())

    def flush(self, timeout: float, callback: Any = None) -> None:
        return

    def kill(self) -> None:
        return


@contextmanager
def faults_kept() -> Iterator[list[bytes]]:
    """What Sentry would be told while the block runs."""
    kept = Kept()
    faults_told("https://key@sentry.example/1", transport=kept)
    try:
        yield kept.envelopes
    finally:
        sentry_sdk.get_global_scope().set_client(None)
