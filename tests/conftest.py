"""What every test may ask for."""

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from pytest_django import DjangoDbBlocker

ROOT = Path(__file__).resolve().parents[1]

_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_configure() -> None:
    """Make the folder that the settings name; each process has one of its own."""
    assert settings.DATA_DIR is not None
    settings.DATA_DIR.mkdir(mode=0o700, exist_ok=True)
    # That of the first process outlives those which it starts: what one of them has made is there for all.
    os.environ.setdefault("TESTS_SHARED", str(settings.DATA_DIR))


def pytest_unconfigure() -> None:
    """Take the folder away."""
    assert settings.DATA_DIR is not None
    shutil.rmtree(settings.DATA_DIR)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser, so that `-m "not e2e"` leaves it out, and deal its modules among the others.

    They wait for pages more than they compute: beside them there shall be others that do not.
    """
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    browsers = [path for path in modules if "e2e" in path.parts]
    # What comes at the end is short and waits for nothing, so that no core waits for one long module.
    others = sorted((path for path in modules if path not in browsers), key=lambda path: path.parent.name == "rules")
    order = {path: float(at) for at, path in enumerate(others)}
    for at, path in enumerate(browsers):
        for item in modules[path]:
            item.add_marker("e2e")
        # None comes last: one core would wait.
        order[path] = at * 0.8 * len(others) / len(browsers)
    items[:] = [item for path in sorted(modules, key=order.__getitem__) for item in modules[path]]


def pytest_collection_finish() -> None:
    """Look no more for rubbish among the thousands of tests, which stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _no_limits_left() -> None:
    """Begin every test with nothing counted against anybody."""
    cache.clear()


@pytest.fixture(autouse=True)
def _live_part_is_well(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which a fault of ours befell the live part, which goes on all the same; some mean one."""
    from games.metrics import LIVE_FAILED

    faults = LIVE_FAILED.labels("fault")._value
    before = faults.get()
    yield
    assert getattr(request.module, "FAULTS_MEANT", False) or faults.get() == before


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Take the tests' database away in the end, though a thread of a server under test may hold a connection to it."""
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )


def chromium() -> str:
    """Return the path of the system's Chromium with all that it has."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    if path is None:
        pytest.fail("No Chromium: run `make test`, or install chromium, or set CHROMIUM to its path.")
    return path


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the system's Chromium, if possible without windows: Playwright's own can't be downloaded everywhere.

    Without its sandbox, which root and containers have not; it opens pages of this computer only.
    """
    path = os.environ.get("CHROMIUM_SHELL") or chromium()
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"]
    return {**browser_type_launch_args, "executable_path": path, "args": [*quiet, "--disable-component-update"]}
