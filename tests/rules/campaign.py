"""Random games by the thousand: each ends by the rules, with every card in its place at every entry."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from games.rules.cards import PACK
from games.rules.engine import apply
from games.rules.events import PowerPassed
from games.rules.legality import draw_pool, foul_cards, legal_moves
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.ruleset import OPTIONS
from games.rules.state import MAX_TRICKS, GameState
from tests import reference
from tests.random_games import (
    all_cards,
    beside,
    plain,
    random_entry,
    random_rules,
    random_start,
    reference_summary,
    summary,
)
from tests.reference import Reference

DECKS = {packs: sorted(PACK * packs) for packs in (1, 2)}


@dataclass
class Tally:
    """What a campaign played, so that one that shows nothing is seen to show nothing."""

    games: int = 0
    entries: int = 0
    compared: int = 0
    longest: int = 0
    seen: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.entries += other.entries
        self.compared += other.compared
        self.longest = max(self.longest, other.longest)
        self.seen += other.seen


def accepted(state: GameState) -> set[reference.Entry]:
    """Everything that the engine says it would accept: legal moves, fouls and draws."""
    found: set[reference.Entry] = set()
    for seat in range(state.players):
        found.update(plain(move) for move in legal_moves(state, seat))
        found.update(plain(Play(seat, face)) for face in foul_cards(state, seat))
    found.update(plain(Draw(state.power, face)) for face in draw_pool(state))
    return found


def ended_by_the_rules(state: GameState) -> None:
    """8: one seat is left and has lost, or 1,000 tricks are over and nobody has."""
    result = state.result
    assert result is not None
    assert result.away == state.away
    assert len(set(result.away)) == len(result.away)
    if result.void:
        assert state.tricks == MAX_TRICKS
        assert (result.loser, result.cards_left) == (None, None)
        assert state.left >= 2
    else:
        assert state.left == 1
        assert result.loser not in (None, *result.away)
        assert result.loser is not None
        assert result.cards_left == len(state.hands[result.loser])
    assert not any(legal_moves(state, seat) or foul_cards(state, seat) for seat in range(state.players))
    assert not draw_pool(state)


def kind(entry: Entry) -> str:
    match entry:
        case Play():
            return "play"
        case Take():
            return "take"
        case Draw():
            return "draw"


def play_on(state: GameState, rng: Random, other: Reference | None) -> Tally:
    """Play a game to its end at random, beside the reference if there is one."""
    deck, tally = DECKS[state.rules.packs], Tally(games=1, compared=int(other is not None))
    tally.seen.update(f"{option}: {getattr(state.rules, option)}" for option in OPTIONS)
    tally.seen[f"{state.players} seats"] += 1
    fouls, takes = rng.choice((0.0, 0.02, 0.1)), rng.choice((0.0, 0.01, 0.05))
    while state.result is None:
        entry = random_entry(state, rng, fouls=fouls, takes=takes)
        state = apply(state, entry)
        tally.entries += 1
        tally.seen[kind(entry)] += 1
        assert all_cards(state) == deck, state.entries
        if other is not None:
            other.apply(plain(entry))
            assert summary(state) == reference_summary(other), state.entries
            assert accepted(state) == other.accepted(), state.entries
    ended_by_the_rules(state)
    tally.longest = state.tricks
    tally.seen["endless" if state.result.void else "lost"] += 1
    return tally


def play_games(seeds: Iterable[int], *, compare_every: int) -> Tally:
    tally = Tally()
    for seed in seeds:
        rng = Random(seed)
        state = random_start(rng)
        tally.add(play_on(state, rng, beside(state) if seed % compare_every == 0 else None))
    return tally


def play_late_games(seeds: Iterable[int]) -> Tally:
    """Games beside the reference that come to the limit of 8.3 soon after their opening trick."""
    tally = Tally()
    for seed in seeds:
        rng = Random(seed)
        state = random_start(rng)
        other = beside(state)
        while state.opening and state.result is None:
            entry = random_entry(state, rng)
            state = apply(state, entry)
            other.apply(plain(entry))
        tricks = MAX_TRICKS - rng.randrange(1, 40)
        other.tricks = tricks
        tally.add(play_on(state._replace(tricks=tricks), rng, other))
    return tally


def take_before_openings(seeds: Iterable[int]) -> int:
    """Take at random before the opening trick, beside the reference; say how often the taker did not become opener."""
    passed_by = 0
    for seed in seeds:
        rng = Random(seed)
        state = random_start(rng, random_rules(rng, taking="anyone", packs=2))
        other = beside(state)
        while state.left > 2:
            taker = rng.choice([seat for seat in range(state.players) if seat not in state.away])
            take = Take(taker, state.next_seat(taker))
            state = apply(state, take)
            passed_by += any(isinstance(event, PowerPassed) and event.seat != taker for event in state.events)
            other.apply(plain(take))
            assert summary(state) == reference_summary(other), (seed, state.entries)
    return passed_by
