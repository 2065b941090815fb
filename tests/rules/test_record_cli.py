"""`manage.py record` from the command line: files, pipes, arguments, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.rules.ruleset import OPTIONS
from tests.conftest import ROOT
from tests.rules.shell import RECORDS, RIGHT, check, good, good_line, in_process, record, verdicts

GAMES = ["simulate", "--players", "4", "--games", "1", "--seed", "1"]


def test_every_right_record_is_ok_with_the_result_it_states() -> None:
    done = record("check", *RIGHT)
    stated = [json.loads(line)["result"] for path in RIGHT for line in path.read_text().splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert verdicts(done) == [{"ok": True, "over": result is not None, "result": result} for result in stated]


@pytest.mark.parametrize("name", ["refused.jsonl", "bad_records.jsonl"])
def test_wrong_records_are_refused_at_their_place(name: str) -> None:
    done = record("check", RECORDS / name)
    found = verdicts(done)
    stated = [json.loads(line)["refused"] for line in (RECORDS / name).read_text().splitlines()]
    assert (done.returncode, done.stderr) == (1, b"")
    assert [each["at"] for each in found] == stated
    for each in found:
        assert list(each) == ["ok", "at", "error"]
        assert each["ok"] is False
        assert each["error"].endswith(".")


def test_files_and_standard_input_in_the_order_given(tmp_path: Path) -> None:
    first, last = tmp_path / "one.jsonl", tmp_path / "two words.jsonl"
    first.write_text(json.dumps(good() | {"result": None}))
    last.write_text("7")
    done = record("check", first, "-", last, text=good_line().encode())
    moves = len(good()["moves"])
    assert done.returncode == 1
    assert verdicts(done) == [
        {"ok": False, "at": moves, "error": "The stated result is not what the moves give."},
        {"ok": True, "over": True, "result": good()["result"]},
        {"ok": False, "at": None, "error": "The record is not a JSON object."},
    ]


def test_an_unfinished_record() -> None:
    assert check(json.dumps(good() | {"moves": good()["moves"][:9], "result": None})) == [
        {"ok": True, "over": False, "result": None}
    ]


def test_an_empty_file_has_nothing_wrong() -> None:
    assert check() == []


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    there = tmp_path / "there.jsonl"
    there.write_text(good_line())
    done = record("check", tmp_path / "missing.jsonl", there, tmp_path, there)
    assert done.returncode == 2
    assert [each["ok"] for each in verdicts(done)] == [True, True]
    assert done.stderr.decode().splitlines() == [
        f"{tmp_path / 'missing.jsonl'} cannot be read: No such file or directory.",
        f"{tmp_path} cannot be read: Is a directory.",
    ]


@pytest.mark.parametrize(
    "command", [["simulate", "--players", "4", "--games", "9999999", "--seed", "1"], ["check", "-"]]
)
def test_a_reader_that_has_enough_is_no_fault_worth_a_word(command: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "record", *command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin
        assert running.stdout
        assert running.stderr
        if command[0] == "check":
            running.stdin.write(good_line().encode() + b"\n")
            running.stdin.flush()
        # The first line is there at once, not when a buffer is full.
        assert json.loads(running.stdout.readline())
        running.stdout.close()
        if command[0] == "check":
            running.stdin.write(good_line().encode() + b"\n")
        running.stdin.close()
        assert running.wait(60) == 1
        assert running.stderr.read() == b""


def test_an_output_that_takes_nothing() -> None:
    with Path(os.devnull).open("rb") as not_for_writing:
        done = subprocess.run(
            [sys.executable, "manage.py", "record", "check", RIGHT[0]],
            cwd=ROOT,
            stdout=not_for_writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"The output cannot be written: Bad file descriptor.\n")


REFUSED = {
    "nothing": ([], "the following arguments are required: check|simulate"),
    "no file": (["check"], "the following arguments are required: FILE"),
    "no players": (["simulate", "--games", "1", "--seed", "1"], "the following arguments are required: --players"),
    "an option that is not there": ([*GAMES, "--colour", "red"], "unrecognized arguments: --colour red"),
    "no number of games": (
        ["simulate", "--players", "4", "--seed", "1", "--games"],
        "argument --games: expected one argument",
    ),
    "games 0": ([*GAMES, "--games", "0"], "--games must be 1 or more, not 0."),
    "games negative": ([*GAMES, "--games", "-3"], "--games must be 1 or more, not -3."),
    "games a fraction": ([*GAMES, "--games", "1.5"], "--games must be a whole number, not '1.5'."),
    "seed a word": ([*GAMES, "--seed", "luck"], "--seed must be a whole number, not 'luck'."),
    "seed endless": ([*GAMES, "--seed", "9" * 5000], "--seed must be a whole number, not '999999999...9999999999'."),
    "players a word": ([*GAMES, "--players", "four"], "--players must be a whole number, not 'four'."),
    "players 2": ([*GAMES, "--players", "2"], "With packs: 1, 3 to 8 seats may play, not 2."),
    "players 9": ([*GAMES, "--players", "9"], "With packs: 1, 3 to 8 seats may play, not 9. Add --rule packs=2."),
    "players 13": ([*GAMES, "--players", "13"], "With packs: 1, 3 to 8 seats may play, not 13."),
    "two packs, 4 players": (
        [*GAMES, "--rule", "packs=2"],
        "With packs: 2, 5 to 12 seats may play, not 4. Add --rule packs=1.",
    ),
    "bot": ([*GAMES, "--bot", "hard"], "--bot must be one of random, easy, medium, not 'hard'."),
    "option": (
        [*GAMES, "--rule", "colour=red"],
        f"There is no option 'colour'; the options are {', '.join(OPTIONS)}.",
    ),
    "value": (
        [*GAMES, "--rule", "taking=never"],
        "The option taking must be one of anyone, leader, off, not 'never'.",
    ),
    "no value": ([*GAMES, "--rule", "packs"], "The option packs must be one of 1, 2, not ''."),
    "forbidden together": (
        [*GAMES, "--rule", "game=donkey", "--rule", "opening=any_order"],
        "In Donkey the opening must be played in turn.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_argument_is_one_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, sentence = REFUSED[name]
    assert in_process(*arguments) == 2
    assert capsys.readouterr() == ("", sentence + "\n")


def test_a_wrong_argument_from_the_shell() -> None:
    arguments, sentence = REFUSED["players 9"]
    done = record(*arguments)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", sentence + "\n")


def test_help_is_to_be_had() -> None:
    for arguments in ([], ["check"], ["simulate"]):
        done = record(*arguments, "--help")
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"usage: manage.py record" in done.stdout


def test_nothing_is_needed_but_the_code(tmp_path: Path) -> None:
    """No database answers, the data folder cannot be made, and nothing is left behind."""
    (tmp_path / "file").touch()
    done = record(*GAMES, GETAWAY_DATA=str(tmp_path / "file" / "data"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(verdicts(done)) == 1
    done = record(*GAMES, GETAWAY_DATA=str(tmp_path / "data"), DATABASE_URL="")
    assert done.returncode == 0
    assert not list(tmp_path.rglob("*.sqlite3*"))
