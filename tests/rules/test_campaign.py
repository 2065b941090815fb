"""Random games over all options and numbers of seats: a slice here, 100,000 in `make soak`."""

import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from games.rules.ruleset import OPTIONS
from tests.rules.campaign import Tally, play_games, play_late_games, take_before_openings

CHUNK = 500


def everything_was_played(tally: Tally) -> None:
    for option, values in OPTIONS.items():
        for value in values:
            assert tally.seen[f"{option}: {value}"] > 0, (option, value)
    for seats in range(3, 13):
        assert tally.seen[f"{seats} seats"] > 0
    for entry in ("play", "take", "draw"):
        assert tally.seen[entry] > 0


def test_slice_of_the_campaign() -> None:
    tally = play_games(range(600), compare_every=6)
    assert (tally.games, tally.compared) == (600, 100)
    everything_was_played(tally)


def test_games_that_come_to_the_limit() -> None:
    tally = play_late_games(range(150))
    assert tally.seen["endless"] > 30
    assert tally.seen["lost"] > 10
    assert tally.longest == 1_000


def test_takes_before_the_opening_trick() -> None:
    assert take_before_openings(range(300)) > 10


@pytest.mark.soak
def test_campaign() -> None:
    """100,000 games on all cores, one in 20 beside the reference; CAMPAIGN_GAMES sets another number."""
    games = int(os.environ.get("CAMPAIGN_GAMES", "100000"))
    chunks = [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
    tally, began = Tally(), time.monotonic()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for part in pool.map(partial(play_games, compare_every=20), chunks):
            tally.add(part)
    took = time.monotonic() - began
    print(f"{tally.games} games, {tally.entries} entries, {tally.compared} compared, {took:.0f} s")
    print(f"longest {tally.longest} tricks; {dict(sorted(tally.seen.items()))}")
    assert tally.games == games
    everything_was_played(tally)
