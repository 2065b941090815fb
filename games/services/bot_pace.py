"""How soon bots act, and which of them are asked."""

from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Final

from games.rules.legality import legal_moves
from games.rules.moves import Take
from games.rules.state import GameState

PAUSE: Final = timedelta(seconds=0.6)
"""Before a bot acts: people must see each card fall."""

LEAD_PAUSE: Final = timedelta(seconds=3)
"""Before a bot leads while a person may still take a hand: the lead ends that chance (rules.md 4.2)."""


def may_take(state: GameState, seat: int) -> bool:
    """Say whether a seat may take a hand now."""
    return any(isinstance(move, Take) for move in legal_moves(state, seat))


def bots_asked(state: GameState, bots: AbstractSet[int]) -> tuple[int, ...]:
    """Return the bots' seats that may act now: first those that may only take a hand, then those awaited."""
    awaited = tuple(seat for seat in state.awaited if seat in bots)
    if state.trick:
        return awaited
    return (*(seat for seat in sorted(bots) if seat not in awaited and may_take(state, seat)), *awaited)


def bot_pause(state: GameState, bots: AbstractSet[int]) -> timedelta | None:
    """Return how long the bots wait before they act, or None if none of them can."""
    if not bots_asked(state, bots):
        return None
    if state.trick or state.power not in bots:
        return PAUSE
    people = set(range(state.players)).difference(bots)
    return LEAD_PAUSE if any(may_take(state, seat) for seat in people) else PAUSE
