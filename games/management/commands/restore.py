"""`manage.py restore FILE --yes`: a backup becomes the site's database."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from games.management.embedded import AlreadyRunning, HeldFolder
from games.services.backups.restoring import backup_restored
from games.services.errors import BackupFailed


class Command(BaseCommand):
    """Restores a backup while the site stands still; what is there is put aside or refused, never written over."""

    help = "Let a backup be the site's database. At PostgreSQL that must be empty; a SQLite file is put aside."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file, and a word that it is meant."""
        parser.add_argument("file", type=Path, help="what manage.py backup wrote; its manifest lies beside it")
        parser.add_argument("--yes", action="store_true", help="needed: what was stored since the backup is not in it")

    def handle(self, *args: Any, file: Path, yes: bool, **options: Any) -> None:
        """Restore it; exit code 1 and a sentence on standard error if that cannot be."""
        if not yes:
            raise CommandError("The site will be as it was when the backup was made: add --yes if you want that.")
        try:
            with _folder_held() as held:
                done = backup_restored(file=file.absolute(), now=timezone.now(), held=held)
        except AlreadyRunning:
            raise CommandError("Getaway is running in this folder: stop it first.") from None
        except (BackupFailed, DatabaseError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Games restored: {done.games}.")
        if done.kept:
            self.stdout.write(f"The former database is kept: {done.kept}. Delete it once you need it no more.")
        commands = ["migrate", "verify_games"] if done.older else ["verify_games"]
        self.stdout.write(f"Now run: {', then '.join(f'manage.py {name}' for name in commands)}; then start the site.")


@contextmanager
def _folder_held() -> Iterator[bool]:
    """Hold the data folder of an embedded site, if its database is there; say whether it is."""
    if settings.DATA_DIR is None or connection.vendor != "sqlite":
        yield False
        return
    folder = HeldFolder(settings.DATA_DIR)
    try:
        yield True
    finally:
        folder.release()
