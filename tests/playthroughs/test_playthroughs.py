"""The games are as they were written down, to a byte; a wanted change is written by `make playthroughs`."""

from pathlib import Path

import pytest

from games.rules.ruleset import OPTIONS
from tests.playthroughs.cases import CASES
from tests.playthroughs.features import shows
from tests.playthroughs.play import Case, played
from tests.playthroughs.text import text

HERE = Path(__file__).parent


def test_there_is_one_for_each_option_value_and_each_number_of_seats() -> None:
    wanted = {f"{option}-{value}" for option, values in OPTIONS.items() for value in values}
    wanted |= {f"seats-{seats:02}" for seats in range(3, 13)}
    assert {case.name for case in CASES} == wanted
    assert {path.stem for path in HERE.glob("*.txt")} == wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_playthrough(case: Case) -> None:
    assert (HERE / f"{case.name}.txt").read_text(encoding="utf-8") == text(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_shows_what_it_is_for(case: Case) -> None:
    game = list(played(case))
    first = game[0].state
    assert shows(case, game)
    assert not case.option or getattr(first.rules, case.option) == case.value
    assert case.seats in (0, first.players)
