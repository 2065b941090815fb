"""`manage.py verify_games`: proves that every stored game is what its log gives."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.selectors.games import BrokenGame
from games.services.verify import game_ids, game_verify


class Command(BaseCommand):
    """Replays every game and stops at the first that differs."""

    help = "Replay every stored game; name the first that differs from its log, and where."

    def handle(self, *args: Any, **options: Any) -> None:
        """Check all games; exit code 1 and a sentence on standard error if one differs."""
        count = 0
        for count, game_id in enumerate(game_ids(), 1):  # noqa: B007 - counted as they come
            try:
                game_verify(game_id=game_id)
            except BrokenGame as broken:
                raise CommandError(f"{broken}.") from None
        self.stdout.write(f"Games checked: {count}. Each is what its log gives.")
