"""Cards that go by themselves: whoever wants it need not tap when they have but one move (R10).

They are held back for a random time, so that nobody learns from it which card was forced (S12). For the same reason a
task is sent for every turn of who wants this, also for one with a choice: it finds nothing to do then.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial

from django.db import transaction

from accounts.choices import wants
from games import effects
from games.clocks.delays import forced_delay
from games.models import Game, Turn
from games.rules.legality import legal_moves
from games.rules.moves import Play
from games.rules.shuffle import system_source
from games.rules.state import GameState
from games.selectors.clocks import pace_of
from games.selectors.games import Held
from games.selectors.reach import Reach


def only_card(state: GameState, seat: int) -> Play | None:
    """Return the one thing that a seat may do now, None if it may do anything else as well; a foul does not count."""
    found = legal_moves(state, seat)
    return found[0] if len(found) == 1 and isinstance(found[0], Play) else None


def orders_set(
    *,
    game: Game,
    state: GameState,
    turns: Iterable[Turn],
    held: Mapping[int, Held],
    reach: Mapping[int, Reach],
    now: datetime,
) -> None:
    """Say of turns that begin now, and are not stored yet, when their only card goes by itself, if it shall.

    *reach* is that of their people.
    """
    people = {held[turn.seat].awaited_user: turn for turn in turns}
    for user in (each.user for each in reach.values() if wants(each.user, "forced")):
        turn, delay = people[user.pk], forced_delay(system_source, live=pace_of(game.table).live)
        turn.order_at = now + delay if only_card(state, turn.seat) else None
        seconds = delay.total_seconds()
        transaction.on_commit(partial(effects.order_sent_for, game.pk, turn.seat, seconds))


def orders_dropped(*, state: GameState, turns: Iterable[Turn]) -> None:
    """Let no card go by itself at turns that go on, where there is a choice now."""
    free = [turn.pk for turn in turns if turn.order_at is not None and not only_card(state, turn.seat)]
    if free:
        Turn.objects.filter(pk__in=free).update(order_at=None)
