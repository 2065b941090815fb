"""Worlds: every way the cards may have been dealt, for one who saw what a watcher saw.

Which copy was dealt to which seat is a matching of copies with homes, each home having as many places as cards were
dealt there. Two worlds differ by cycles of copies that change homes; so a copy may lie in another home if, and only
if, the copies from there on can each move one home further until the place that it left is filled.
"""

from collections import deque
from collections.abc import Sequence
from random import Random

from games.rules.cards import Card, Suit
from games.rules.deal import start
from games.rules.engine import apply
from games.rules.events import Fouled
from games.rules.legality import draw_pool, legal_cards
from games.rules.moves import Draw, Entry, Play
from games.rules.state import GameState
from tests.random_games import beside, plain
from tests.watcher import Copy, Watcher

type World = dict[Copy, int]


class Worlds:
    """The worlds of one watcher at one moment."""

    def __init__(self, watcher: Watcher, before: World | None = None) -> None:
        """`before`: a world of an earlier moment, to start from."""
        self.watcher = watcher
        self.homes = {each: watcher.homes(each) for each in watcher.copies}
        kept = before or {}
        self.world: World = {each: home for each, home in kept.items() if home in self.homes[each]}
        for each in watcher.copies:
            if each not in self.world:
                self.place(self.world, each, sorted(self.homes[each]))

    def at_home(self, world: World, home: int) -> list[Copy]:
        return [each for each in world if world[each] == home]

    def place(self, world: World, copy: Copy, tries: list[int]) -> None:
        """Give a copy a home, moving others on if need be."""
        came_from: dict[int, tuple[int, Copy] | None] = dict.fromkeys(tries)
        queue = deque(tries)
        while queue:
            home = queue.popleft()
            there = self.at_home(world, home)
            if len(there) < self.watcher.counts[home]:
                self.shift(world, copy, home, came_from)
                return
            for each in there:
                for other in self.homes[each] - came_from.keys():
                    came_from[other] = home, each
                    queue.append(other)
        raise AssertionError("no world fits what was seen")

    @staticmethod
    def shift(world: World, copy: Copy, home: int, came_from: dict[int, tuple[int, Copy] | None]) -> None:
        step = came_from[home]
        while step is not None:
            before, moved = step
            world[moved] = home
            home, step = before, came_from[before]
        world[copy] = home

    def reach(self) -> dict[int, set[int]]:
        """From each home, the homes to which a chain of moves can pass a surplus copy on."""
        steps: dict[int, set[int]] = {home: {home} for home in range(self.watcher.players)}
        for each, home in self.world.items():
            steps[home] |= self.homes[each]
        for middle, beyond in steps.items():
            for found in steps.values():
                if middle in found:
                    found.update(beyond)
        return steps

    def possible_suits(self) -> dict[int, set[Suit]]:
        """The suits of which some world has an unseen card in a seat's hand now; exact, but for what fouls show."""
        reach, flow = self.reach(), self.watcher.flows[-1]
        found: dict[int, set[Suit]] = {seat: set() for seat in range(self.watcher.players)}
        for each, home in self.world.items():
            if each.seen is None:
                for other in self.homes[each]:
                    if home in reach[other]:
                        found[flow[other]].add(each.card.suit)
        return found

    def shuffled(self, rng: Random) -> World:
        """Another world, at random: dealt anew."""
        world: World = {}
        copies = list(self.homes)
        rng.shuffle(copies)
        copies.sort(key=lambda each: len(self.homes[each]) > 1)
        for each in copies:
            tries = sorted(self.homes[each])
            rng.shuffle(tries)
            self.place(world, each, tries)
        return world

    def swapped(self, rng: Random) -> World | None:
        """The world with two unseen copies of different faces changed round between two hands, if two can be."""
        copies = [each for each in self.homes if each.seen is None]
        rng.shuffle(copies)
        for one in copies:
            for other in copies:
                here, there = self.world[one], self.world[other]
                differ = here != there and one.card is not other.card
                if differ and there in self.homes[one] and here in self.homes[other]:
                    return self.world | {one: there, other: here}
        return None


def dealt(watcher: Watcher, world: World) -> list[list[Card]]:
    hands: list[list[Card]] = [[] for _ in range(watcher.players)]
    for each, home in world.items():
        hands[home].append(each.card)
    return hands


def replayed(
    watcher: Watcher, world: World, states: Sequence[GameState], log: Sequence[Entry], rng: Random
) -> list[GameState] | None:
    """The same entries in another world, with other cards where the viewer saw backs only.

    None if this world does not explain the fouls: that they were fouls tells of a card that was held.
    """
    first = states[0]
    state = start(first.rules, first.dealer, [tuple(hand) for hand in dealt(watcher, world)])
    found, other = [state], beside(state)
    for at, seen in enumerate(log):
        entry = unseen_changed(watcher, state, seen, last=at + 1 == len(log), rng=rng)
        if first.rules.penalties == "penalise":
            was_foul = any(isinstance(event, Fouled) for event in states[at + 1].events)
            if was_foul != (isinstance(entry, Play) and entry.card.code in other.fouls(entry.seat)):
                return None
            other.apply(plain(entry))
        state = apply(state, entry)
        found.append(state)
    return found


def unseen_changed(watcher: Watcher, state: GameState, entry: Entry, *, last: bool, rng: Random) -> Entry:
    """A back on the table, or a card drawn unseen as the last entry, may be any that the rules allow."""
    backs = watcher.opening and bool(state.trick) and state.rules.opening == "any_order"
    if backs and entry.seat != watcher.viewer:
        return Play(entry.seat, rng.choice(legal_cards(state, entry.seat)))
    if isinstance(entry, Draw) and last and watcher.pending is not None:
        return Draw(entry.seat, rng.choice(draw_pool(state)))
    return entry
