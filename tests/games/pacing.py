"""Tables with clocks for tests: a pace, people, and what became of their time."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from accounts.models import User
from games.clocks.pace import Pace, each_card
from games.models import Game, Table, Turn
from games.selectors.games import game_state, held_seats
from games.services.clocks import turns_begun
from games.services.locks import writing
from tests.games.stored import game_of, people

HOUR: Final = dt.timedelta(hours=1)
DAY: Final = dt.timedelta(days=1)


def paced(game: Game, pace: Pace, **columns: Any) -> Game:
    """A running game whose table has a pace; the turns that it awaits have had it from their start."""
    kind = {"pace": pace.kind.value, "pace_start": pace.start, "pace_increment": pace.increment}
    kind |= {"pace_cap": pace.cap, "pace_grace": pace.grace}
    Table.objects.filter(pk=game.table_id).update(**kind | columns)
    game = Game.objects.select_related("table").get(pk=game.pk)
    with writing():
        turns = list(Turn.objects.filter(game=game))
        turns_begun(game=game, turns=turns, held=held_seats(game.table_id))
        Turn.objects.bulk_update(turns, ["bank", "due_at", "warn_at"])
    return game


def slow_game(persons: Sequence[User] = (), bots: int = 0, pace: Pace | None = None, **columns: Any) -> Game:
    """A game with a day for each card, of three people unless told whom."""
    game = game_of(persons=persons or people(3), bots=bots)
    return paced(game, pace or each_card(DAY), **columns)


def awaited(game: Game) -> int:
    """The first seat that a game awaits."""
    return game_state(game).awaited[0]


def turn_of(game: Game) -> Turn:
    """The one turn that is open."""
    return Turn.objects.get(game=game)
