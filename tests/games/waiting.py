"""Threads that wait for a row that another transaction holds, for tests on PostgreSQL."""

import threading
import time
from collections.abc import Callable
from typing import Any

from django.db import connection

_PATIENCE = 30.0


class Begun:
    """Something that a thread with a connection of its own does; `result` is what came of it, or its error."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act
        self._result: object = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._act()
        except Exception as error:  # noqa: BLE001 - what came of it is what the test looks at
            self._result = error
        finally:
            connection.close()

    @property
    def result(self) -> Any:
        self._thread.join(_PATIENCE)
        assert not self._thread.is_alive()
        return self._result


def waiting(count: int) -> None:
    """Wait until so many connections wait for a row."""
    end = time.monotonic() + _PATIENCE
    with connection.cursor() as cursor:
        while time.monotonic() < end:
            cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0] == count:
                return
            time.sleep(0.02)
    raise AssertionError(f"not {count} connections wait")
