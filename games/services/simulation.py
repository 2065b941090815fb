"""Whole games played by bots, without a database and without Django."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.bots.base import Bot
from games.rules.deal import deal_hands, full_deck, start
from games.rules.engine import apply
from games.rules.legality import draw_pool, legal_moves
from games.rules.moves import Draw, Entry, Move
from games.rules.outcome import Result
from games.rules.record import Record
from games.rules.ruleset import Ruleset
from games.rules.shuffle import Source, shuffled
from games.rules.state import GameState
from games.rules.view import seat_view


@dataclass(frozen=True, slots=True)
class Simulated:
    """A game that is over: its record, and its result as the rules found it."""

    record: Record
    result: Result


def simulate_game(rules: Ruleset, bots: Sequence[Bot], source: Source) -> Simulated:
    """Play one game to its end, bots[n] at seat n; dealer, deal, draws and luck by the source.

    Every game ends: the rules see to it after 1,000 tricks (rules.md 8.3).

    Raises:
        RecordError: if so many bots may not play with these packs.
    """
    dealer = source(len(bots)) if bots else 0
    deck = shuffled(full_deck(rules), source)
    state = start(rules, dealer, deal_hands(rules, len(bots), dealer, deck))
    hands, entries = state.hands, []
    while state.result is None:
        entry = _next_entry(state, bots, source)
        entries.append(entry)
        state = apply(state, entry)
    return Simulated(Record(rules, dealer, hands, tuple(entries), state.result.as_dict()), state.result)


def _next_entry(state: GameState, bots: Sequence[Bot], source: Source) -> Entry:
    """Return what happens next: a due draw, or the first move that a bot makes when asked."""
    pool = draw_pool(state)
    if pool:
        return Draw(state.power, pool[source(len(pool))])
    for seat in _asked(state, source):
        move = _move(state, seat, bots[seat], source)
        if move is not None:
            return move
    raise AssertionError(f"no bot moved: {state!r}")


def _asked(state: GameState, source: Source) -> Iterator[int]:
    """Yield the seats in the order in which they are asked.

    Before a lead that is everybody who may take a hand: one drawn by lot, the others after it
    in play order, and last the seat with the power, whose card would end the taking. With
    cards on the table it is an awaited seat, by lot if there are several (rules.md 5.2).
    """
    awaited = state.awaited
    if not state.trick:
        others = [seat for seat in _round(state) if legal_moves(state, seat)]
        turn = source(len(others)) if len(others) > 1 else 0
        yield from (*others[turn:], *others[:turn])
    yield awaited[source(len(awaited))] if len(awaited) > 1 else awaited[0]


def _round(state: GameState) -> Iterator[int]:
    """Yield the seats that have not got away, in play order, but for the one with the power."""
    seat = state.next_seat(state.power)
    while seat != state.power:
        yield seat
        seat = state.next_seat(seat)


def _move(state: GameState, seat: int, bot: Bot, source: Source) -> Move | None:
    return bot.choose(seat_view(state, seat), source)
