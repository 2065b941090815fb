"""The board: everything that the page of a game shows, built from the viewer's own view by allow-list (decision 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.rules.cards import Card
from games.rules.outcome import Result, places
from games.rules.view import PublicView, SeatView
from games.selectors.away import Away
from games.selectors.cast import Cast, cards_text
from games.selectors.demands import Banner, banner_of, foul_note
from games.selectors.ends import Change
from games.selectors.faces import USUAL, HandRow, Lie
from games.selectors.hands import hand_rows
from games.selectors.marks import LastTrick, SeatMark, TrickCard, VoidSteps, last_trick, seat_marks, trick_cards
from games.selectors.mine import NextGame
from games.selectors.pauses import StopsShown
from games.selectors.sentences import Line
from games.selectors.shown import Shown
from games.selectors.times import time_tag
from games.selectors.waits import NO_CLOCKS, Clocks

_NONE: Final[Mapping[Card, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Frame(Shown):
    """What is around a game: its table, its place in the series, and where to go from here.

    deals: agreed number. title: what the loser is called. next_code: the next deal's game, "" if there is none yet.
    can_deal: the viewer may start the next deal. can_repeat: they may open the same table again, for the same people.
    alone: no other person sits there. seated: the viewer has a seat. left: they had one. can_leave: they may hand it to
    a bot. asks_email: they are a guest, to be asked for an address. stood_in: a bot plays for them until they are back.
    next_at: when the next deal is dealt by itself, None if it is not. objected: who asked to wait with it, else "";
    objected_mine: the viewer did. aside: the sweep could not go on with the game, and somebody must see to it.
    rated: what is said of the ratings of a deal that is over, "" if its table does not count for them.
    """

    code: str
    table_code: str
    table_name: str
    number: int
    deals: int
    revision: int
    title: str
    next_code: str
    can_deal: bool
    can_repeat: bool
    alone: bool = True
    seated: bool = True
    left: bool = False
    can_leave: bool = False
    asks_email: bool = False
    stood_in: bool = False
    next_at: datetime | None = None
    objected: str = ""
    objected_mine: bool = False
    aside: bool = False
    rated: str = ""


@dataclass(frozen=True, slots=True)
class TakeOffer(Shown):
    """A hand that the viewer may take now (rules.md 4): what that means, and what the button says."""

    victim: int
    text: SafeString
    button: SafeString


@dataclass(frozen=True, slots=True)
class PlaceMark(Shown):
    """A line of the final list; place is 0 for a seat of a void game that had not got away.

    instead: for whom a bot played on there. charged: whether that person has lost, not the bot. late: what to say of
    whoever did not play all their turns themselves, else "".
    """

    place: int
    name: str
    you: bool
    instead: str
    charged: bool
    loser: bool
    cards_left: int
    late: str


@dataclass(frozen=True, slots=True)
class Board(Shown):
    """The page of a game as one viewer may see it; `version` and `revision` say how new it is.

    next_deal: when the next deal is dealt by itself, "" if it is not. away: what came since the viewer looked, None
    where nobody is told that. seen: up to which entry they were shown it. next: the other games that wait for them.
    stops: what stops the clocks, and what the viewer may do about it. changes: what operators made of its end.
    acted: they had a hand in it.
    """

    frame: Frame
    clocks: Clocks
    version: int
    banner: Banner
    direction: str
    trump: str
    trump_word: str
    drawn: str
    waste_count: int
    seats: tuple[SeatMark, ...]
    trick: tuple[TrickCard, ...]
    last: LastTrick | None
    hand: tuple[HandRow, ...]
    hand_count: int
    lie: Lie
    take: TakeOffer | None
    foul: str
    lines: tuple[Line, ...]
    places: tuple[PlaceMark, ...]
    next_deal: SafeString
    away: Away | None = None
    seen: int = 0
    next: NextGame | None = None
    stops: StopsShown = field(default_factory=StopsShown)
    changes: tuple[Change, ...] = ()
    acted: bool = False

    @property
    def paths(self) -> Mapping[str, str]:
        """Where its forms and links lead, by the names of the routes; of the replay, its beginning."""
        return _paths(self.frame.code, self.frame.table_code)

    @property
    def mine(self) -> int:
        """How many games wait for the viewer, this one among them."""
        return (self.banner.state == "my-turn") + (self.next.count if self.next else 0)


_OF_GAME: Final = (
    *("board", "table", "play", "turn_back", "turn_wait", "next_hold", "table_pause", "table_vote", "table_extend"),
    *("lie", "seen", "record"),
)
_OF_TABLE: Final = ("series", "deal", "table_again")


@lru_cache(maxsize=256)
def _paths(game: str, table: str) -> Mapping[str, str]:
    """Return them for all boards of a game: Django takes longer for each than for all else that is written there."""
    found = {name: reverse(name, args=[game]) for name in _OF_GAME}
    found |= {name: reverse(name, args=[table]) for name in _OF_TABLE}
    return found | {"replay": reverse("replay", args=[game, 0])}


def board_of(  # noqa: PLR0913 - what a board is made of, the last three only for some viewers
    view: PublicView,
    cast: Cast,
    frame: Frame,
    lines: Sequence[Line],
    voids: VoidSteps,
    new: Mapping[Card, int] = _NONE,
    *,
    lie: Lie = USUAL,
    clocks: Clocks = NO_CLOCKS,
) -> Board:
    """Build the page of one viewer; *new* and *lie* are about their own hand, if they have a seat (R3)."""
    mine = view if isinstance(view, SeatView) else None
    return Board(
        frame=frame,
        clocks=clocks,
        version=view.version,
        banner=banner_of(view, cast, clocks),
        direction=view.rules.direction,
        trump=view.trump.value if view.trump else "",
        trump_word=view.trump.word if view.trump else "",
        drawn=mine.drawn.name if mine and mine.drawn else "",
        waste_count=view.waste_count,
        seats=seat_marks(view, cast, voids, clocks),
        trick=trick_cards(view, cast),
        last=last_trick(view, cast),
        hand=hand_rows(mine, cast, lie, new) if mine else (),
        hand_count=len(mine.hand) if mine else 0,
        lie=lie,
        take=_take(mine, cast) if mine else None,
        foul=foul_note(mine) if mine else "",
        lines=tuple(lines),
        places=_places(view, cast, clocks.late),
        next_deal=time_tag(frame.next_at, clocks.now) if frame.next_at else SafeString(),
    )


def _take(view: SeatView, cast: Cast) -> TakeOffer | None:
    take = view.take
    if take is None:
        return None
    count, name = cards_text(view.counts[take.victim]), cast.who(take.victim)
    if view.players - len(view.away) == 2:
        text = "To concede, take {}\u2019s {}: {} gets away and you lose this deal."
        button = format_html("Concede: take {}\u2019s {}", name, count)
        return TakeOffer(take.victim, format_html(text, name, count, name), button)
    text = "Take {}\u2019s {}: they come into your hand and {} has got away."
    button = format_html("Take {}\u2019s {}", name, count)
    return TakeOffer(take.victim, format_html(text, name, count, name), button)


def _places(view: PublicView, cast: Cast, late: Mapping[int, str]) -> tuple[PlaceMark, ...]:
    if view.result is None:
        return ()
    order = places(view.result)
    rest = (seat for seat in range(view.players) if seat not in order)
    return tuple(_place(seat, view.result, order.get(seat, 0), cast, late.get(seat, "")) for seat in (*order, *rest))


def _place(seat: int, result: Result, place: int, cast: Cast, late: str) -> PlaceMark:
    loser = seat == result.loser
    return PlaceMark(
        place=place,
        name=cast.names[seat],
        you=seat == cast.viewer,
        instead=cast.charged if loser and cast.charged else cast.instead.get(seat, ""),
        charged=loser and bool(cast.charged),
        loser=loser,
        cards_left=(result.cards_left or 0) if loser else 0,
        late=late,
    )
