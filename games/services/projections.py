"""What lists need, written with each entry: whose turn it is, status, version, result."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial

from django.db import transaction

from games import effects
from games.models import Game, Result, Table, Turn
from games.rules.state import GameState
from games.selectors.games import Held
from games.services.pace import bot_pause


def bots_of(held: Mapping[int, Held]) -> frozenset[int]:
    """Return the seats that bots hold."""
    return frozenset(seat for seat, holder in held.items() if holder.bot)


def turns_set(*, game: Game, state: GameState, kept: Iterable[int], held: Mapping[int, Held], now: datetime) -> None:
    """Let exactly the awaited seats have a turn; those of *kept* keep the one they have, the others' begin now."""
    kept = set(kept).intersection(state.awaited)
    Turn.objects.filter(game=game).exclude(seat__in=kept).delete()
    bots = bots_of(held)
    pause = bot_pause(state, bots)
    Turn.objects.bulk_create(
        Turn(game=game, seat=seat, since=now, due_at=now + pause if pause is not None and seat in bots else None)
        for seat in state.awaited
        if seat not in kept
    )


def game_projected(*, game: Game, state: GameState, last_hash: bytes, held: Mapping[int, Held], now: datetime) -> None:
    """Store what the game's state means for lists, and its result when it is over; once committed, tell the world."""
    game.version = state.entries
    game.revision += 1
    game.last_hash = last_hash
    if state.result is not None:
        loser = state.result.loser
        game.status, game.ended = Game.Status.OVER, now
        Result.objects.create(
            game=game,
            loser=loser,
            holder_id=None if loser is None else held[loser].holder_id,
            void=state.result.void,
            cards_left=state.result.cards_left,
            away=list(state.result.away),
        )
        _series_ended(game)
    game.save(update_fields=["version", "revision", "last_hash", "status", "ended"])
    pause = bot_pause(state, bots_of(held))
    bots_in = None if pause is None else pause.total_seconds()
    transaction.on_commit(partial(effects.tell, game.pk, game.version, game.revision, bots_in=bots_in))


def _series_ended(game: Game) -> None:
    """Store that the series is over, if this was its last game; the table is held by whoever ends a game."""
    if game.number >= game.table.deals:
        game.table.status = Table.Status.OVER
        game.table.save(update_fields=["status"])


def board_changed(*, game: Game) -> None:
    """Count a change of what a game's board shows beside the log; once committed, tell the world."""
    game.revision += 1
    game.save(update_fields=["revision"])
    transaction.on_commit(partial(effects.tell, game.pk, game.version, game.revision))
