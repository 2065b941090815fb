"""What the site says to those who watch it, kept: log lines, Sentry's envelopes, rings and tasks."""

import io
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import sentry_sdk
from celery import signals
from channels.layers import get_channel_layer
from django.utils.module_loading import import_string
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from bhabhi_site.faults import faults_told
from bhabhi_site.logs import logging_config
from games import effects
from tests.games.pages import cards_on


@contextmanager
def log_lines(level: int = logging.DEBUG) -> Iterator[io.StringIO]:
    """Everything that is logged at *level* and above, by whomever, as lines of JSON."""
    made = logging_config(as_json=True, level="DEBUG")["formatters"]["structlog"]
    found = io.StringIO()
    handler = logging.StreamHandler(found)
    handler.setFormatter(import_string(made["()"])(**{name: each for name, each in made.items() if name != "()"}))
    root, quiet = logging.getLogger(), {name: logging.getLogger(name) for name in ("django.request", "asyncio")}
    before, levels = (root.level, root.handlers), {name: each.level for name, each in quiet.items()}
    root.handlers = [handler]
    root.setLevel(level)
    for each in quiet.values():
        each.setLevel(level)
    try:
        yield found
    finally:
        root.setLevel(before[0])
        root.handlers = before[1]
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


@dataclass
class Ears:
    """What went through the channel layer and the task queue."""

    rings: list[Mapping[str, Any]] = field(default_factory=list)
    tasks: list[tuple[Any, Any]] = field(default_factory=list)

    def listen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Hear everything from now on; it goes its way as before."""
        layer: Any = type(get_channel_layer())
        sends = layer.group_send

        async def group_send(this: Any, group: str, message: Mapping[str, Any]) -> None:
            self.rings.append(message)
            await sends(this, group, message)

        monkeypatch.setattr(layer, "group_send", group_send)
        signals.before_task_publish.connect(self._published)

    def _published(self, body: Any = None, headers: Any = None, **_: Any) -> None:
        self.tasks.append((body, headers))

    def check(self) -> None:
        """S5: ids and numbers, and names of what they are for."""
        effects._bell.rung(5.0)
        assert self.rings
        for message in self.rings:
            assert message["type"].replace(".", "").replace("_", "").isalpha()
            assert all(isinstance(each, int | float | None) for name, each in message.items() if name != "type"), (
                message
            )
        for (args, kwargs, _), headers in self.tasks:
            assert all(map(_number, (*args, *kwargs.values()))), args
            assert not cards_on(repr(headers))


def _number(value: object) -> bool:
    return value is None or isinstance(value, int | float)
