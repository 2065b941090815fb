"""The parts of a whole site in one process: a folder held by one server, a port, a worker and a clock as threads."""

import contextlib
import fcntl
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from celery import Celery, beat
from celery.worker import state as worker_state

# How many ports after the one asked for are tried.
PORTS_TRIED = 50


class AlreadyRunning(Exception):
    """Another server holds the folder; *port* is its port, or 0 while it is starting."""

    def __init__(self, port: int) -> None:
        self.port = port
        super().__init__(port)


class HeldFolder:
    """The one server that may use a data folder; others read from it which port it serves."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Never deleted: a lock on a file that is gone holds nobody off.
        self._file = (folder / "server").open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            with self._file:
                self._file.seek(0)
                raise AlreadyRunning(int(self._file.read() or 0)) from None
        self._file.truncate(0)

    def announce(self, port: int) -> None:
        """Let others read that this server listens on *port*."""
        self._file.write(str(port))
        self._file.flush()

    def release(self) -> None:
        """Let another server have the folder; one that ends need not say so."""
        self._file.close()


def listen(asked: int) -> socket.socket:
    """Return a listening socket on 127.0.0.1, at port *asked* or the first free one after it.

    Raises OSError if all of PORTS_TRIED are taken.
    """
    for port in range(asked, min(asked + PORTS_TRIED, 65536)):
        with contextlib.suppress(OSError):
            return _listen_at(port)
    raise OSError(f"ports {asked} to {asked + PORTS_TRIED - 1} of this computer are all taken")


def _listen_at(port: int) -> socket.socket:
    # Browsers try [::1] for localhost first: a port that another program has there is not free for us.
    with contextlib.suppress(OSError), socket.create_connection(("::1", port), timeout=0.5):
        raise OSError(port)
    # Set so that a server may come back while old connections linger; it does not share a port in use.
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


@contextlib.contextmanager
def worker_and_beat(app: Celery) -> Iterator[None]:
    """Run a Celery worker and its clock in threads; both are told to stop, but not waited for, when the block ends."""
    worker: Any = app.WorkController(
        hostname="embedded@localhost",
        pool="threads",
        concurrency=4,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    # Its schedule is in the settings: nothing to keep between runs.
    clock = beat.Service(app, max_interval=1, scheduler_cls=beat.Scheduler)
    for name, run in (("worker", worker.start), ("beat", clock.start)):
        threading.Thread(target=_run, args=(app, run), name=name, daemon=True).start()
    try:
        yield
    finally:
        clock.stop()
        worker_state.should_stop = os.EX_OK  # type: ignore[assignment]  # None until somebody sets it


def _run(app: Celery, run: Any) -> None:
    app.set_current()
    run()
