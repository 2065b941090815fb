"""What the page of a game shows one viewer: first load, live update and reconnect read it here (architecture: 3.5)."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from accounts.models import User
from games.models import Game, Table
from games.rules.cards import Card, Suit
from games.rules.events import Fouled, Played
from games.rules.replay import steps
from games.rules.state import GameState
from games.rules.view import PublicView, public_view, seat_view
from games.selectors.board import Board, Frame, board_of
from games.selectors.faces import USUAL, Lie
from games.selectors.games import dealt_state, log_of
from games.selectors.marks import VoidSteps
from games.selectors.playbill import Playbill, playbill_of
from games.selectors.sentences import Line, lines_of
from games.selectors.sight import Sitting, Viewer, Watching, looking

LINES_SHOWN = 14
"""How many sentences a board holds; the replay has them all."""


class Since(NamedTuple):
    """How new a board is: entries of the log, and changes of anything shown."""

    version: int
    revision: int


def updates_for(
    *, viewer: Viewer, code: str, since: Since | None = None, lie: Lie = USUAL, invited: Collection[int] = ()
) -> Board | None:
    """Return the board as the viewer may see it, or None if there is nothing newer than *since*.

    *invited* are the invitations by which the viewer came.

    Raises:
        HasLeft: the game is running, and the viewer has left it.
        NotAtTable: there is no such game, or the viewer may not look at it.
    """
    found = looking(viewer=viewer, code=code, invited=invited)
    game = found.game
    if since == (game.version, game.revision):
        return None
    bill = playbill_of(game, found.rows, seat_in(found))
    story = _story(game, bill)
    view = view_of(story.state, bill.cast.viewer)
    frame = frame_of(found, asks_email=_asks_email(viewer, found, story))
    return board_of(view, bill.cast, frame, story.lines, story.voids, story.new, lie)


def seat_in(found: Sitting | Watching) -> int | None:
    """Return the seat of who looks, None if they have none."""
    return found.seat if isinstance(found, Sitting) else None


def view_of(state: GameState, seat: int | None) -> PublicView:
    """Return what a seat may see of a state, or what the public may see."""
    return public_view(state) if seat is None else seat_view(state, seat)


def _asks_email(viewer: Viewer, found: Sitting | Watching, story: "_Story") -> bool:
    """Return whether to ask for an address: one browser alone holds the seat of a guest who has played a card."""
    return isinstance(viewer, User) and viewer.guest and isinstance(found, Sitting) and story.played


class _Story(NamedTuple):
    """The state, the newest sentences first, what proved each void, the viewer's new cards; whether they played."""

    state: GameState
    lines: Sequence[Line]
    voids: VoidSteps
    new: Mapping[Card, int]
    played: bool


def _story(game: Game, bill: Playbill) -> _Story:
    """Fold the log of a game as one viewer meets it."""
    state, entries, seat = dealt_state(game), log_of(game).entries, bill.cast.viewer
    lines: list[Line] = []
    voids: dict[tuple[int, Suit], int] = {}
    new: Mapping[Card, int] = {}
    for after in steps(state, entries):
        lines += (*lines_of(after, state, bill.at(after.entries)), *bill.lines(after.entries))
        if seat is not None and after.hands[seat] != state.hands[seat]:
            new = _new_cards(after, state, seat, new)
        if after.known is not state.known:
            voids = voids_of(after, voids)
        state = after
    played = any(each.seat == seat for each in entries)
    return _Story(state, lines[: -LINES_SHOWN - 1 : -1], voids, new, played)


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


def voids_of(state: GameState, old: VoidSteps) -> dict[tuple[int, Suit], int]:
    """Return the voids proved now, each with the entry since which it has been."""
    pairs = (
        (seat, suit) for seat, known in enumerate(state.known) for suit in known.proved_voids(len(state.hands[seat]))
    )
    return {pair: old.get(pair, state.entries) for pair in pairs}


def frame_of(found: Sitting | Watching, *, asks_email: bool = False) -> Frame:
    """Return what is around the game, and where its viewer may go from it."""
    game, table = found.game, found.game.table
    over, seated = game.status == Game.Status.OVER, isinstance(found, Sitting)
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
        can_deal=last and seated and game.number < table.deals,
        can_repeat=last and seated and game.number >= table.deals,
        alone=found.alone,
        seated=seated,
        left=found.left,
        can_leave=seated and table.status == Table.Status.RUNNING,
        asks_email=asks_email,
    )
