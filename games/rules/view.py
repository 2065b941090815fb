"""What leaves the engine room: the view of a seat, and that of the public (decision 3).

A view is built by allow-list. Nothing in it depends on a card that the viewer cannot know:
other hands are counts, a face-down card is None, the waste is a number.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from games.rules.cards import Card, Hand, Suit
from games.rules.deal import full_deck
from games.rules.events import Event, visible
from games.rules.legality import foul_cards, legal_moves, play_problem
from games.rules.moves import Move, Play, Take
from games.rules.outcome import Result
from games.rules.ruleset import Ruleset
from games.rules.state import GameState, LastTrick
from games.rules.tricks import winning_play


class TableCard(NamedTuple):
    """A card of the trick on the table; None is a card that lies face down for the viewer."""

    seat: int
    card: Card | None


class Refusal(NamedTuple):
    """Why a card of one's hand may not be played now, as a code and a sentence."""

    card: Card
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody may see of a game; every tuple over seats starts with seat 0.

    version: entries so far. awaited: the seats that must play now. counts: cards in each hand.
    winning: the seat whose card wins the trick so far, if that is open. waste_count: cards in
    the waste. gone: the cards that everybody saw go to the waste and not come back, for bots;
    no page shows them. tricks: tricks ended, fouls counted in. known: cards of each hand that
    everybody saw go into it. voids: suits that each hand is proved not to hold. last: the last
    trick that ended. drawn_waits: a drawn card waits to be led. events: what the last entry
    brought about. hands: all hands, None while the game runs.
    """

    rules: Ruleset
    players: int
    dealer: int
    version: int
    power: int
    awaited: tuple[int, ...]
    counts: tuple[int, ...]
    table: tuple[TableCard, ...]
    winning: int | None
    trump: Suit | None
    waste_count: int
    gone: Hand
    tricks: int
    away: tuple[int, ...]
    result: Result | None
    known: tuple[Hand, ...]
    voids: tuple[tuple[Suit, ...], ...]
    last: LastTrick | None
    drawn_waits: bool
    events: tuple[Event, ...]
    hands: tuple[Hand, ...] | None

    def next_seat(self, seat: int) -> int:
        """Return the nearest seat in play order that has not got away (rules.md 1)."""
        return self.rules.next_seat(seat, self.players, self.away)


@dataclass(frozen=True, slots=True)
class SeatView(PublicView):
    """What one seat may see: all that the public sees, and what its own hand tells.

    legal: what the seat may do now without a foul, taking included. fouls: faces that the
    table would accept as a foul. refusals: every other face in hand, and why it is refused.
    drawn: the card that the seat drew and must lead.
    """

    seat: int
    hand: Hand
    legal: tuple[Move, ...]
    fouls: tuple[Card, ...]
    refusals: tuple[Refusal, ...]
    drawn: Card | None

    @property
    def must_play(self) -> bool:
        """Whether the game waits for a card of this seat."""
        return self.seat in self.awaited

    @property
    def playable(self) -> tuple[Card, ...]:
        """The faces that the seat may play now without a foul."""
        return tuple(move.card for move in self.legal if isinstance(move, Play))

    @property
    def take(self) -> Take | None:
        """The hand that the seat may take now."""
        return next((move for move in self.legal if isinstance(move, Take)), None)

    @property
    def unseen(self) -> Hand:
        """The cards whose place the seat does not know, copies counted."""
        left = Counter(full_deck(self.rules))
        left.subtract(self.hand)
        left.subtract(self.gone)
        left.subtract(each.card for each in self.table if each.card is not None)
        for seat, known in enumerate(self.known):
            if seat != self.seat:
                left.subtract(known)
        return tuple(sorted(left.elements()))


def public_view(state: GameState) -> PublicView:
    """Return what a watcher may see."""
    return PublicView(**_shared(state, None))


def open_view(state: GameState) -> PublicView:
    """Return a state of a finished game with everything open; never for a running game."""
    table = tuple(TableCard(each.seat, each.card) for each in state.trick)
    return replace(public_view(state), table=table, hands=state.hands, events=state.events)


def seat_view(state: GameState, seat: int) -> SeatView:
    """Return what a seat may see."""
    legal, fouls, hand = legal_moves(state, seat), foul_cards(state, seat), state.hands[seat]
    accepted = {move.card for move in legal if isinstance(move, Play)}.union(fouls)
    refusals = []
    for card in dict.fromkeys(hand):
        problem = None if card in accepted else play_problem(state, Play(seat, card))
        if problem is not None:
            refusals.append(Refusal(card, problem.code, str(problem)))
    return SeatView(
        **_shared(state, seat),
        seat=seat,
        hand=hand,
        legal=legal,
        fouls=fouls,
        refusals=tuple(refusals),
        drawn=state.drawn if seat == state.power else None,
    )


def _shared(state: GameState, viewer: int | None) -> dict[str, Any]:
    """Return the fields of `PublicView`, as one viewer may see them."""
    counts = tuple(len(hand) for hand in state.hands)
    known = tuple(zip(state.known, counts, strict=True))
    return {
        "rules": state.rules,
        "players": state.players,
        "dealer": state.dealer,
        "version": state.entries,
        "power": state.power,
        "awaited": state.awaited,
        "counts": counts,
        "table": _table(state, viewer),
        "winning": _winning(state),
        "trump": state.trump,
        "waste_count": len(state.waste) + len(state.held),
        "gone": _gone(state, viewer),
        "tricks": state.tricks,
        "away": state.away,
        "result": state.result,
        "known": tuple(each.cards for each, _ in known),
        "voids": tuple(_in_order(each.proved_voids(count)) for each, count in known),
        "last": state.last,
        "drawn_waits": state.drawn is not None,
        "events": tuple(visible(event, viewer) for event in state.events),
        "hands": state.hands if state.result is not None else None,
    }


def _table(state: GameState, viewer: int | None) -> tuple[TableCard, ...]:
    if not state.face_down or state.result is not None:
        return tuple(TableCard(each.seat, each.card) for each in state.trick)
    return tuple(
        TableCard(each.seat, each.card if at == 0 or each.seat == viewer else None)
        for at, each in enumerate(state.trick)
    )


def _winning(state: GameState) -> int | None:
    """Return whose card wins so far, if any does."""
    if not state.trick or not state.judged:
        return None
    return winning_play(state.trick, state.trump).seat


def _gone(state: GameState, viewer: int | None) -> Hand:
    """Return what the viewer saw go to the waste; an unseen draw may have been any of it."""
    gone = state.waste + state.held
    from_waste = state.drawn is not None and state.drawn_from is None
    if from_waste and state.drawn is not None and viewer != state.power:
        gone += (state.drawn,)
    return tuple(sorted(gone))


def _in_order(suits: frozenset[Suit]) -> tuple[Suit, ...]:
    return tuple(suit for suit in Suit if suit in suits)
