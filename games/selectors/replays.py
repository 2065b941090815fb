"""A game step by step: while it runs what its viewer could know then, all hands once it is over (R34, S8)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.models import Game
from games.rules.cards import Card
from games.rules.events import CardDrawn, Event, Fouled, HandTaken, PickedUp, Played, visible
from games.rules.state import GameState
from games.rules.view import PublicView, SeatView, open_view
from games.selectors.board import Frame
from games.selectors.cast import Cast, cards_text
from games.selectors.faces import SUIT_ORDER, USUAL, Face, Lie, face_of, in_page_order
from games.selectors.folded import voids_of
from games.selectors.games import log_of, states_of
from games.selectors.makers import BY_SHORT
from games.selectors.marks import LastTrick, SeatMark, TrickCard, VoidSteps, last_trick, seat_marks, trick_cards
from games.selectors.playbill import Playbill, playbill_of
from games.selectors.sentences import Line, Moment, moment_of, sentence, tell
from games.selectors.sight import Viewer, looking
from games.selectors.updates import frame_of, seat_in, view_of

TRICKS_LISTED: Final = 50
"""How many tricks one page lists."""


class NoSuchStep(Exception):
    """The game has no such step, or not yet."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A hand that lies open for the viewer, one tuple of faces a suit."""

    name: str
    you: bool
    count: int
    rows: tuple[tuple[Face, ...], ...]


@dataclass(frozen=True, slots=True)
class StepLink:
    """A step in the list of tricks.

    told: the whole sentence of a drawn card or a taken hand, "" for a card played. face: that card, if the viewer may
    know it. note: what is special about it. by: how it was made (`games.selectors.makers`).
    """

    step: int
    told: SafeString
    name: str
    you: bool
    face: Face | None
    note: str
    by: str

    @property
    def mark(self) -> str:
        """What stands beside it: how it was made, unless by hand."""
        return BY_SHORT.get(self.by, "")


@dataclass(frozen=True, slots=True)
class TrickRow:
    """One trick in the list, and where its cards went."""

    number: int
    links: tuple[StepLink, ...]
    end: SafeString


@dataclass(frozen=True, slots=True)
class Replay:
    """The page of one step. `over`: of the game as it stands now, so that all hands lie open."""

    frame: Frame
    step: int
    steps: int
    over: bool
    lines: tuple[Line, ...]
    seats: tuple[SeatMark, ...]
    trick: tuple[TrickCard, ...]
    last: LastTrick | None
    waste_count: int
    trump: str
    trump_word: str
    hands: tuple[OpenHand, ...]
    tricks: tuple[TrickRow, ...]
    earlier: int | None
    later: int | None

    @property
    def before(self) -> int | None:
        """The step before this one."""
        return self.step - 1 if self.step else None

    @property
    def after(self) -> int | None:
        """The step after this one."""
        return self.step + 1 if self.step < self.steps else None


def replay_of(
    *, viewer: Viewer, code: str, step: int, lie: Lie = USUAL, invited: Collection[int] = (), office: bool = False
) -> Replay:
    """Return one step of a game; step 0 is the deal. *invited* are the invitations by which the viewer came.

    *office*: they run the site, and have just shown so.

    Raises:
        HasLeft: the game is running, and the viewer has left it.
        NotAtTable: there is no such game, or the viewer may not look at it.
        NoSuchStep: it has not come to that step.
    """
    found = looking(viewer=viewer, code=code, invited=invited, office=office)
    game = found.game
    if step > game.version:
        raise NoSuchStep
    log, over = log_of(game), game.status == Game.Status.OVER
    bill = playbill_of(game, found.rows, seat_in(found), log.times, found.counts)
    told = _Told(states_of(game, log), bill.ways(log, over=over), over)
    return _page(frame_of(found), bill, told, step, lie)


class _Told(NamedTuple):
    """The states of a game, how each of its entries was made, and whether all of it may be told."""

    states: Sequence[GameState]
    made: Sequence[str]
    over: bool


