"""How time runs on a board: deadlines of whoever is awaited, who is away, for whom a bot plays (R15, R16, R29)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from games.rules.view import PublicView, SeatView
from games.selectors.cast import Cast
from games.selectors.shown import Shown
from games.selectors.times import clock_words, how_far_short, iso, time_tag

NOTHING: Final = SafeString()
_NO_TIMES: Final[Mapping[int, datetime]] = MappingProxyType({})
_NO_WORDS: Final[Mapping[int, str]] = MappingProxyType({})


class Gone(NamedTuple):
    """The last day on which somebody is away: "12 June", and in a few signs."""

    day: str
    short: str


_NOBODY: Final[Mapping[int, Gone]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Due(Shown):
    """A deadline at a seat: as scripts read it, by the reader's clock, and how far off it is in a few signs."""

    at: str
    words: str
    short: str


@dataclass(frozen=True, slots=True)
class Clocks(Shown):
    """How time runs in a game now, as one viewer may know it.

    timed: there are deadlines at all; live: people sit there together. missed: what becomes of a turn whose time is up
    (`Table.Missed`); last_miss: seats that a bot keeps if that is missed, too. due: by the seats of people who
    are awaited. stood_in: the seats of people for whom a bot plays. away: whoever is away from all games, by seat.
    still: why the clocks of all stand still, "" if they do not. forced: the viewer's only card goes by itself. late: of
    a game that is over, what to say of whoever did not play all their turns themselves, by seat.
    """

    now: datetime
    timed: bool = False
    live: bool = False
    missed: str = "bot"
    last_miss: frozenset[int] = frozenset()
    due: Mapping[int, datetime] = _NO_TIMES
    stood_in: frozenset[int] = frozenset()
    away: Mapping[int, Gone] = _NOBODY
    still: SafeString = NOTHING
    forced: bool = False
    late: Mapping[int, str] = _NO_WORDS

    def missed_by(self, seat: int) -> str:
        """Return what becomes of a seat's turn if its time passes (`Table.Missed`)."""
        return "keep" if seat in self.last_miss else self.missed

    def due_at(self, seat: int) -> Due | None:
        """Return the deadline of a seat, None if it has none."""
        at = self.due.get(seat)
        return Due(iso(at), clock_words(at, self.now), how_far_short(at, self.now)) if at else None


NO_CLOCKS: Final = Clocks(datetime(1970, 1, 1, tzinfo=UTC))
"""Of a game in which no time runs."""

_OWN: Final[Mapping[str, str]] = {
    "bot": "By {}, or a bot plays.",
    "nudge": "By {}, then you are asked again.",
    "keep": "By {}, or a bot plays on for you.",
}
_OTHERS: Final[Mapping[str, str]] = {
    "bot": "Until {}, then a bot plays.",
    "nudge": "Until {}, then they are asked again.",
    "keep": "Until {}, then a bot plays on.",
}


def time_line(view: PublicView, cast: Cast, clocks: Clocks) -> SafeString:
    """Say in one line until when the game waits and what happens then; "" where nothing presses."""
    mine = isinstance(view, SeatView) and view.must_play and cast.viewer not in clocks.stood_in
    if mine and clocks.forced:
        return escape("Your only card goes by itself in a moment.")
    if clocks.still:
        return clocks.still
    if mine and cast.viewer is not None:
        return _own(cast.viewer, clocks)
    return _others(view, cast, clocks)


def _own(seat: int, clocks: Clocks) -> SafeString:
    due = clocks.due.get(seat)
    return NOTHING if due is None else format_html(_OWN[clocks.missed_by(seat)], time_tag(due, clocks.now))


def _others(view: PublicView, cast: Cast, clocks: Clocks) -> SafeString:
    waits = [seat for seat in view.awaited if seat in clocks.due]
    if not waits:
        return NOTHING
    when = time_tag(min(clocks.due[seat] for seat in waits), clocks.now)
    if len(view.awaited) > 1:
        return format_html("The first deadline is {}.", when)
    told = format_html(_OTHERS[clocks.missed_by(waits[0])], when)
    gone = clocks.away.get(waits[0])
    return format_html("Away until {}. {}", gone.day, told) if gone else told
