"""The seats and the tricks of a board or a replay, from what everybody at the table may see (R16 to R19)."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.rules.cards import Card, Suit
from games.rules.tricks import is_tochoo
from games.rules.view import PublicView
from games.selectors.cast import Cast, cards_text
from games.selectors.faces import SUIT_ORDER, Face, face_of
from games.selectors.shown import Shown
from games.selectors.waits import NO_CLOCKS, Clocks, Due, Gone

type VoidSteps = Mapping[tuple[int, Suit], int]
"""For each seat and suit proved void, the entry that proved it."""


@dataclass(frozen=True, slots=True)
class VoidMark(Shown):
    """A suit that a seat is proved not to hold, and the step of the replay that proved it."""

    suit: str
    word: str
    step: int


@dataclass(frozen=True, slots=True)
class SeatMark(Shown):
    """A seat (R16).

    at: places to the left of the viewer. away: the place it got away with, 0 if it has not. instead: for whom a bot
    plays on there, else "". stood_in: a bot plays there for a person who is not here. gone: until when that
    person is away from all games, if they are. due: the deadline, if the game waits for a person there.
    """

    number: int
    name: str
    you: bool
    instead: str
    at: int
    count: int
    power: bool
    awaited: bool
    away: int
    loser: bool
    voids: tuple[VoidMark, ...]
    stood_in: bool = False
    gone: Gone | None = None
    due: Due | None = None


@dataclass(frozen=True, slots=True)
class TrickCard(Shown):
    """A card of a trick; face is None while it lies face down for the viewer. note: what is special about it."""

    name: str
    you: bool
    at: int
    face: Face | None
    winning: bool
    tochoo: bool
    note: str


@dataclass(frozen=True, slots=True)
class LastTrick(Shown):
    """The last trick that ended, and one sentence about where its cards went.

    taker: the seat that has them now, or None if they went to the waste.
    """

    number: int
    cards: tuple[TrickCard, ...]
    text: SafeString
    taker: int | None


def seat_marks(view: PublicView, cast: Cast, voids: VoidSteps, clocks: Clocks = NO_CLOCKS) -> tuple[SeatMark, ...]:
    """Return the seats in play order, the one after the viewer first and the viewer last."""
    order = (((cast.viewer or 0) + view.rules.step * n) % view.players for n in range(1, view.players + 1))
    return tuple(_seat(seat, view, cast, voids, clocks) for seat in order)


def _seat(seat: int, view: PublicView, cast: Cast, voids: VoidSteps, clocks: Clocks) -> SeatMark:
    over, result = view.result is not None, view.result
    away = view.away.index(seat) + 1 if seat in view.away else 0
    shown = cast.show_voids and not (over or away) and view.counts[seat] > 0 and seat != cast.viewer
    return SeatMark(
        number=seat,
        name=cast.names[seat],
        you=seat == cast.viewer,
        instead=cast.instead.get(seat, ""),
        at=_at(seat, view, cast),
        count=view.counts[seat],
        power=seat == view.power and not over,
        awaited=seat in view.awaited,
        away=away,
        loser=result is not None and result.loser == seat,
        voids=_voids(seat, view, voids) if shown else (),
        stood_in=seat in clocks.stood_in,
        gone=clocks.away.get(seat),
        due=clocks.due_at(seat),
    )


def _at(seat: int, view: PublicView, cast: Cast) -> int:
    return (seat - (cast.viewer or 0)) % view.players


def _voids(seat: int, view: PublicView, steps: VoidSteps) -> tuple[VoidMark, ...]:
    found = (suit for suit in SUIT_ORDER if suit in view.voids[seat])
    return tuple(VoidMark(suit.value, suit.word, steps.get((seat, suit), view.version)) for suit in found)


def trick_cards(view: PublicView, cast: Cast) -> tuple[TrickCard, ...]:
    """Return the cards on the table, in the order in which they were played."""
    return tuple(
        _trick_card(each.seat, each.card, view, cast, tochoo=_tochoo_in(view, at), winning=each.seat == view.winning)
        for at, each in enumerate(view.table)
    )


def _tochoo_in(view: PublicView, at: int) -> bool:
    led, card = view.table[0].card, view.table[at].card
    if led is None or card is None or (view.tricks == 0 and view.rules.opening_tochoo == "ignored"):
        return False
    return is_tochoo(card, led.suit, view.trump)


def _trick_card(
    seat: int, card: Card | None, view: PublicView, cast: Cast, *, tochoo: bool, winning: bool
) -> TrickCard:
    note = "highest" if winning else "tochoo" if tochoo else ""
    face = None if card is None else face_of(card)
    return TrickCard(cast.names[seat], seat == cast.viewer, _at(seat, view, cast), face, winning, tochoo, note)


def last_trick(view: PublicView, cast: Cast) -> LastTrick | None:
    """Return the last trick that ended, open to everybody (R18)."""
    last = view.last
    if last is None:
        return None
    led, taken = last.plays[0].card.suit, last.taker is not None
    cards = tuple(
        _trick_card(
            play.seat,
            play.card,
            view,
            cast,
            tochoo=taken and is_tochoo(play.card, led, view.trump),
            winning=play.seat == last.best,
        )
        for play in last.plays
    )
    return LastTrick(last.number, cards, _last_text(last.taker, len(cards), cast), last.taker)


def _last_text(taker: int | None, count: int, cast: Cast) -> SafeString:
    if taker is None:
        return escape("to the waste")
    return cast.say(taker, "you picked up {count}", "{name} picked up {count}", count=cards_text(count))
