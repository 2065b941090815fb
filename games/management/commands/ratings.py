"""`manage.py ratings`: works out all ratings anew from the log."""

from typing import Any

from django.core.management.base import BaseCommand

from games.services.ratings import ratings_recomputed


class Command(BaseCommand):
    """Recomputes ratings; what was right before is the same afterwards, to the last bit."""

    help = "Work out all ratings anew from the games and their corrections, and say what was different."

    def handle(self, *args: Any, **options: Any) -> None:
        """Recompute, and name the pools in which something was otherwise."""
        done = ratings_recomputed()
        said = f"Deals looked at: {done.deals}. People rated: {done.people}."
        changed = f"Put right: {', '.join(done.differ)}." if done.differ else "All was as it is now."
        self.stdout.write(f"{said} {changed}")
