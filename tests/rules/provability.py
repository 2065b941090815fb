"""Along random games, prove from public events alone each void and each card that the public view shows as known."""

from collections import Counter
from dataclasses import dataclass, fields
from random import Random

from games.rules.cards import Card, Suit
from games.rules.engine import apply
from games.rules.view import PublicView, public_view
from tests.random_games import random_entry, random_start
from tests.watcher import Watcher
from tests.worlds import World, Worlds


@dataclass
class Proofs:
    """How many voids and cards were shown and how many could be: voids card by card, or with all counts in mind."""

    moments: int = 0
    voids_shown: int = 0
    voids_by_play: int = 0
    voids_proved: int = 0
    cards_shown: int = 0
    cards_known: int = 0

    def add(self, other: "Proofs") -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def suits_by_play(watcher: Watcher, seat: int) -> set[Suit]:
    """The suits that a seat's unseen cards may have, one card looked at at a time: without counting cards."""
    flow = watcher.flows[-1]
    return {
        each.card.suit
        for each in watcher.copies
        if each.seen is None and any(flow[home] == seat for home in watcher.homes(each))
    }


def held(watcher: Watcher, unseen: dict[int, set[Suit]], seat: int) -> set[Suit]:
    """The suits that a seat may hold, a card that was just drawn unseen included."""
    found = unseen[seat] | {each.suit for each in watcher.known(seat)}
    if watcher.pending is not None and seat == watcher.pending[0]:
        source = watcher.pending[1]
        if source is None:
            return {each.card.suit for each in watcher.pool()}
        return unseen[source] | {each.suit for each in watcher.known(source)}
    return found


def certain(watcher: Watcher, seat: int) -> Counter[Card]:
    """The cards that a seat must hold: one of each known face may have been drawn just now."""
    cards = Counter(watcher.known(seat))
    if watcher.pending is not None and seat == watcher.pending[1]:
        cards.subtract(set(cards))
    return +cards


def check_moment(watcher: Watcher, view: PublicView, world: World) -> tuple[Proofs, World]:
    worlds = Worlds(watcher, world)
    exact = worlds.possible_suits()
    proofs = Proofs(moments=1)
    by_play = {seat: suits_by_play(watcher, seat) for seat in range(view.players)}
    for seat in range(view.players):
        if not view.counts[seat]:
            continue
        shown, proved = set(view.voids[seat]), set(Suit) - held(watcher, exact, seat)
        assert shown <= proved, (view.version, seat, shown, proved)
        assert not Counter(view.known[seat]) - certain(watcher, seat), (view.version, seat)
        proofs.voids_shown += len(shown)
        proofs.voids_by_play += len(set(Suit) - held(watcher, by_play, seat))
        proofs.voids_proved += len(proved)
        proofs.cards_shown += len(view.known[seat])
        proofs.cards_known += sum(certain(watcher, seat).values())
    return proofs, worlds.world


def check_game(seed: int) -> Proofs:
    rng = Random(seed)
    state = random_start(rng)
    fouls, takes = rng.choice((0.0, 0.03, 0.1)), rng.choice((0.0, 0.03))
    watcher, proofs = Watcher(public_view(state)), Proofs()
    world: World = {}
    while state.result is None:
        state = apply(state, random_entry(state, rng, fouls=fouls, takes=takes))
        view = public_view(state)
        watcher.observe(view)
        found, world = check_moment(watcher, view, world)
        proofs.add(found)
    return proofs
