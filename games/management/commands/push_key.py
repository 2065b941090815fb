"""`manage.py push_key`: makes a key that signs notices to browsers."""

from typing import Any

from django.core.management.base import BaseCommand

from games.services.push import key_made


class Command(BaseCommand):
    """Prints one line, a new private key."""

    help = "Print a new key for VAPID_PRIVATE_KEY. Whoever has it can send notices in this site's name."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the key; nothing is kept. With another key, people have to ask for notices anew."""
        self.stdout.write(key_made())
