"""`manage.py freeze`: stops every clock of the site, until `manage.py thaw`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.services.halts import frozen
from games.services.pulse import site_now


class Command(BaseCommand):
    """Stops all clocks: nobody is timed out or reminded, nothing is played or dealt by itself."""

    help = 'Stop all clocks, until "manage.py thaw"; cards may still be played by hand.'

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what people shall read."""
        parser.add_argument("why", nargs="?", default="", help="a sentence for the people at the tables")

    def handle(self, *args: Any, why: str, **options: Any) -> None:
        """Stop them, and say since when they stand still."""
        now = site_now()
        halt = frozen(why=why, now=now)
        said = "All clocks stand still now" if halt.since == now else "All clocks stood still already"
        self.stdout.write(f"{said}: since {halt.since:%Y-%m-%d %H:%M} UTC.")
