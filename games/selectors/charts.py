"""The losses of a series over its deals as a picture: one line of steps a seat, drawn here, so that no script need."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 100
HEIGHT: Final = 24
_EDGE: Final = 2
"""How far the lines stay from the edge of the picture, which would cut them."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The line of a seat as the paths of an SVG: the line, the ground below it, and a dot for each deal lost."""

    line: str
    area: str
    dots: str


def steps_of(totals: Sequence[Sequence[int]], seat: int) -> Steps:
    """Return the line of a seat from the losses of all seats after each deal; lines of one series have one measure."""
    most = max((max(each) for each in totals), default=0) or 1
    across = (WIDTH - 2 * _EDGE) / max(len(totals), 1)
    before, line, dots = 0, [f"M{_EDGE} {_high(0, most)}"], list[str]()
    for at, losses in enumerate((each[seat] for each in totals), 1):
        x, y = _short(_EDGE + at * across), _high(losses, most)
        line.append(f"H{x}V{y}")
        if losses > before:
            dots.append(f"M{x} {y}h0")
        before = losses
    drawn = "".join(line)
    return Steps(drawn, f"{drawn}V{HEIGHT}H{_EDGE}Z", "".join(dots))


def _high(losses: int, most: int) -> str:
    return _short(HEIGHT - _EDGE - losses * (HEIGHT - 2 * _EDGE - 1) / most)


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
