"""`manage.py take_up`: lets a game go on at which the sweep had failed and which was set aside."""

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import Game
from games.services.office.errors import NotAside, ReasonNeeded
from games.services.office.results import game_take_up
from games.services.office.seen import seen_of

_WHY: Final = "What was wrong has been put right."


class Command(BaseCommand):
    """Takes up a game again that was set aside, once whatever was wrong with it has been put right."""

    help = "Let a game go on that was set aside, once what was wrong with it has been put right."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the game's code, and what its people shall read."""
        parser.add_argument("code", help="the game's code, as in its address and in the log")
        parser.add_argument("why", nargs="?", default=_WHY, help="a sentence for the people at its table")

    def handle(self, *args: Any, code: str, why: str, **options: Any) -> None:
        """Take it up; exit code 1 and a sentence on standard error if there is no such game."""
        game = Game.objects.filter(code=code).first()
        if game is None:
            raise CommandError(f"There is no game {code!r}: look at the log again.")
        try:
            game_take_up(game_id=game.pk, by=None, why=why, seen=seen_of(game), now=timezone.now())
        except NotAside as error:
            self.stdout.write(str(error))
        except ReasonNeeded as error:
            raise CommandError(str(error)) from None
        else:
            self.stdout.write("The game goes on.")
