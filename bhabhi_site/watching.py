"""What is counted, for whoever asks at METRICS_PORT: a server of its own in a thread, never at the public port."""

import threading
import time
from collections.abc import Iterable, Iterator
from typing import Final

import structlog
from django.conf import settings
from django.db import connections
from prometheus_client import start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector, CollectorRegistry

from games.metrics import REGISTRY

KEPT: Final = 10.0
"""Seconds for which the figures of the database are kept: several may ask, each every few seconds."""

_SAID: Final = {
    "sweep_age_seconds": "How long ago the last sweep ran.",
    "sweep_lag_seconds": "How late the turn is that has been due for longest.",
    "web_age_seconds": "How long ago pages were known to be served.",
    "backup_age_seconds": "How long ago the last backup was made.",
    "outbox_due": "Notices that should have gone out by now.",
    "outbox_age_seconds": "How long the oldest of them has been due.",
    "games_aside": "Games that were set aside because the sweep failed at them.",
    "database_up": "Whether the database could be asked.",
}

_log = structlog.get_logger(__name__)


class Stored(Collector):
    """The figures of the database, looked up when somebody asks; without a database there are none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at = -KEPT
        self._last: dict[str, float] = {}

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Name nothing beforehand: to be registered must not ask the database."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each figure."""
        for name, value in self._figures().items():
            yield GaugeMetricFamily(f"getaway_{name}", _SAID[name], value=value)

    def _figures(self) -> dict[str, float]:
        with self._lock:
            if time.monotonic() - self._at >= KEPT or not self._last:
                self._last = _asked()
                self._at = time.monotonic()
            return self._last


def _asked() -> dict[str, float]:
    # Imported late: models load after the settings.
    from games.services.health.figures import figures
    from games.services.pulse import site_now

    try:
        return figures(now=site_now()) | {"database_up": 1.0}
    except Exception as error:  # noqa: BLE001 - the database is away; that is a figure as well
        _log.warning("no figures", error=type(error).__name__)
        return {"database_up": 0.0}
    finally:
        connections.close_all()


class Watching:
    """A server of metrics that runs; port 0 takes any free one."""

    def __init__(self, host: str, port: int, registry: CollectorRegistry = REGISTRY) -> None:
        self._registry, self._stored = registry, Stored()
        self._server, self._thread = start_http_server(port, host, registry)
        self.port: int = self._server.server_port
        registry.register(self._stored)

    def close(self) -> None:
        """Stop, and let go of the port."""
        self._server.shutdown()
        # `shutdown` alone keeps the socket.
        self._server.server_close()
        self._thread.join()
        self._registry.unregister(self._stored)


_lock = threading.Lock()
_running: list[Watching] = []


def watching_begun() -> Watching | None:
    """Serve metrics if METRICS_PORT says where; of several parts of the site in a process the first does.

    A port that is taken is no reason to keep the site down: it is told, and none are served.
    """
    with _lock:
        if settings.METRICS_PORT and not _running:
            try:
                _running.append(Watching(settings.METRICS_HOST, settings.METRICS_PORT))
            except OSError as error:
                _log.error("no metrics", port=settings.METRICS_PORT, error=type(error).__name__)
        return _running[0] if _running else None


def watching_ended() -> None:
    """Stop serving metrics, if this process does."""
    with _lock:
        while _running:
            _running.pop().close()
