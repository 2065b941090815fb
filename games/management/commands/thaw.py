"""`manage.py thaw`: lets the clocks run again that `manage.py freeze` stopped."""

from typing import Any

from django.core.management.base import BaseCommand

from games.services.halts import thawed
from games.services.pulse import site_now


class Command(BaseCommand):
    """Lets all clocks run again; deadlines move by the time for which they stood still."""

    help = "Let all clocks run again; deadlines move by the time for which they stood still."

    def handle(self, *args: Any, **options: Any) -> None:
        """Let them run, and say for how long they stood still."""
        halt = thawed(now=site_now())
        if halt is None:
            self.stdout.write("The clocks ran already: nobody has stopped them.")
        else:
            self.stdout.write(f"The clocks run again: they stood still since {halt.since:%Y-%m-%d %H:%M} UTC.")
