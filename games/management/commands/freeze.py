"""`manage.py freeze`: stops every clock of the site, until `manage.py thaw`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services.office.clocks import site_freeze
from games.services.office.errors import FrozenAlready, ReasonNeeded
from games.services.pulse import site_now


class Command(BaseCommand):
    """Stops all clocks: nobody is timed out or reminded, nothing is played or dealt by itself."""

    help = 'Stop all clocks, until "manage.py thaw"; cards may still be played by hand.'

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what people shall read."""
        parser.add_argument("why", help="a sentence for the people at the tables")

    def handle(self, *args: Any, why: str, **options: Any) -> None:
        """Stop them, and say since when they stand still."""
        try:
            halt = site_freeze(by=None, why=why, now=site_now())
        except FrozenAlready as error:
            self.stdout.write(str(error))
        except ReasonNeeded as error:
            raise CommandError(str(error)) from None
        else:
            self.stdout.write(f"All clocks stand still now: since {halt.since:%Y-%m-%d %H:%M} UTC.")
