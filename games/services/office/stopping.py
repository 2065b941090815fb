"""Ending a deal that goes on, so that nobody has lost it: for games that are stuck, and tables that are closed."""

from datetime import datetime

from games.models import Game
from games.rules.outcome import Result
from games.rules.replay import replay
from games.rules.state import GameState
from games.selectors.games import dealt_state, entries_of, held_seats
from games.services.projections import game_projected, turns_set


def game_stopped(*, game: Game, now: datetime) -> None:
    """End a running game that this transaction holds without a loser: turns are closed, the series goes on.

    The log stays as it is. Whoever was about to play is refused, since the game is over.
    """
    state, held = _stopped(game), held_seats(game.table_id)
    if game.aside is not None:
        game.aside = None
        game.save(update_fields=["aside"])
    turns_set(game=game, state=state, kept=(), held=held, now=now)
    game_projected(game=game, state=state, last_hash=bytes(game.last_hash), held=held, now=now)


def _stopped(game: Game) -> GameState:
    """Return where a game stands, with its end; of a log that cannot be, as far as the rules follow it."""
    state = replay(dealt_state(game), entries_of(game)).state
    # Whatever the log is worth, the game has as many entries as it had.
    return state._replace(entries=game.version, due=None, result=Result.without_loser(state.away, stopped=True))
