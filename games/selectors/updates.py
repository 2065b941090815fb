"""What the page of a game shows one viewer: first load, live update and reconnect read it here (architecture: 3.5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from accounts.choices import wants
from accounts.models import User
from games.models import Game, Table
from games.rules.cards import Card
from games.rules.events import Fouled, Played
from games.rules.state import GameState
from games.rules.view import PublicView, Refusal, SeatView, public_view, seat_view
from games.selectors.away import away_box, seen_upto
from games.selectors.board import Board, Frame, board_of
from games.selectors.ends import Change, changes
from games.selectors.faces import USUAL, Lie
from games.selectors.folded import Folded, folded_of
from games.selectors.mine import NextGame, next_of
from games.selectors.pauses import stops_shown
from games.selectors.playbill import Playbill, playbill_of
from games.selectors.ratings import deal_note
from games.selectors.sentences import Line, lines_of
from games.selectors.sight import Sitting, Viewer, Watching
from games.selectors.stop_rows import StopRow
from games.selectors.waiting import clocks_shown
from games.selectors.waits import Clocks

STOOD_IN: Final = "A bot plays for you: tap I am back first."
"""Why somebody for whom a bot plays cannot play."""

LED_ON: Final = 2
"""For how many seconds a person sees what their card did before they are led on (R24)."""

LINES_SHOWN = 14
"""How many sentences a board holds; the replay has them all."""


class Since(NamedTuple):
    """How new a board is: entries of the log, and changes of anything shown."""

    version: int
    revision: int


def updates_for(  # noqa: PLR0913 - who looks and how, the last three only if the caller has them already
    *,
    viewer: Viewer,
    found: Sitting | Watching,
    since: Since | None = None,
    lie: Lie = USUAL,
    away: bool = False,
    folded: Folded | None = None,
    stored: Sequence[StopRow] | None = None,
    nexts: Mapping[int, NextGame] | None = None,
    now: datetime,
) -> Board | None:
    """Return the board of a game as the viewer who *found* it may see it, or None if nothing is newer than *since*.

    With *away* it tells them what came since they looked. *folded* is the game as it stands, *stored* what is stored of
    all that stops its clocks, and *nexts* the game to go to next of all who look, if the caller knows them already.
    """
    game = found.game
    if since == (game.version, game.revision):
        return None
    folded = folded or folded_of(game)
    log = folded.log
    bill = playbill_of(game, found.rows, seat_in(found), log.times, found.counts)
    made = bill.ways(log, over=game.status == Game.Status.OVER)
    story = _story(bill, folded, made)
    frame = frame_of(found, asks_email=_asks_email(viewer, found, story))
    view = view_of(folded.state, bill.cast.viewer)
    stops = stops_shown(game=game, rows=found.rows, viewer=viewer, stored=stored, now=now)
    clocks = clocks_shown(found=found, stops=stops, log=log, made=made, now=now)
    view = _counted(_idle(view, clocks), found)
    shown = board_of(view, bill.cast, frame, story.lines, folded.voids, story.new, lie=lie, clocks=clocks)
    changed, stopped = _changes(found, bill), bool(found.counts and found.counts.result.stopped)
    shown = replace(shown, stops=stops, changes=changed, acted=stopped or bool(changed))
    if isinstance(viewer, User):
        other = next_of(viewer, game) if nexts is None else nexts.get(viewer.pk)
        shown = replace(shown, next=other and replace(other, wait=_wait(viewer, found, view, clocks)))
    if isinstance(found, Sitting):
        box = away_box(found, bill, folded.states, log.actors) if away else None
        shown = replace(shown, seen=seen_upto(found, bill), away=box)
    return shown


def _wait(viewer: User, found: Sitting | Watching, view: PublicView, clocks: Clocks) -> int:
    """Return after how many seconds the viewer is led on to the next game that waits for them, 0 for never (R24).

    Nobody is led away from a table where people sit together, or where bots play on at once.
    """
    awaited = {each.seat.number for each in found.rows if each.until is None and each.user_id and not each.stand_in}
    stays = clocks.live or awaited.isdisjoint(view.awaited) or not isinstance(found, Sitting)
    return 0 if stays or not wants(viewer, "advance") else LED_ON


def _idle(view: PublicView, clocks: Clocks) -> PublicView:
    """Return the view of somebody for whom a bot plays with nothing that they may play."""
    if not isinstance(view, SeatView) or view.seat not in clocks.stood_in:
        return view
    refusals = tuple(Refusal(each, "stood_in", STOOD_IN) for each in dict.fromkeys(view.hand))
    return replace(view, legal=(), fouls=(), refusals=refusals)


def _counted(view: PublicView, found: Sitting | Watching) -> PublicView:
    """Return the view of a game that is over with the end that counts."""
    if found.counts is None:
        return view
    return replace(view, result=found.counts.result, away=found.counts.result.away)


def _changes(found: Sitting | Watching, bill: Playbill) -> tuple[Change, ...]:
    """Return what operators made of the end of a game; those who play or played there read why."""
    whys = isinstance(found, Sitting) or found.left
    return changes(found.end, bill.cast, whys=whys) if found.end else ()


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
    """The newest sentences first, the viewer's new cards; whether they played."""

    lines: Sequence[Line]
    new: Mapping[Card, int]
    played: bool


