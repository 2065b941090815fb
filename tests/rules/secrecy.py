"""Along random games, deal anew what a viewer cannot know: all that the viewer ever saw must be the same to a byte."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from random import Random

from games.rules.moves import Draw, Entry
from games.rules.replay import steps
from games.rules.state import GameState
from games.rules.view import PublicView, public_view, seat_view
from tests.random_games import random_game, random_start
from tests.views import canonical
from tests.watcher import Watcher
from tests.worlds import World, Worlds, replayed

type Change = Callable[[Worlds, Random], World | None]


@dataclass
class Count:
    """What was tried."""

    games: int = 0
    worlds: int = 0
    changed: int = 0
    unexplained: int = 0

    def add(self, other: "Count") -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def view_of(state: GameState, viewer: int | None) -> PublicView:
    return public_view(state) if viewer is None else seat_view(state, viewer)


def shuffle(worlds: Worlds, rng: Random) -> World | None:
    return worlds.shuffled(rng)


def swap(worlds: Worlds, rng: Random) -> World | None:
    return worlds.swapped(rng)


def check_moment(
    watcher: Watcher, views: Sequence[PublicView], states: Sequence[GameState], log: Sequence[Entry], rng: Random
) -> Count:
    """Compare the views up to this moment in two other worlds: one dealt anew, one with two cards swapped."""
    count, worlds = Count(), Worlds(watcher)
    for change in (shuffle, swap):
        world = change(worlds, rng)
        if world is None:
            continue
        found = replayed(watcher, world, states, log, rng)
        if found is None:
            assert states[0].rules.penalties == "penalise"
            count.unexplained += 1
            continue
        count.worlds += 1
        count.changed += any(found[-1].hands[seat] != states[len(log)].hands[seat] for seat in range(watcher.players))
        for at in range(len(log)):
            # The opening has secrets of its own; of the rest every fifth.
            if at <= watcher.players or (len(log) - at) % 5 == 0:
                assert view_of(found[at], watcher.viewer) == views[at]
        assert canonical(view_of(found[-1], watcher.viewer)) == canonical(views[-1])
    return count


def check_game(seed: int, *, moments: int) -> Count:
    """Play one random game and check it at some moments, for every seat and for the public."""
    rng = Random(seed)
    first = random_start(rng)
    log = list(random_game(first, rng, fouls=rng.choice((0.0, 0.03)), takes=rng.choice((0.0, 0.03))))
    states = list(steps(first, log))
    # Cards lie face down in the opening only, and a drawn card waits for one entry only; the rest is sampled.
    chosen = {*rng.sample(range(len(log)), min(moments, len(log))), rng.randrange(min(first.players, len(log)))}
    chosen |= {at for at, entry in enumerate(log, start=1) if isinstance(entry, Draw)}
    count = Count(games=1)
    for viewer in (None, *range(first.players)):
        views = [view_of(state, viewer) for state in states[: max(chosen) + 1]]
        watcher = Watcher(views[0])
        for at, view in enumerate(views):
            if at:
                watcher.observe(view)
            if at in chosen:
                count.add(check_moment(watcher, views[: at + 1], states, log[:at], rng))
    return count
