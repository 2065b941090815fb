"""`manage.py export_game CODE`: a finished game as a record."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Game
from games.selectors.records import game_record


class Command(BaseCommand):
    """Prints one line, the record of a finished game (rules.md 12)."""

    help = "Print a finished game as a record, one line of JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the game's code."""
        parser.add_argument("code", help="the code in the game's address")

    def handle(self, *args: Any, code: str, **options: Any) -> None:
        """Print the record; exit code 1 and a sentence on standard error if there is none."""
        game = Game.objects.filter(code=code).first()
        if game is None:
            raise CommandError("There is no game with this code.")
        if game.status != Game.Status.OVER:
            raise CommandError("This game is still being played: its record would show hidden cards.")
        self.stdout.write(json.dumps(game_record(game)))
