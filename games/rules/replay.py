"""Replay: a game is a fold of its entries (architecture: decision 1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.rules.engine import apply
from games.rules.errors import IllegalMove
from games.rules.moves import Entry
from games.rules.state import GameState


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a log could be followed: the last state, and the first error with its place."""

    state: GameState
    at: int | None = None
    error: IllegalMove | None = None

    @property
    def ok(self) -> bool:
        """Whether the rules accepted every entry."""
        return self.error is None


def replay(state: GameState, entries: Iterable[Entry]) -> Replay:
    """Fold entries into a state and stop at the first that the rules refuse."""
    for at, entry in enumerate(entries):
        try:
            state = apply(state, entry)
        except IllegalMove as error:
            return Replay(state, at, error)
    return Replay(state)


def steps(state: GameState, entries: Iterable[Entry]) -> Iterator[GameState]:
    """Yield the first state and the state after each entry.

    Raises:
        IllegalMove: at the first entry that the rules refuse.
    """
    yield state
    for entry in entries:
        state = apply(state, entry)
        yield state
