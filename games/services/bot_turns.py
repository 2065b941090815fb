"""Bots at their turn: each sees what a person at its seat would see, and plays by the one writer path."""

from datetime import datetime, timedelta
from typing import Final

from games.bots import bot_named
from games.models import Game, Move
from games.rules import moves
from games.rules.errors import IllegalMove
from games.rules.shuffle import system_source
from games.rules.view import seat_view
from games.selectors.games import BrokenGame, game_state, held_seats
from games.services.bot_pace import bots_asked
from games.services.errors import NotYourSeat, StaleGame
from games.services.play import Outcome, move_play
from games.services.projections import bots_of

GRACE: Final = timedelta(seconds=5)
"""How long after its time a bot is taken for lost."""


def bot_move(*, game_id: int, version: int, now: datetime) -> Outcome | None:
    """Let the bots of a game act once at a version, if that is still the game's; None if none of them did.

    Before a lead those that may take a hand are asked first. Whoever acts brings the next version, at which the bots
    are sent for again. None acts in a game that was set aside.

    Raises:
        BrokenGame: the game cannot be what is stored, or a bot chose what the rules refuse.
    """
    game = Game.objects.filter(pk=game_id, version=version, status=Game.Status.RUNNING, aside=None).first()
    if game is None:
        return None
    state, held = game_state(game), held_seats(game.table_id)
    for seat in bots_asked(state, bots_of(held)):
        move = bot_named(held[seat].bot).choose(seat_view(state, seat), system_source)
        if move is None:
            continue
        return _entered(game, move, now)
    return None


def _entered(game: Game, move: moves.Move, now: datetime) -> Outcome | None:
    """Play for a bot; None if somebody was quicker, or the seat has changed hands: they have sent for the bots anew.

    Raises:
        BrokenGame: the rules refuse the move. Their sentence may name a card of the bot's, and this goes to a log.
    """
    actor, version = Move.Actor.BOT, game.version
    try:
        return move_play(game_id=game.pk, seat=move.seat, move=move, version=version, key="", actor=actor, now=now)
    except (StaleGame, NotYourSeat):
        return None
    except IllegalMove as error:
        raise BrokenGame(game.code, f"the rules refuse a bot's move ({error.code})", version + 1) from None
