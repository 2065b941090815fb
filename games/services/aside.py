"""Games at which the sweep or a bot fails: the third time running they are set aside, and the others go on."""

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog
from django.db import OperationalError

from games.models import Game, Turn
from games.selectors.games import BrokenGame, held_seats
from games.services.clocks import turns_retimed
from games.services.going_on import next_moved
from games.services.locks import writing
from games.services.projections import board_changed, bots_of

MOST_FAILED: Final = 3
"""How often running a game may fail before it is set aside."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Round:
    """A round over games, each by itself: those that it looked at, and those at which something went wrong."""

    now: datetime
    looked: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)

    def each(self, what: str, acts: Iterable[tuple[int, Callable[[], object]]]) -> int:
        """Do what there is to do for games, given with their ids; return how often something came of it."""
        return sum(self._tried(what, game_id, act) for game_id, act in acts)

    def _tried(self, what: str, game_id: int, act: Callable[[], object]) -> bool:
        self.looked.add(game_id)
        try:
            return bool(act())
        except OperationalError as error:
            # Nothing of this game's: the database is busy, or away. Whether the game is well, nobody knows.
            self.looked.discard(game_id)
            _log.warning("put off", what=what, game=game_id, error=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other games go on
            self._failed(what, game_id, error)
        return False

    def _failed(self, what: str, game_id: int, error: Exception) -> None:
        # Once a round, however many of its seats are due.
        if game_id not in self.failed:
            self.failed.add(game_id)
            game_failed(game_id=game_id, what=what, error=error, now=self.now)

    def recovered(self) -> None:
        """Forget earlier failures of the games at which nothing went wrong this time."""
        well = Game.objects.filter(pk__in=self.looked - self.failed, broken__gt=0, aside=None)
        for game_id in list(well.values_list("pk", flat=True)):
            Game.objects.filter(pk=game_id, aside=None).update(broken=0)


def game_failed(*, game_id: int, what: str, error: Exception, now: datetime) -> bool:
    """Report that something failed at a game, and count it; tell whether the game has been set aside with this.

    Nobody is waited for at such a game, and no bot plays in it, until somebody has seen to it (`taken_up`); people
    may play their cards.
    """
    # Neither its words nor its values: they may name cards.
    said = str(error) if isinstance(error, BrokenGame) else type(error).__name__
    _log.error("game failed", what=what, game=game_id, error=said, where=_where(error))
    with writing():
        game = Game.objects.select_for_update(no_key=True).filter(pk=game_id, aside=None).first()
        if game is None:
            return False
        game.broken += 1
        if game.broken >= MOST_FAILED:
            game.aside, game.next_at = now, None
            _nothing_due(game_id)
            board_changed(game=game)
        game.save(update_fields=["broken", "aside", "next_at"])
    if game.aside is not None:
        _log.error("game set aside", game=game_id, code=game.code)
    return game.aside is not None


def _where(error: Exception) -> str:
    """Return where in the program an error came from."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"


def _nothing_due(game_id: int) -> None:
    Turn.objects.filter(game=game_id).update(due_at=None, warn_at=None, order_at=None)


def turns_laid_aside(*, game_id: int) -> None:
    """Let nothing come due in a game that was set aside and went on by hand."""
    with writing():
        if Game.objects.select_for_update(no_key=True).filter(pk=game_id).exclude(aside=None).first() is not None:
            _nothing_due(game_id)


def taken_up(*, game: Game, now: datetime) -> bool:
    """Let a game go on that was set aside, which this transaction holds; False if it was not."""
    if game.aside is None:
        return False
    game.aside, game.broken = None, 0
    game.save(update_fields=["aside", "broken"])
    held = held_seats(game.table_id)
    turns_retimed(game=game, held=held)
    Turn.objects.filter(game=game, seat__in=bots_of(held)).update(due_at=now)
    board_changed(game=game)
    next_moved(table=game.table, now=now)
    return True