def _story(bill: Playbill, folded: Folded, made: Sequence[str]) -> _Story:
    """Tell a game as one viewer meets it."""
    seat = bill.cast.viewer
    new = {} if seat is None else _new(folded.states, seat)
    return _Story(_lines(bill, folded.states, made), new, any(each.seat == seat for each in folded.log.entries))


def _lines(bill: Playbill, states: Sequence[GameState], made: Sequence[str]) -> Sequence[Line]:
    """Return the newest sentences, the newest first; what came before them is not even written."""
    lines: list[Line] = []
    for number in range(len(states) - 1, -1, -1):
        by, before = (made[number - 1], states[number - 1]) if number else ("", states[0])
        told = (*lines_of(states[number], before, bill.at(number), by), *bill.lines(number))
        lines += reversed(told)
        if len(lines) >= LINES_SHOWN:
            break
    return lines[:LINES_SHOWN]


def _new(states: Sequence[GameState], seat: int) -> Mapping[Card, int]:
    """Return how many of each card have come into a seat's hand since it last played (R3)."""
    changed = [at for at in range(1, len(states)) if states[at].hands[seat] != states[at - 1].hands[seat]]
    played = (place for place in range(len(changed) - 1, -1, -1) if _plays(states[changed[place]], seat))
    new: Mapping[Card, int] = {}
    for at in changed[next(played, 0) :]:
        new = _new_cards(states[at], states[at - 1], seat, new)
    return new


def _plays(state: GameState, seat: int) -> bool:
    return any(isinstance(event, Played | Fouled) and event.seat == seat for event in state.events)


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


def frame_of(found: Sitting | Watching, *, asks_email: bool = False) -> Frame:
    """Return what is around the game, and where its viewer may go from it."""
    game, table = found.game, found.game.table
    over, seated = game.status == Game.Status.OVER, isinstance(found, Sitting)
    last, running = over and not found.next_code, table.status == Table.Status.RUNNING
    mine = next((each for each in found.rows if each.until is None and each.seat.number == seat_in(found)), None)
    return Frame(
        code=game.code,
        table_code=table.code,
        table_name=table.name,
        number=game.number,
        deals=table.deals,
        revision=game.revision,
        title=table.title,
        next_code=found.next_code,
        can_deal=last and seated and game.number < table.deals,
        can_repeat=last and seated and game.number >= table.deals,
        alone=found.alone,
        seated=seated,
        left=found.left,
        can_leave=seated and running,
        asks_email=asks_email,
        stood_in=running and mine is not None and bool(mine.stand_in),
        next_at=game.next_at if last else None,
        objected=next((each.name for each in found.rows if last and each.user_id == game.objected_id is not None), ""),
        objected_mine=mine is not None and mine.user_id == game.objected_id is not None,
        aside=game.aside is not None,
        rated=deal_note(game),
    )
