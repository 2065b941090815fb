"""Which games the playthroughs are, and how they are played: all by a keyed source, the same everywhere."""

from collections.abc import Iterator
from typing import NamedTuple

from games.rules.deal import deal_hands, full_deck, start
from games.rules.engine import apply
from games.rules.legality import draw_pool, foul_cards, legal_moves
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.ruleset import OPTIONS, Ruleset
from games.rules.shuffle import Source, keyed_source, shuffled
from games.rules.state import GameState
from tests.random_games import allowed


class Step(NamedTuple):
    """One entry of a game, and the state that it led to; the first step has no entry."""

    entry: Entry | None
    state: GameState


class Case(NamedTuple):
    """A playthrough: the options that it must have, how many seats (0: any), and the number that seeds the rest."""

    name: str
    option: str
    value: str | int
    seats: int
    seed: int


def random_rules(case: Case, below: Source) -> Ruleset:
    """The case's option with others at random; for a number of seats the packs that allow it."""
    while True:
        options = {name: values[below(len(values))] for name, values in OPTIONS.items()}
        if case.option:
            options[case.option] = case.value
        if allowed(options):
            rules = Ruleset(**options)  # type: ignore[arg-type]
            if not case.seats or case.seats in rules.seats:
                return rules


def beginning(case: Case) -> tuple[GameState, Source]:
    below = keyed_source(case.seed.to_bytes(4, "big"), case.name)
    rules = random_rules(case, below)
    players = case.seats or rules.seats.start + below(3)
    dealer = below(players)
    deck = shuffled(full_deck(rules), below)
    return start(rules, dealer, deal_hands(rules, players, dealer, deck)), below


def next_entry(state: GameState, below: Source) -> Entry:
    """Any entry that the rules accept; now and then a take or a foul."""
    if state.due is not None:
        pool = draw_pool(state)
        return Draw(state.power, pool[below(len(pool))])
    seat = below(state.players)
    fouls = foul_cards(state, seat)
    if fouls and below(12) == 0:
        return Play(seat, fouls[below(len(fouls))])
    takes = [move for move in legal_moves(state, seat) if isinstance(move, Take)]
    if takes and below(15) == 0:
        return takes[0]
    seat = state.awaited[below(len(state.awaited))]
    plays = [move for move in legal_moves(state, seat) if isinstance(move, Play)]
    return plays[below(len(plays))]


def played(case: Case) -> Iterator[Step]:
    state, below = beginning(case)
    yield Step(None, state)
    while state.result is None:
        entry = next_entry(state, below)
        state = apply(state, entry)
        yield Step(entry, state)
