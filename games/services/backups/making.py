"""Making backups, by hand or once a day, and letting the oldest go."""

import os
import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from games.models import Pulse
from games.services.backups import postgres, sqlite
from games.services.backups.manifest import beside, manifest_of, manifest_write, private_file
from games.services.errors import BackupFailed
from games.services.pulse import BACKUP, pulsed

KEEP: Final = 14
"""How many are kept: two weeks of days, which is how long people who want to be erased may think again. So a backup
that holds somebody who is gone holds that they had asked for it, and a site made from it erases them again."""

_DAILY: Final = timedelta(hours=23, minutes=30)
"""A day, less what a task may come late."""

_FORGOTTEN: Final = timedelta(days=1)
_SUFFIXES: Final = {"postgresql": "dump", "sqlite": "sqlite3"}


def backup_if_due(*, now: datetime) -> Path | None:
    """Make the backup of the day, if there is a place for it and the last one is a day old.

    Raises:
        BackupFailed, OSError: as `backup_made`.
    """
    if not settings.BACKUP_TO or Pulse.objects.filter(name=BACKUP, at__gt=now - _DAILY).exists():
        return None
    return backup_made(folder=Path(settings.BACKUP_TO), now=now)


def backup_made(*, folder: Path, keep: int = KEEP, now: datetime) -> Path:
    """Write a backup and its manifest into a folder, and delete all but the last *keep* there; return the file.

    It appears under its name when it is whole, readable for the site's own user only.

    Raises:
        BackupFailed: if it cannot be made; nothing is left of it then, and no other one is deleted.
        OSError: if the folder cannot be written to.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"getaway-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.{_SUFFIXES[connection.vendor]}"
    if beside(file).exists():
        raise BackupFailed(f"{file} has been made already, in this very second.")
    mark = secrets.token_hex(4)
    part, manifest = (folder / f".{file.name}.{mark}{end}.part" for end in ("", ".json"))
    try:
        _written(part, manifest, now)
        part.replace(file)
        # Last: a backup is one once its manifest is there.
        manifest.replace(beside(file))
    finally:
        part.unlink(missing_ok=True)
        manifest.unlink(missing_ok=True)
    _synced(folder)
    pulsed(name=BACKUP, now=now)
    _old_deleted(folder, keep, now)
    return file


def _written(part: Path, manifest: Path, now: datetime) -> None:
    os.close(private_file(part))
    dumped = postgres.dumped if connection.vendor == "postgresql" else sqlite.dumped
    facts = dumped(part)
    _synced(part)
    manifest_write(manifest_of(part, vendor=connection.vendor, facts=facts, made=now), manifest)


def _synced(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _old_deleted(folder: Path, keep: int, now: datetime) -> None:
    """Delete what is too many, and what a process left that was killed: it holds hands, too."""
    for manifest in sorted(folder.glob("getaway-*Z.*.json"))[:-keep]:
        manifest.unlink(missing_ok=True)
        manifest.with_suffix("").unlink(missing_ok=True)
    for part in folder.glob(".getaway-*.part"):
        if part.stat().st_mtime < (now - _FORGOTTEN).timestamp():
            part.unlink(missing_ok=True)
