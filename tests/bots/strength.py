"""How often each bot loses.

python -m tests.bots.strength --games 2000 --rule game=donkey medium random random random
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.bots import LEVELS, bot_named
from games.rules.ruleset import OPTIONS, Ruleset
from games.rules.shuffle import keyed_source
from games.services.simulation import simulate_game


def losses(rules: Ruleset, levels: Sequence[str], games: int, seed: int = 1) -> Counter[str]:
    """Games lost by each level, and "nobody" for the endless; the bots change seats every game."""
    lost: Counter[str] = Counter()
    for n in range(games):
        seats = [levels[(seat + n) % len(levels)] for seat in range(len(levels))]
        result = simulate_game(rules, [bot_named(level) for level in seats], keyed_source(b"%d" % seed, f"{n}")).result
        lost["nobody" if result.loser is None else seats[result.loser]] += 1
    return lost


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rule", action="append", default=[])
    parser.add_argument("levels", nargs="+", choices=LEVELS)
    asked = parser.parse_args()
    pairs = (rule.split("=") for rule in asked.rule)
    options: dict[str, Any] = {key: next(each for each in OPTIONS[key] if str(each) == value) for key, value in pairs}
    lost = losses(Ruleset(**options), asked.levels, asked.games, asked.seed)
    print(*asked.rule, *asked.levels, *(f"{who} {100 * n / asked.games:.2f} %" for who, n in lost.items()), sep="  ")


if __name__ == "__main__":
    main()
