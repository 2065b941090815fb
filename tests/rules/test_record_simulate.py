"""`manage.py record simulate`."""

import json
import subprocess

import pytest

from games.bots import LEVELS
from games.rules.record import check_line
from games.rules.ruleset import OPTIONS, Ruleset
from tests.rules.shell import in_process, record, verdicts

ONE_GAME = ["simulate", "--players", "4", "--games", "1", "--seed", "1"]


def simulate(players: int, games: int, seed: object, *more: str) -> subprocess.CompletedProcess[bytes]:
    return record("simulate", "--players", str(players), "--games", str(games), "--seed", str(seed), *more)


@pytest.mark.parametrize("level", LEVELS)
def test_simulated_records_are_finished_right_and_the_same_again(level: str) -> None:
    one, two = simulate(4, 5, 11, "--bot", level), simulate(4, 2, 11, "--bot", level)
    assert (one.returncode, one.stderr) == (0, b"")
    assert len(verdicts(one)) == 5
    lines = one.stdout.splitlines(keepends=True)
    assert two.stdout == b"".join(lines[:2])
    assert [check_line(line).over for line in lines] == [True] * 5
    assert simulate(4, 5, 12, "--bot", level).stdout != one.stdout


def test_the_bots_differ_on_the_same_deals(capsys: pytest.CaptureFixture[str]) -> None:
    games = []
    for bot in [[], *(["--bot", level] for level in LEVELS)]:
        assert in_process(*ONE_GAME, *bot) == 0
        games.append(json.loads(capsys.readouterr().out))
    assert all(game["hands"] == games[0]["hands"] for game in games)
    assert games[0] == games[1]
    assert len({json.dumps(game["moves"]) for game in games}) == len(LEVELS)


@pytest.mark.parametrize(("option", "value"), [(name, value) for name, values in OPTIONS.items() for value in values])
def test_every_value_of_every_option(option: str, value: str | int, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--players", "6", "--games", "2", "--seed", "-3", "--rule", f"{option}={value}"]
    assert in_process("simulate", *arguments) == 0
    out, err = capsys.readouterr()
    assert not err
    assert [json.loads(line)["rules"] for line in out.splitlines()] == [Ruleset().as_dict() | {option: value}] * 2
    assert [check_line(line).over for line in out.splitlines()] == [True] * 2


def test_several_rules() -> None:
    done = simulate(12, 1, 1, "--rule", "packs=2", "--rule=taking=off", "--rule", "direction=anticlockwise")
    (found,) = verdicts(done)
    assert found["players"] == 12
    assert found["rules"] == Ruleset(packs=2, taking="off", direction="anticlockwise").as_dict()
