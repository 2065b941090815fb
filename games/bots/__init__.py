"""Bots: a `SeatView` in, a move out. They know no more than the person who could sit there."""

from collections.abc import Mapping
from typing import Final

from games.bots.base import Bot
from games.bots.easy import EasyBot
from games.bots.medium import MediumBot
from games.bots.random_bot import RandomBot

BOTS: Final[Mapping[str, Bot]] = {"random": RandomBot(), "easy": EasyBot(), "medium": MediumBot()}

LEVELS: Final = tuple(BOTS)
"""The names of the bots, weakest first."""


def bot_named(level: str) -> Bot:
    """Return the bot of a level; bots keep nothing between moves, so one serves every seat.

    Raises:
        ValueError: if there is no such level.
    """
    found = BOTS.get(level)
    if found is None:
        raise ValueError(f"There is no bot called {level}.")
    return found
