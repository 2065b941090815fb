"""The board: everything that the page of a game shows, built from the viewer's own view by allow-list (decision 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.rules.cards import Card
from games.rules.outcome import Result, places
from games.rules.view import PublicView, SeatView
from games.selectors.cast import Cast, cards_text
from games.selectors.demands import Banner, banner_of, foul_note
from games.selectors.faces import USUAL, HandRow, Lie
from games.selectors.hands import hand_rows
from games.selectors.marks import LastTrick, SeatMark, TrickCard, VoidSteps, last_trick, seat_marks, trick_cards
from games.selectors.sentences import Line

_NONE: Final[Mapping[Card, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Frame:
    """What is around a game: its table, its place in the series, and where to go from here.

    deals: agreed number. title: what the loser is called. next_code: the next deal's game, "" if there is none yet.
    can_deal: the viewer may start the next deal. can_repeat: the viewer may open the same table again. seated: the
    viewer has a seat. left: they had one. can_leave: they may hand it to a bot. asks_email: the viewer is a guest, to
    be asked for an address.
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
    seated: bool = True
    left: bool = False
    can_leave: bool = False
    asks_email: bool = False


@dataclass(frozen=True, slots=True)
class TakeOffer:
    """A hand that the viewer may take now (rules.md 4): what that means, and what the button says."""

    victim: int
    text: SafeString
    button: SafeString


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A line of the final list; place is 0 for a seat of a void game that had not got away.

    instead: for whom a bot played on there. charged: whether that person has lost, not the bot.
    """

    place: int
    name: str
    you: bool
    instead: str
    charged: bool
    loser: bool
    cards_left: int


@dataclass(frozen=True, slots=True)
class Board:
    """The page of a game as one viewer may see it; `version` and `revision` say how new it is."""

    frame: Frame
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


def board_of(
    view: PublicView,
    cast: Cast,
    frame: Frame,
    lines: Sequence[Line],
    voids: VoidSteps,
    new: Mapping[Card, int] = _NONE,
    lie: Lie = USUAL,
) -> Board:
    """Build the page of one viewer; *new* and *lie* are about their own hand, if they have a seat (R3)."""
    mine = view if isinstance(view, SeatView) else None
    return Board(
        frame=frame,
        version=view.version,
        banner=banner_of(view, cast),
        direction=view.rules.direction,
        trump=view.trump.value if view.trump else "",
        trump_word=view.trump.word if view.trump else "",
        drawn=mine.drawn.name if mine and mine.drawn else "",
        waste_count=view.waste_count,
        seats=seat_marks(view, cast, voids),
        trick=trick_cards(view, cast),
        last=last_trick(view, cast),
        hand=hand_rows(mine, cast, lie, new) if mine else (),
        hand_count=len(mine.hand) if mine else 0,
        lie=lie,
        take=_take(mine, cast) if mine else None,
        foul=foul_note(mine) if mine else "",
        lines=tuple(lines),
        places=_places(view, cast),
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


def _places(view: PublicView, cast: Cast) -> tuple[PlaceMark, ...]:
    if view.result is None:
        return ()
    order = places(view.result)
    rest = (seat for seat in range(view.players) if seat not in order)
    return tuple(_place(seat, view.result, order.get(seat, 0), cast) for seat in (*order, *rest))


def _place(seat: int, result: Result, place: int, cast: Cast) -> PlaceMark:
    loser = seat == result.loser
    return PlaceMark(
        place=place,
        name=cast.names[seat],
        you=seat == cast.viewer,
        instead=cast.charged if loser and cast.charged else cast.instead.get(seat, ""),
        charged=loser and bool(cast.charged),
        loser=loser,
        cards_left=(result.cards_left or 0) if loser else 0,
    )