def _page(frame: Frame, bill: Playbill, told: _Told, step: int, lie: Lie) -> Replay:
    states, made, over = told
    cast, state = bill.after(step), states[step]
    view = open_view(state) if over else view_of(state, cast.viewer)
    rows, earlier, later = _window(_rows(told, bill), states, step)
    played = tell(view.events, bill.at(step), moment_of(state, states[step - 1], made[step - 1])) if step else ()
    return Replay(
        frame=frame,
        step=step,
        steps=len(states) - 1,
        over=over,
        lines=(*played, *bill.lines(step)),
        seats=seat_marks(view, cast, _voids(states[: step + 1])),
        trick=trick_cards(view, cast),
        last=last_trick(view, cast),
        waste_count=view.waste_count,
        trump=view.trump.value if view.trump else "",
        trump_word=view.trump.word if view.trump else "",
        hands=_hands(view, cast, lie),
        tricks=rows,
        earlier=earlier,
        later=later,
    )


def _voids(states: Iterable[GameState]) -> VoidSteps:
    voids: VoidSteps = {}
    for before, state in pairwise(states):
        if state.known is not before.known:
            voids = voids_of(state, voids)
    return voids


def _hands(view: PublicView, cast: Cast, lie: Lie) -> tuple[OpenHand, ...]:
    """Return the hands that lie open: the viewer's own, or everybody's."""
    if isinstance(view, SeatView):
        return (_hand(view.hand, view.seat, cast, lie),)
    hands = view.hands or ()
    seats = sorted(range(len(hands)), key=lambda seat: seat != cast.viewer)
    return tuple(_hand(hands[seat], seat, cast, lie) for seat in seats)


def _hand(cards: Sequence[Card], seat: int, cast: Cast, lie: Lie) -> OpenHand:
    order = in_page_order(cards, lie)
    rows = (tuple(face_of(card) for card in order if card.suit is suit) for suit in SUIT_ORDER)
    return OpenHand(cast.names[seat], seat == cast.viewer, len(cards), tuple(filter(None, rows)))


def _rows(told: _Told, bill: Playbill) -> list[TrickRow]:
    """Return every trick with a link to each of its steps."""
    states, made, over = told
    rows: list[TrickRow] = []
    links: list[StepLink] = []
    for before, state in pairwise(states):
        cast = bill.at(state.entries)
        shown = state.events if over else tuple(visible(event, cast.viewer) for event in state.events)
        links.append(_link(shown[0], moment_of(state, before, made[before.entries]), cast))
        if state.tricks > before.tricks or state is states[-1]:
            rows.append(TrickRow(before.tricks + 1, tuple(links), _end(shown, cast)))
            links = []
    return rows


def _link(first: Event, moment: Moment, cast: Cast) -> StepLink:
    told = escape("")
    match first:
        case Played(seat=seat, card=card, tochoo=tochoo):
            note = "tochoo" if tochoo and not moment.opening else ""
        case Fouled(seat=seat, card=card):
            note = "foul"
        case CardDrawn(seat=seat) | HandTaken(seat=seat):
            card, note, told = None, "", sentence(first, cast, moment)
        case _:
            raise ValueError("an entry begins with a play, a foul, a draw or a taken hand")
    face = None if card is None else face_of(card)
    return StepLink(moment.step, told, cast.names[seat], seat == cast.viewer, face, note, moment.by)


def _end(events: Iterable[Event], cast: Cast) -> SafeString:
    for event in events:
        if isinstance(event, PickedUp):
            count = cards_text(len(event.cards))
            return cast.say(event.seat, "you pick up {count}", "{name} picks up {count}", count=count)
    return escape("")


def _window(
    rows: Sequence[TrickRow], states: Sequence[GameState], step: int
) -> tuple[tuple[TrickRow, ...], int | None, int | None]:
    """Return the tricks around a step, and the steps that lead to those before and after them."""
    at = states[max(step - 1, 0)].tricks // TRICKS_LISTED * TRICKS_LISTED
    part = tuple(rows[at : at + TRICKS_LISTED])
    earlier = part[0].links[0].step - 1 if at else None
    later = part[-1].links[-1].step + 1 if at + TRICKS_LISTED < len(rows) else None
    return part, earlier, later
