"""The full state of a game: secret, and named by few (architecture: rooms).

States are values: the engine makes a new one for each entry. A NamedTuple, because a fold
makes one or two of them an entry and `_replace` is quick.
"""

from typing import Literal, NamedTuple

from games.rules.cards import Card, Hand, Suit
from games.rules.events import Event
from games.rules.knowledge import Known
from games.rules.moves import Play
from games.rules.outcome import Result
from games.rules.ruleset import Ruleset

MAX_TRICKS = 1000
"""After so many tricks a game ends as endless (rules.md 8.3)."""

type Source = Literal["waste", "next"]
"""Where a due draw comes from (rules.md 7.2)."""


class LastTrick(NamedTuple):
    """The last trick that ended with cards on the table.

    number: which of the game's tricks it was, fouls counted in. best: the seat whose card won it, None where no card
    wins (rules.md 5.3). taker: the seat that has its cards now, or None if they went to the waste.
    """

    number: int
    plays: tuple[Play, ...]
    best: int | None
    taker: int | None


class Lead(NamedTuple):
    """What the short cuts with two left ask of a lead (rules.md 8.2)."""

    seats: int
    last_card: bool
    drawn: bool


class GameState(NamedTuple):
    """One game after some entries; see rules.md for the words."""

    rules: Ruleset
    players: int
    dealer: int
    hands: tuple[Hand, ...]
    known: tuple[Known, ...]
    """What everybody knows of each hand."""
    power: int
    """The seat with the power; before the opening trick the opener."""
    entries: int = 0
    """The number of entries so far: the version."""
    trick: tuple[Play, ...] = ()
    lead: Lead | None = None
    waste: tuple[Card, ...] = ()
    """The waste in the order in which it was played; the order in which it lies is stored."""
    held: tuple[Card, ...] = ()
    """The trick just played, which joins the waste after the draw that is due."""
    due: Source | None = None
    drawn: Card | None = None
    """The drawn card that waits to be led."""
    drawn_from: tuple[int, Known] | None = None
    """The seat that `drawn` was drawn from, and what was known of it before."""
    tricks: int = 0
    """Tricks ended, fouls counted in; 0 means that the opening trick is not over."""
    trump: Suit | None = None
    last: LastTrick | None = None
    window: bool = False
    """Whether a foul still takes the cards of `last` from its taker (rules.md 10)."""
    away: tuple[int, ...] = ()
    result: Result | None = None
    events: tuple[Event, ...] = ()
    """What the last entry brought about."""

    def __repr__(self) -> str:
        counts = " ".join(str(len(hand)) for hand in self.hands)
        return f"<GameState after {self.entries} entries, cards {counts}>"

    @property
    def left(self) -> int:
        """The number of seats that have not got away."""
        return self.players - len(self.away)

    @property
    def opening(self) -> bool:
        """Whether the opening trick is not over yet."""
        return self.tricks == 0

    @property
    def judged(self) -> bool:
        """Whether a card wins the trick that is played now: none does in Getaway's opening (rules.md 5.3)."""
        return self.tricks > 0 or self.rules.opening_tochoo == "counts" or self.rules.game == "donkey"

    @property
    def face_down(self) -> bool:
        """Whether cards played after the lead lie face down now (rules.md 5.2)."""
        return self.tricks == 0 and self.rules.opening == "any_order"

    def next_seat(self, seat: int) -> int:
        """Return the nearest seat in play order that has not got away (rules.md 1)."""
        return self.rules.next_seat(seat, self.players, self.away)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that must play now; several in an opening trick in any order."""
        if self.result is not None or self.due is not None:
            return ()
        if not self.trick:
            return (self.power,)
        if self.face_down:
            played = {play.seat for play in self.trick}
            return tuple(seat for seat in range(self.players) if seat not in played and seat not in self.away)
        return (self.next_seat(self.trick[-1].seat),)
