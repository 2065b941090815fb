"""Backups of SQLite: a copy by the database itself, put back in one step."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from django.db import connection

from games.services.backups.facts import Facts, facts_of
from games.services.backups.manifest import Manifest, private_file
from games.services.errors import BackupFailed


def site_path() -> Path:
    """Return the file of the site's database."""
    return Path(connection.settings_dict["NAME"]).absolute()


def dumped(part: Path) -> Facts:
    """Write the whole database into *part*, which is there and empty, as it is at this moment; writers need not wait.

    Raises:
        BackupFailed: if that fails.
    """
    if not site_path().exists():
        raise BackupFailed('The database holds no games yet: run "manage.py migrate" first.')
    with _said(), closing(sqlite3.connect(site_path(), timeout=20, isolation_level=None)) as line:
        line.execute("VACUUM INTO ?", (str(part),))
    return facts_at(part)


def facts_at(path: Path) -> Facts:
    """Return what a database holds that nobody writes to.

    Raises:
        BackupFailed: if it is damaged or holds nothing.
    """
    with _said(), closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as line:
        cursor = line.cursor()
        [said] = cursor.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise BackupFailed(f"The database is damaged: {said}")
        return facts_of(cursor, "sqlite")


def put_in_place(file: Path, manifest: Manifest, *, now: datetime) -> Path | None:
    """Let a backup be the site's database from now on, and return where the former one was put, if there was one.

    Nobody else may have it open. What was copied is compared with the manifest first.

    Raises:
        BackupFailed: if it is not what the manifest says; nothing has changed then.
        OSError: if the folder cannot be written to.
    """
    connection.close()
    path = site_path()
    fresh = path.with_name(f"{path.name}.restoring")
    fresh.unlink(missing_ok=True)
    try:
        with os.fdopen(private_file(fresh), "wb") as out, file.open("rb") as whole:
            shutil.copyfileobj(whole, out)
            out.flush()
            os.fsync(out.fileno())
        if differs := manifest.facts.differs(facts_at(fresh)):
            raise BackupFailed(f"The backup is not what its manifest says: {differs}.")
        kept = _put_aside(path, path.with_name(f"{path.name}.before-{now:%Y%m%dT%H%M%SZ}"))
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return kept


def _put_aside(path: Path, kept: Path) -> Path | None:
    if not path.exists():
        return None
    # What is in the log of writes goes into the file; of a damaged one both are kept, and still fit by their names.
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as line:
        line.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        path.with_name(f"{path.name}-wal").rename(kept.with_name(f"{kept.name}-wal"))
    path.rename(kept)
    return kept


@contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise BackupFailed(f"SQLite refuses: {error}.") from None
