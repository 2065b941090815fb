"""Restoring a backup, and proving beforehand that it can be done."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.db import DatabaseError, connection

from games.models import Pulse
from games.services.backups import postgres, sqlite
from games.services.backups.facts import Facts, migrations_missing
from games.services.backups.manifest import Manifest, manifest_checked
from games.services.errors import BackupFailed
from games.services.pulse import VERIFIED, WEB, pulsed

_STILL: Final = timedelta(minutes=1)
"""So long the pages must have been silent before their database is another one."""


class Restored(NamedTuple):
    """What was restored: how many games, where the former database is kept, and whether it has to be migrated."""

    games: int
    kept: Path | None
    older: bool


def backup_restored(*, file: Path, now: datetime, held: bool) -> Restored:
    """Let a backup be the site's database.

    *held*: the caller holds the folder of a SQLite database, so that no server can have it open.

    Raises:
        BackupFailed: if the site is running, the file is not whole, or the database at PostgreSQL is not empty.
        OSError: if files cannot be read or written.
    """
    manifest = manifest_checked(file, vendor=connection.vendor)
    if not held and _served(now):
        raise BackupFailed("The site is running: stop its web, worker and beat, wait a minute, and run this again.")
    kept = None
    if connection.vendor == "postgresql":
        place = postgres.site_place()
        postgres.filled(file, place)
        _compared(manifest, postgres.facts_at(place))
    else:
        kept = sqlite.put_in_place(file, manifest, now=now)
    return Restored(manifest.facts.games, kept, migrations_missing(manifest.facts.migrations))


def backup_verified(*, file: Path, into: str = "", now: datetime) -> int:
    """Restore a backup aside, compare it with its manifest and replay all its games; return how many there are.

    With *into*, the address of an empty PostgreSQL database, it is restored there and stays there.

    Raises:
        BackupFailed: naming what is wrong.
        OSError: if files cannot be read or written.
    """
    manifest = manifest_checked(file, vendor=connection.vendor)
    aside = _postgres_aside if connection.vendor == "postgresql" else _sqlite_aside
    with aside(file, into) as (url, facts):
        _compared(manifest, facts)
        if migrations_missing(manifest.facts.migrations):
            _managed(url, "migrate", "--noinput", "--verbosity=0")
        _managed(url, "verify_games")
    # Also on a new computer, before the site's tables are there; the proof stands without it.
    with suppress(DatabaseError):
        pulsed(name=VERIFIED, now=now)
    return manifest.facts.games


def _served(now: datetime) -> bool:
    try:
        # In an empty database there is no such table.
        there = "games_pulse" in connection.introspection.table_names()
        return there and Pulse.objects.filter(name=WEB, at__gt=now - _STILL).exists()
    except DatabaseError:
        if connection.vendor == "postgresql":
            raise
        # A damaged file is what backups are for.
        return False


def _compared(manifest: Manifest, found: Facts) -> None:
    if differs := manifest.facts.differs(found):
        raise BackupFailed(f"The backup is not what its manifest says: {differs}. Take another one.")


@contextmanager
def _postgres_aside(file: Path, into: str) -> Iterator[tuple[str, Facts]]:
    if into:
        place = postgres.place_at(into)
        postgres.filled(file, place)
        yield postgres.url_of(place), postgres.facts_at(place)
        return
    with postgres.database_aside() as place:
        postgres.filled(file, place)
        yield postgres.url_of(place), postgres.facts_at(place)


@contextmanager
def _sqlite_aside(file: Path, into: str) -> Iterator[tuple[str, Facts]]:
    if into:
        raise BackupFailed("--into is for PostgreSQL: SQLite needs no database to be made.")
    with tempfile.TemporaryDirectory(prefix="getaway-verify-") as folder:
        copy = Path(folder) / "copy.sqlite3"
        shutil.copyfile(file, copy)
        yield f"sqlite:///{quote(str(copy))}", sqlite.facts_at(copy)


def _managed(url: str, *command: str) -> None:
    """Run a command of manage.py on another database, in a process of its own."""
    env = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": settings.SETTINGS_MODULE}
    done = subprocess.run(  # noqa: S603 - this Python, with arguments of ours
        [sys.executable, "-m", "django", *command],
        cwd=settings.BASE_DIR,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stderr.strip() or "it says nothing").splitlines()[-1]
        raise BackupFailed(
            f"The backup can be read, but is not sound. {command[0]}: {said.removeprefix('CommandError: ')}"
        )
