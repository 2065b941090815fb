"""Plays the cards that go by themselves (`games.services.orders`), by the one writer path."""

from datetime import datetime

from accounts.choices import wants
from accounts.models import User
from games.models import Game, Holder, Move, Turn
from games.selectors.games import game_state, held_seats
from games.selectors.halts import clocks_halted
from games.services.errors import NotYourSeat
from games.services.locks import game_if_free, game_locked, writing
from games.services.orders import only_card
from games.services.play import Attempt, Outcome, move_entered


def order_played(*, game_id: int, seat: int, now: datetime) -> Outcome | None:
    """Play the only card of a person, if its time has come and they want it still; None if not.

    Safe to call twice, late or early. Where there is a choice after all, or the person has changed their mind, the card
    stays theirs to play. While the site's clocks are stopped it is held back.

    Raises:
        BrokenGame: the game cannot be what is stored.
    """
    with writing():
        game = game_if_free(game_id)
        if game is None or game.status != Game.Status.RUNNING or game.aside is not None:
            return None
        turn = Turn.objects.filter(game=game, seat=seat, order_at__lte=now).first()
        if turn is None or clocks_halted(now):
            return None
        held, state = held_seats(game.table_id), game_state(game)
        move, user_id = only_card(state, seat), held[seat].awaited_user
        if move is None or not _wanted(user_id):
            turn.order_at = None
            turn.save(update_fields=["order_at"])
            return None
        attempt = Attempt(move, state.entries, Move.Actor.ORDER, now)
        return move_entered(game=game, held=held, attempt=attempt)


def order_waited(*, game_id: int, user: User) -> bool:
    """Keep a person's only card until they play it by hand; False if it does not go by itself anyway.

    Raises:
        GameGone: there is no such game.
        NotYourSeat: they do not sit at its table.
    """
    with writing():
        game = game_locked(game_id)
        seats = Holder.objects.filter(table=game.table, user=user, until=None).values_list("seat__number", flat=True)
        seat = seats.first()
        if seat is None:
            raise NotYourSeat
        # Nobody else's board shows it: no bell rings.
        waiting = Turn.objects.filter(game=game, seat=seat, order_at__isnull=False)
        return waiting.update(order_at=None) > 0


def _wanted(user_id: int | None) -> bool:
    return user_id is not None and wants(User.objects.get(pk=user_id), "forced")
