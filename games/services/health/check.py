"""What a look at one part of the site finds."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class State(StrEnum):
    """How a part is: a warning keeps nobody from playing."""

    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of the part called `name`: `said` in one sentence; `fix` is what to do, "" if it is well."""

    name: str
    state: State
    said: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A `Check` of which whoever asked knows the name."""

    state: State
    said: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the site: how it is looked at, what to do if that itself fails, and whether it is `stored`."""

    name: str
    look: Callable[[datetime], Found]
    fix: str
    stored: bool = False


def well(said: str) -> Found:
    """Return that all is well."""
    return Found(State.OK, said)


def warning(said: str, fix: str) -> Found:
    """Return that somebody should see to it."""
    return Found(State.WARNING, said, fix)


def broken(said: str, fix: str) -> Found:
    """Return that the site does not work as it should."""
    return Found(State.BROKEN, said, fix)
