"""What a card may bring upon the seat that plays it to the trick on the table."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.bots.guess import Guess
from games.rules.cards import Card, Suit
from games.rules.moves import Play
from games.rules.tricks import is_tochoo, winning_play
from games.rules.view import SeatView


class Risk(NamedTuple):
    """`chance` of picking up the trick; `cards` of others that this brings, on the average."""

    chance: float
    cards: float


NONE: Final = Risk(0.0, 0.0)


class Reply(NamedTuple):
    """The chances that a later seat plays a tochoo, or a card that goes over ours."""

    tochoo: float
    over: float


@dataclass(frozen=True, slots=True)
class Trick:
    """The trick on the table as it would be with our card in it."""

    view: SeatView
    card: Card
    led: Suit
    trump: Suit | None
    plays: tuple[Play, ...]

    @property
    def stopped(self) -> bool:
        """Whether a tochoo lies in it already."""
        return any(is_tochoo(each.card, self.led, self.trump) for each in self.plays)

    @property
    def ours(self) -> bool:
        """Whether our card wins it so far (rules.md 6.4, 9.3)."""
        return winning_play(self.plays, self.trump).seat == self.view.seat

    @property
    def later(self) -> Iterable[int]:
        """The seats that play after us."""
        seat, left = self.view.seat, self.view.players - len(self.view.away)
        for _ in range(left - len(self.plays)):
            seat = self.view.next_seat(seat)
            yield seat


def makes_trump(view: SeatView, card: Card) -> bool:
    """Say whether playing the card would make its suit trump (rules.md 9.1)."""
    led = view.table[0].card if view.table else None
    return view.rules.game == "donkey" and view.trump is None and led is not None and card.suit is not led.suit


def risk_of(view: SeatView, guess: Guess, card: Card) -> Risk:
    """Return what playing a card now risks; nothing in an opening trick that is ignored."""
    if view.tricks == 0 and view.rules.opening_tochoo == "ignored":
        return NONE
    open_plays = (Play(each.seat, each.card) for each in view.table if each.card is not None)
    plays = (*open_plays, Play(view.seat, card))
    trump = card.suit if makes_trump(view, card) else view.trump
    trick = Trick(view, card, plays[0].card.suit, trump, plays)
    if not trick.ours:
        return NONE
    replies = [_reply(trick, guess, seat) for seat in trick.later]
    return (_interrupted if view.rules.tochoo == "interrupts" else _finished)(trick, replies)


def _interrupted(trick: Trick, replies: list[Reply]) -> Risk:
    """Follow the seats after us until a tochoo ends the trick (rules.md 6.3)."""
    chance = cards = 0.0
    ours = 1.0
    for pile, reply in enumerate(replies, len(trick.plays)):
        stops = ours * reply.tochoo
        chance += stops
        cards += stops * pile
        ours *= 1 - reply.tochoo - reply.over
    return Risk(chance, cards)


def _finished(trick: Trick, replies: list[Reply]) -> Risk:
    """Follow all seats after us; a tochoo counts if nobody goes over us, before or after it."""
    clean, stopped = (0.0, 1.0) if trick.stopped else (1.0, 0.0)
    for reply in replies:
        stopped = stopped * (1 - reply.over) + clean * reply.tochoo
        clean *= 1 - reply.tochoo - reply.over
    return Risk(stopped, stopped * (len(trick.plays) + len(replies) - 1))


def _reply(trick: Trick, guess: Guess, seat: int) -> Reply:
    void, over = guess.void(seat, trick.led), guess.must_go_over(seat, trick.card)
    if trick.view.rules.game == "getaway" or trick.trump is trick.led:
        return Reply(void, (1 - void) * over)
    if trick.trump is None:
        # The first void of the deal makes trump, and so goes over us (rules.md 9.1).
        return Reply(0.0, void + (1 - void) * over)
    no_trump = guess.void(seat, trick.trump)
    trumps = void * (1 - no_trump)
    if trick.card.suit is trick.trump:
        return Reply(void * no_trump, trumps * over)
    return Reply(void * no_trump, trumps + (1 - void) * over)
