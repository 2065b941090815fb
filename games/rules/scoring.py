"""The standings of a series (rules.md 11)."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules.outcome import Result


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat in a series: `losses` of deals, `legs` (cards held when lost), shared `place`."""

    seat: int
    losses: int
    legs: int
    place: int


def standings(seats: int, results: Iterable[Result]) -> tuple[Standing, ...]:
    """Count the losses of each seat over the deals of a series, best first (rules.md 11).

    An endless or void deal gives none. Fewer losses is better; equal totals share the place.
    """
    losses, legs = [0] * seats, [0] * seats
    for result in results:
        if result.loser is not None:
            losses[result.loser] += 1
            legs[result.loser] += result.cards_left or 0
    order = sorted(range(seats), key=losses.__getitem__)
    return tuple(Standing(seat, losses[seat], legs[seat], 1 + sum(n < losses[seat] for n in losses)) for seat in order)
