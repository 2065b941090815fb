"""`manage.py take_up`: lets a game go on at which the sweep had failed and which was set aside."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import Game
from games.services.aside import game_taken_up


class Command(BaseCommand):
    """Takes up a game again that was set aside, once whatever was wrong with it has been put right."""

    help = "Let a game go on that was set aside, once what was wrong with it has been put right."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the game's code."""
        parser.add_argument("code", help="the game's code, as in its address and in the log")

    def handle(self, *args: Any, code: str, **options: Any) -> None:
        """Take it up; exit code 1 and a sentence on standard error if there is no such game."""
        game_id = Game.objects.filter(code=code).values_list("pk", flat=True).first()
        if game_id is None:
            raise CommandError(f"There is no game {code!r}: look at the log again.")
        taken = game_taken_up(game_id=game_id, now=timezone.now())
        self.stdout.write("The game goes on." if taken else "The game was not set aside.")
