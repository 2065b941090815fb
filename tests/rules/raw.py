"""Records as the JSON holds them."""

from random import Random
from typing import Any

from games.rules.cards import hand_text
from games.rules.record import entry_dict
from games.rules.replay import replay
from games.rules.ruleset import Ruleset
from tests.random_games import random_game, random_start

type Raw = dict[str, Any]


def raw(seed: int = 1, rules: Ruleset | None = None, players: int = 4) -> Raw:
    """A random finished game as a record."""
    first = random_start(Random(seed), rules or Ruleset(), players)
    log = list(random_game(first, Random(seed)))
    result = replay(first, log).state.result
    assert result is not None
    return {
        "format": "getaway-record",
        "version": 1,
        "rules": first.rules.as_dict(),
        "players": first.players,
        "dealer": first.dealer,
        "hands": [hand_text(hand) for hand in first.hands],
        "moves": [entry_dict(each) for each in log],
        "result": result.as_dict(),
    }
