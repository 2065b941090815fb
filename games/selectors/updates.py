"""What the page of a game shows one person: first load, live update and reconnect read it here (architecture: 3.5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accounts.models import User
from games.models import Game
from games.rules.cards import Card, Suit
from games.rules.events import Fouled, Played, visible
from games.rules.replay import steps
from games.rules.state import GameState
from games.rules.view import seat_view
from games.selectors.board import Board, Frame, board_of
from games.selectors.cast import Cast
from games.selectors.company import game_company
from games.selectors.faces import USUAL, Lie
from games.selectors.games import dealt_state, entries_of, rules_of
from games.selectors.marks import VoidSteps
from games.selectors.sentences import Line, Moment, tell

LINES_SHOWN = 14
"""How many sentences a board holds; the replay has them all."""


class Since(NamedTuple):
    """How new a board is: entries of the log, and changes of anything shown."""

    version: int
    revision: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person at a game, `alone` if all the others are bots. It holds no card."""

    game: Game
    seat: int
    alone: bool
    cast: Cast


def sitting(*, viewer: User, code: str) -> Sitting:
    """Find a game by its code and the viewer's seat at it, in two queries.

    Raises:
        NotAtTable: there is no such game, or the viewer has no seat at it.
    """
    game, found = game_company(viewer=viewer, code=code)
    names = tuple(each.name for each in found.holders)
    donkey = rules_of(game).game == "donkey"
    cast = Cast(names, found.seat, donkey=donkey, show_voids=game.table.show_voids)
    return Sitting(game, found.seat, found.alone, cast)


def updates_for(*, viewer: User, code: str, since: Since | None = None, lie: Lie = USUAL) -> Board | None:
    """Return the board as the viewer may see it, or None if there is nothing newer than *since*.

    Raises:
        NotAtTable: there is no such game, or the viewer has no seat at it.
    """
    found = sitting(viewer=viewer, code=code)
    game = found.game
    if since == (game.version, game.revision):
        return None
    story = _story(dealt_state(game), found)
    view = seat_view(story.state, found.seat)
    return board_of(view, found.cast, frame_of(found), story.lines, story.voids, story.new, lie)


class _Story(NamedTuple):
    """The last state, the newest sentences first, what proved each void, and the viewer's new cards."""

    state: GameState
    lines: Sequence[Line]
    voids: VoidSteps
    new: Mapping[Card, int]


def _story(state: GameState, found: Sitting) -> _Story:
    """Fold the log of a game as one of its people meets it."""
    lines: list[Line] = []
    voids: dict[tuple[int, Suit], int] = {}
    new: Mapping[Card, int] = {}
    for after in steps(state, entries_of(found.game)):
        lines += lines_of(after, state, found.cast)
        if after.hands[found.seat] != state.hands[found.seat]:
            new = _new_cards(after, state, found.seat, new)
        if after.known is not state.known:
            voids = voids_of(after, voids)
        state = after
    return _Story(state, lines[: -LINES_SHOWN - 1 : -1], voids, new)


def _new_cards(state: GameState, before: GameState, seat: int, new: Mapping[Card, int]) -> Mapping[Card, int]:
    """Return how many of each card have come into a seat's hand since it last played (R3)."""
    held, now = Counter(before.hands[seat]), Counter(state.hands[seat])
    for event in state.events:
        if isinstance(event, Played | Fouled) and event.seat == seat:
            new = {}
            if isinstance(event, Played) and event.card is not None:
                held[event.card] -= 1
    came = now - held
    return {card: min(now[card], came[card] + new.get(card, 0)) for card in now}


def lines_of(state: GameState, before: GameState, cast: Cast) -> tuple[Line, ...]:
    """Return the sentences for the entry that led from one state to the next, as the cast's viewer may hear them."""
    events = tuple(visible(event, cast.viewer) for event in state.events)
    return tell(events, cast, moment_of(state, before))


def moment_of(state: GameState, before: GameState) -> Moment:
    """Return what the sentences about an entry must know."""
    opening = before.opening and before.rules.opening_tochoo == "ignored"
    return Moment(state.entries, opening=opening, turned_up=before.face_down and not state.opening)


def voids_of(state: GameState, old: VoidSteps) -> dict[tuple[int, Suit], int]:
    """Return the voids proved now, each with the entry since which it has been."""
    pairs = (
        (seat, suit) for seat, known in enumerate(state.known) for suit in known.proved_voids(len(state.hands[seat]))
    )
    return {pair: old.get(pair, state.entries) for pair in pairs}


def frame_of(found: Sitting) -> Frame:
    """Return what is around the game, and where its viewer may go from it."""
    game, table = found.game, found.game.table
    over = game.status == Game.Status.OVER
    after = (
        Game.objects.filter(table=table, number=game.number + 1).values_list("code", flat=True).first() if over else ""
    )
    last = over and not after
    return Frame(
        code=game.code,
        table_code=table.code,
        table_name=table.name,
        number=game.number,
        deals=table.deals,
        revision=game.revision,
        title=table.title,
        next_code=after or "",
        can_deal=last and game.number < table.deals,
        can_repeat=last and game.number >= table.deals and found.alone,
    )
