"""`manage.py thaw`: lets the clocks run again that `manage.py freeze` stopped."""

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.services.office.clocks import site_thaw
from games.services.office.errors import NotFrozen, ReasonNeeded
from games.services.pulse import site_now

_WHY: Final = "The site goes on."


class Command(BaseCommand):
    """Lets all clocks run again; deadlines move by the time for which they stood still."""

    help = "Let all clocks run again; deadlines move by the time for which they stood still."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what people shall read."""
        parser.add_argument("why", nargs="?", default=_WHY, help="a sentence for the people at the tables")

    def handle(self, *args: Any, why: str, **options: Any) -> None:
        """Let them run, and say for how long they stood still."""
        try:
            halt = site_thaw(by=None, why=why, now=site_now())
        except NotFrozen as error:
            self.stdout.write(str(error))
        except ReasonNeeded as error:
            raise CommandError(str(error)) from None
        else:
            self.stdout.write(f"The clocks run again: they stood still since {halt.since:%Y-%m-%d %H:%M} UTC.")
