"""The standings of a series, a fold of its deals (rules.md 11): equal whenever and wherever they are worked out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from games.rules.outcome import Result


class How(StrEnum):
    """How a deal stands: in play, lost by somebody, or over without a loser for one of three reasons."""

    RUNNING = "running"
    LOST = "lost"
    ENDLESS = "endless"
    STOPPED = "stopped"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal of a series: who dealt it, and the result that counts, None while it is in play.

    corrected: an operator has put it for the one that the play gave.
    """

    number: int
    dealer: int
    result: Result | None = None
    corrected: bool = False

    @property
    def loser(self) -> int | None:
        """The seat that lost it, None if none did or it is in play."""
        return self.result.loser if self.result else None

    @property
    def how(self) -> How:
        """How it stands; the rules alone end a game without a loser only if it is endless (rules.md 8.3)."""
        if self.result is None:
            return How.RUNNING
        if not self.result.void:
            return How.LOST
        if self.result.stopped:
            return How.STOPPED
        return How.VOID if self.corrected else How.ENDLESS


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat in a series: its place, which may be shared, and what that comes from.

    legs: the cards held when it lost. lost, first: the numbers of the deals that it lost, and was the first away in.
    """

    seat: int
    losses: int
    legs: int
    place: int
    lost: tuple[int, ...] = ()
    first: tuple[int, ...] = ()


TIE_BREAKS: Final[Mapping[str, Callable[[Standing], int]]] = MappingProxyType(
    {
        "": lambda _: 0,
        "cards": lambda each: each.legs,
        "first": lambda each: -len(each.first),
        "longest": lambda each: max(each.lost, default=0),
    }
)
"""What is compared where losses are equal, the lower number being better: nothing, the cards held when they lost, how
often they were first away, when they last lost."""


def standings(seats: int, deals: Iterable[Deal], tie_break: str = "") -> tuple[Standing, ...]:
    """Count the losses of each seat over the deals of a series, best first (rules.md 11).

    A deal in play, endless, void or stopped gives none. Fewer losses is better; equal totals share the place unless
    the table chose what breaks the tie.
    """
    over = [(each.number, each.result) for each in deals if each.result is not None and not each.result.void]
    counted = [_counted(seat, over) for seat in range(seats)]
    worth = {each.seat: (each.losses, TIE_BREAKS[tie_break](each)) for each in counted}
    placed = (replace(each, place=1 + sum(other < worth[each.seat] for other in worth.values())) for each in counted)
    return tuple(sorted(placed, key=lambda each: each.place))


def totals(seats: int, deals: Iterable[Deal]) -> tuple[tuple[int, ...], ...]:
    """Return the losses of every seat after each deal that is over, in the order of the deals."""
    losses, after = [0] * seats, list[tuple[int, ...]]()
    for deal in deals:
        if deal.loser is not None:
            losses[deal.loser] += 1
        if deal.result is not None:
            after.append(tuple(losses))
    return tuple(after)


def _counted(seat: int, over: Sequence[tuple[int, Result]]) -> Standing:
    lost = {number: result.cards_left or 0 for number, result in over if result.loser == seat}
    first = tuple(number for number, result in over if result.away[:1] == (seat,))
    return Standing(seat, len(lost), sum(lost.values()), 0, tuple(lost), first)
