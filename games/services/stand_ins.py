"""Bots that play for people who are not there, until they are back: the seat stays the person's all the while."""

from datetime import datetime
from typing import Final

from games.models import Holder, Table
from games.selectors.games import held_seats
from games.services.clocks import turn_closed
from games.services.hosting import newest_game
from games.services.projections import seat_changed
from games.services.turn_notices import stood_in_told

PLAYS_ON: Final = "medium"
"""The level of a bot that plays for somebody who has left or is not there."""


def stand_in_set(*, holder_id: int, now: datetime) -> None:
    """Store that a bot stands in for a person; the caller sees to what follows from it."""
    Holder.objects.filter(pk=holder_id).update(stand_in=PLAYS_ON, stood_in=now)


def stood_in(*, table: Table, holder: Holder, now: datetime) -> bool:
    """Let a bot play for a person at a table that this transaction holds; they are told, boards too, the bot sent for.

    False if there is nobody for whom it could: the person has left, or one stands in already.
    """
    holder = Holder.objects.select_related("seat").get(pk=holder.pk)
    game = newest_game(table)
    if game is None or holder.user_id is None or holder.until is not None or holder.stand_in:
        return False
    seat = holder.seat.number
    turn_closed(game=game, seat=seat, held=held_seats(table.pk), now=now)
    stand_in_set(holder_id=holder.pk, now=now)
    seat_changed(game=game, seat=seat, held=held_seats(table.pk), now=now)
    stood_in_told(game=game, seat=seat, user_id=holder.user_id, now=now)
    return True


def stand_in_ended(*, table: Table, holder: Holder, now: datetime) -> None:
    """Give a person their seat back, at a table that this transaction holds; boards are told.

    If they are awaited their time begins now, with what their last turn has left them.
    """
    game, seat = newest_game(table), holder.seat.number
    if game is not None:
        turn_closed(game=game, seat=seat, held=held_seats(table.pk), now=now)
    holder.stand_in, holder.stood_in, holder.back = "", None, now
    holder.save(update_fields=["stand_in", "stood_in", "back"])
    if game is not None:
        seat_changed(game=game, seat=seat, held=held_seats(table.pk), by=holder.user_id, now=now)
