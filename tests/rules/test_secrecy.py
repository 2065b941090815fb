"""What a viewer cannot know changes nothing that the viewer sees; what a view shows as known can be proved."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from functools import partial
from multiprocessing import get_context
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from games.rules.replay import steps
from games.rules.view import PublicView, SeatView
from tests.random_games import random_game, random_start
from tests.rules import provability, secrecy
from tests.rules.secrecy import view_of
from tests.views import PUBLIC, SEAT, STATIC, canonical
from tests.watcher import Watcher
from tests.worlds import Worlds, replayed

GAMES = 2_000


def test_every_field_of_a_view_is_decided() -> None:
    """A new field fails here until somebody has thought about who may see it."""
    assert {each.name for each in fields(PublicView)} == {*STATIC, *PUBLIC}
    assert {each.name for each in fields(SeatView)} == {*STATIC, *PUBLIC, *SEAT}


def secrecy_of(seeds: Sequence[int]) -> secrecy.Count:
    count = secrecy.Count()
    for seed in seeds:
        count.add(secrecy.check_game(seed, moments=2))
    return count


def proofs_of(seeds: Sequence[int]) -> provability.Proofs:
    proofs = provability.Proofs()
    for seed in seeds:
        proofs.add(provability.check_game(seed))
    return proofs


def on_all_cores[T](check: Callable[[Sequence[int]], T], chunk: int = 20) -> list[T]:
    chunks = [range(first, min(first + chunk, GAMES)) for first in range(0, GAMES, chunk)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return list(pool.map(partial(check), chunks))


def test_cards_dealt_anew_leave_views_equal() -> None:
    count = secrecy_of(range(15))
    assert count.games == 15
    assert count.worlds > 300
    assert count.changed > 0.8 * count.worlds


def test_what_is_shown_is_proved() -> None:
    proofs = proofs_of(range(20))
    assert proofs.moments > 1_500
    assert 0.8 * proofs.voids_proved < proofs.voids_shown <= proofs.voids_by_play <= proofs.voids_proved
    assert 0.99 * proofs.cards_known < proofs.cards_shown <= proofs.cards_known


@pytest.mark.soak
def test_cards_dealt_anew_leave_views_equal_at_length() -> None:
    count = secrecy.Count()
    for part in on_all_cores(secrecy_of):
        count.add(part)
    print(count)
    assert count.games == GAMES


@pytest.mark.soak
def test_what_is_shown_is_proved_at_length() -> None:
    proofs = provability.Proofs()
    for part in on_all_cores(proofs_of):
        proofs.add(part)
    print(proofs)
    assert proofs.moments > 50 * GAMES


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(seed=st.integers(0, 2**32 - 1), part=st.floats(0, 1), data=st.data())
def test_two_unseen_cards_swapped_leave_a_view_equal(seed: int, part: float, data: st.DataObject) -> None:
    """S3 of the brief on trust: the two cards lie in two hands that are not the viewer's."""
    rng = Random(seed)
    first = random_start(rng)
    log = list(random_game(first, rng))
    log = log[: int(part * (len(log) - 1))]
    viewer = data.draw(st.sampled_from([None, *range(first.players)]), label="viewer")
    states = list(steps(first, log))
    views = [view_of(state, viewer) for state in states]
    watcher = Watcher(views[0])
    for view in views[1:]:
        watcher.observe(view)
    world = Worlds(watcher).swapped(rng)
    found = None if world is None else replayed(watcher, world, states, log, rng)
    if found is not None:
        if viewer is not None:
            assert found[-1].hands[viewer] == states[-1].hands[viewer]
        assert [canonical(view_of(state, viewer)) for state in found] == [canonical(view) for view in views]
