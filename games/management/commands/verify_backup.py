"""`manage.py verify_backup FILE`: proves that a backup can be restored, and that each of its games is whole."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.services.backups.restoring import backup_verified
from games.services.errors import BackupFailed
from games.services.pulse import site_now


class Command(BaseCommand):
    """Restores a backup aside, compares it with its manifest and replays every game; the site runs on."""

    help = "Restore a backup aside, compare it with its manifest and replay its games; then take it away again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file, and where to restore it if the site's user may not make databases."""
        parser.add_argument("file", type=Path, help="what manage.py backup wrote; its manifest lies beside it")
        parser.add_argument(
            "--into",
            metavar="URL",
            default="",
            help="an empty PostgreSQL database, for a user who may make none; the copy stays in it: drop it",
        )

    def handle(self, *args: Any, file: Path, into: str, **options: Any) -> None:
        """Prove it; exit code 1 and a sentence on standard error if something is wrong."""
        try:
            games = backup_verified(file=file.absolute(), into=into, now=site_now())
        except (BackupFailed, DatabaseError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The backup is sound. Games checked: {games}. Each is what its log gives.")
