"""`manage.py backup`: everything the site has stored, in one file with a manifest beside it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.services.backups.making import KEEP, backup_made
from games.services.errors import BackupFailed
from games.services.pulse import site_now


class Command(BaseCommand):
    """Makes a backup while the tables play on, and prints its path."""

    help = "Write a backup and its manifest; the tables play on meanwhile. Both hold hands and addresses: encrypt them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the folder, and how many backups stay in it."""
        parser.add_argument("--to", metavar="DIR", default="", help="the folder, of this site alone (BACKUP_TO)")
        parser.add_argument("--keep", type=int, default=KEEP, help=f"how many backups are kept there ({KEEP})")

    def handle(self, *args: Any, to: str, keep: int, **options: Any) -> None:
        """Make it; exit code 1 and a sentence on standard error if that fails."""
        folder = to or settings.BACKUP_TO
        if not folder:
            raise CommandError("Say where to: --to DIR, or BACKUP_TO in the environment.")
        if keep < 1:
            raise CommandError(f"--keep must be 1 or more, not {keep}.")
        try:
            file = backup_made(folder=Path(folder).absolute(), keep=keep, now=site_now())
        except (BackupFailed, DatabaseError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(str(file))
