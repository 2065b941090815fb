"""A property-based state machine: the engine beside the reference, over every option and number of seats.

At each step it may play what the rules accept, try what they may not, or try everything that can be tried at all.
"""

import pickle
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games.rules.cards import PACK, Card
from games.rules.deal import deal_hands, full_deck, start
from games.rules.engine import apply
from games.rules.errors import SENTENCES, IllegalMove
from games.rules.legality import foul_cards, legal_cards, legal_moves
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.ruleset import OPTIONS, SEATS_FOR_PACKS, Ruleset
from games.rules.shuffle import shuffled
from games.rules.state import GameState
from tests.random_games import (
    all_cards,
    allowed,
    beside,
    entry_from,
    plain,
    random_entry,
    reference_summary,
    summary,
)
from tests.reference import Reference, Refused
from tests.rules.campaign import DECKS, accepted

option_sets = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()}).filter(allowed)
seat_numbers = st.integers(min_value=-1, max_value=13)
entries = st.one_of(
    st.builds(Play, seat_numbers, st.sampled_from(PACK)),
    st.builds(Take, seat_numbers, seat_numbers),
    st.builds(Draw, seat_numbers, st.sampled_from(PACK)),
)


def every_entry(state: GameState) -> list[Entry]:
    """Whatever can be tried: every card by every seat and by two that are not there, every take, every draw."""
    seats = range(-1, state.players + 1)
    tries: list[Entry] = [Play(seat, each) for seat in seats for each in PACK]
    tries += [Draw(seat, each) for seat in seats for each in PACK]
    tries += [Take(seat, victim) for seat in seats for victim in seats]
    return tries


class Machine(RuleBasedStateMachine):
    """One game."""

    state: GameState
    other: Reference

    @initialize(options=option_sets, seed=st.integers(0, 2**32 - 1), data=st.data())
    def deal(self, options: dict[str, str | int], seed: int, data: st.DataObject) -> None:
        rules = Ruleset(**options)  # type: ignore[arg-type]
        players = data.draw(st.sampled_from(list(SEATS_FOR_PACKS[rules.packs])), label="players")
        dealer = data.draw(st.integers(0, players - 1), label="dealer")
        deck = shuffled(full_deck(rules), Random(seed).randrange)
        self.state = start(rules, dealer, deal_hands(rules, players, dealer, deck))
        self.other = beside(self.state)

    def go(self, entry: Entry) -> None:
        """Enter what both must accept, and compare."""
        before = self.state
        self.state = apply(before, entry)
        self.other.apply(plain(entry))
        assert self.state.entries == before.entries + 1
        assert summary(self.state) == reference_summary(self.other)

    def refuse(self, entry: Entry) -> None:
        """Enter what both must refuse, leaving all as it was."""
        before = pickle.dumps(self.state)
        with pytest.raises(IllegalMove) as caught:
            apply(self.state, entry)
        assert caught.value.code in SENTENCES
        assert "{" not in str(caught.value)
        assert pickle.dumps(self.state) == before
        kept = reference_summary(self.other)
        with pytest.raises(Refused):
            self.other.apply(plain(entry))
        assert reference_summary(self.other) == kept

    @precondition(lambda self: self.state.result is None)
    @rule(data=st.data())
    def enter_what_is_accepted(self, data: st.DataObject) -> None:
        self.go(entry_from(data.draw(st.sampled_from(sorted(self.other.accepted(), key=str)), label="entry")))

    @precondition(lambda self: self.state.result is None)
    @rule(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 60), fouls=st.sampled_from([0, 0.05, 0.3]))
    def play_on(self, seed: int, count: int, fouls: float) -> None:
        rng = Random(seed)
        for _ in range(count):
            if self.state.result is None:
                self.go(random_entry(self.state, rng, fouls=fouls))

    @rule(entry=entries)
    def try_anything(self, entry: Entry) -> None:
        if plain(entry) in self.other.accepted():
            self.go(entry)
        else:
            self.refuse(entry)

    @rule()
    def try_everything(self) -> None:
        """`apply` accepts exactly what the reference does, and no try changes the state it was made in."""
        before = pickle.dumps(self.state)
        taken = {plain(entry) for entry in every_entry(self.state) if self.accepts(entry)}
        assert taken == self.other.accepted()
        assert pickle.dumps(self.state) == before

    def accepts(self, entry: Entry) -> bool:
        try:
            after = apply(self.state, entry)
        except IllegalMove:
            return False
        assert all_cards(after) == DECKS[self.state.rules.packs]
        return True

    @invariant()
    def what_is_said_to_be_legal_is(self) -> None:
        """For every seat: legal moves and fouls are disjoint, lack nothing and hold nothing else."""
        assert accepted(self.state) == self.other.accepted()
        for seat in range(self.state.players):
            legal = legal_moves(self.state, seat)
            plays: tuple[Card, ...] = tuple(move.card for move in legal if isinstance(move, Play))
            assert plays == legal_cards(self.state, seat)
            assert not set(plays) & set(foul_cards(self.state, seat))
            assert len(set(legal)) == len(legal)
            assert {each.code for each in plays} == (set() if self.other.ending else self.other.plays(seat))
            assert {each.code for each in foul_cards(self.state, seat)} == self.other.fouls(seat)
            assert {move.victim for move in legal if isinstance(move, Take)} == self.other.takes(seat)

    @invariant()
    def every_card_is_somewhere(self) -> None:
        assert all_cards(self.state) == DECKS[self.state.rules.packs]


def explore(examples: int, steps: int, *, derandomize: bool) -> None:
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=derandomize,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_machine() -> None:
    explore(100, 25, derandomize=True)


@pytest.mark.soak
def test_machine_at_length() -> None:
    explore(1_500, 50, derandomize=False)
