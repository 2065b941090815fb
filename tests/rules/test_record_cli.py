"""`manage.py record` as the shell runs it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from games.bots import LEVELS
from games.rules.ruleset import OPTIONS, Ruleset
from tests.conftest import ROOT

RECORDS = ROOT / "tests" / "records"
RIGHT = sorted(path for path in RECORDS.glob("*.jsonl") if path.stem not in {"refused", "bad_records"})
LONGEST = 4 * 1024 * 1024


def record(*arguments: str | Path, text: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command on the embedded default, as a person would, with a database that is not there."""
    return subprocess.run(
        [sys.executable, "manage.py", "record", *map(str, arguments)],
        cwd=ROOT,
        input=text,
        capture_output=True,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "bhabhi_site.settings.embedded",
            "DATABASE_URL": "postgres://nobody@127.0.0.1:9/no",
        }
        | environment,
        timeout=120,
        check=False,
    )


def verdicts(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    """The lines of standard output, each of them a whole JSON object and nothing else."""
    text = done.stdout.decode("ascii")
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def check(*lines: bytes | str) -> list[dict[str, Any]]:
    """Check lines from standard input; nothing may be said on standard error."""
    done = record("check", "-", text=b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    assert done.stderr == b""
    found = verdicts(done)
    assert done.returncode == (0 if all(each["ok"] for each in found) else 1)
    return found


def simulate(players: int, games: int, seed: object, *more: str) -> subprocess.CompletedProcess[bytes]:
    return record("simulate", "--players", str(players), "--games", str(games), "--seed", str(seed), *more)


@pytest.fixture(scope="module")
def good() -> dict[str, Any]:
    with RIGHT[0].open() as file:
        found: dict[str, Any] = json.loads(file.readline())
    return found


# Right and wrong records


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


def test_files_and_standard_input_in_the_order_given(good: dict[str, Any], tmp_path: Path) -> None:
    first, last = tmp_path / "one.jsonl", tmp_path / "two words.jsonl"
    first.write_text(json.dumps(good | {"result": None}))
    last.write_text("7")
    done = record("check", first, "-", last, text=json.dumps(good).encode())
    moves = len(good["moves"])
    assert done.returncode == 1
    assert verdicts(done) == [
        {"ok": False, "at": moves, "error": "The stated result is not what the moves give."},
        {"ok": True, "over": True, "result": good["result"]},
        {"ok": False, "at": None, "error": "The record is not a JSON object."},
    ]


def test_an_unfinished_record(good: dict[str, Any]) -> None:
    assert check(json.dumps(good | {"moves": good["moves"][:9], "result": None})) == [
        {"ok": True, "over": False, "result": None}
    ]


def test_an_empty_file_has_nothing_wrong() -> None:
    assert check() == []


# Lines of any kind


def test_blank_lines_are_passed_over_and_ends_of_lines_do_not_matter(good: dict[str, Any]) -> None:
    line = json.dumps(good).encode()
    done = record("check", "-", text=b"\xef\xbb\xbf" + line + b"\r\n\r\n \t\n\n" + line + b"\r\n" + line)
    assert [each["ok"] for each in verdicts(done)] == [True] * 3
    assert done.returncode == 0


HOSTILE = {
    "no JSON": (b"hello", "The line is not JSON."),
    "half a record": (b'{"format": "getaway-record", "ver', "The line is not JSON."),
    "two records in a line": (b"{} {}", "The line is not JSON."),
    "NUL bytes": (b'{"format": "getaway\x00"}', "The line is not JSON."),
    "a NUL byte": (b"\x00", "The line is not JSON."),
    "NaN": (b'{"a": NaN}', "The line is not JSON."),
    "infinity": (b'{"a": [-Infinity]}', "The line is not JSON."),
    "a mark inside": ("\ufeff{}".encode(), "The line is not JSON."),
    "invalid UTF-8": (b'{"format": "\xff\xfe"}', "The line is not UTF-8 text."),
    "a surrogate in UTF-8": (b'"\xed\xa0\x80"', "The line is not UTF-8 text."),
    "UTF-16": ("{}".encode("utf-16-be") + b"\xd8\x00", "The line is not UTF-8 text."),
    "nested lists": (
        b"[" * 200_000 + b"]" * 200_000,
        "The line nests too deep, or holds a number with too many digits.",
    ),
    "nested objects": (b'{"a":' * 200_000, "The line nests too deep, or holds a number with too many digits."),
    "digits": (
        b'{"version": ' + b"9" * 9_000 + b"}",
        "The line nests too deep, or holds a number with too many digits.",
    ),
    "a float of many digits": (b'{"version": 1.' + b"0" * 9_000 + b"}", "The format is not getaway-record."),
    "keys twice": (b'{"version": 1, "version": 2}', "The key 'version' stands twice in one object."),
    "a lone surrogate": (rb'{"format": "\ud800"}', "The format is not getaway-record."),
    "a lone surrogate twice": (rb'{"\ud800": 1, "\ud800": 1}', r"The key '\ud800' stands twice in one object."),
    "a text": (b'"getaway-record"', "The record is not a JSON object."),
    "a list": (b"[]", "The record is not a JSON object."),
}


def test_every_hostile_line_gets_its_own_sentence(good: dict[str, Any]) -> None:
    """All in one run, each between good records: a fault touches no other line."""
    right = json.dumps(good).encode()
    found = check(right, *(each for line, _ in HOSTILE.values() for each in (line, right)))
    assert all(each["ok"] for each in found[::2])
    faults = [{"ok": False, "at": None, "error": error} for _, error in HOSTILE.values()]
    assert found[1::2] == faults


WRONG_VALUES: list[Any] = [
    None,
    True,
    1,
    -1,
    1.0,
    1e308,
    10**4000,
    "",
    "AS",
    "\ud800",
    "x" * 1000,
    [],
    [[]],
    {},
    {"a": 1},
]
PLACES: list[tuple[str | int, ...]] = [
    *((key,) for key in ("format", "version", "rules", "players", "dealer", "hands", "moves", "result")),
    *(("rules", option) for option in ("game", "packs", "taking")),
    ("hands", 0),
    ("moves", 0),
    ("moves", 3),
    ("moves", 0, "seat"),
    ("moves", 0, "play"),
    ("moves", 3, "take"),
    ("moves", 3, "draw"),
    ("result", "away"),
    ("result", "void"),
    ("result", "loser"),
    ("result", "cards_left"),
]


def damaged(good: dict[str, Any], place: tuple[str | int, ...], value: object) -> str:
    copy = json.loads(json.dumps(good))
    inside = copy
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    return json.dumps(copy)


def test_every_kind_of_value_in_every_place(good: dict[str, Any]) -> None:
    """No combination of types breaks the checker, and none is taken for the right value."""
    right = json.dumps(good)
    lines = [damaged(good, place, value) for place in PLACES for value in WRONG_VALUES]
    lines = [line for line in lines if line != right]
    found = check(*lines)
    assert len(found) == len(lines) > 300
    # An entry may have a null beside its card, as it may have any key that is not known.
    fine = [damaged(good, ("moves", 3, key), None) for key in ("take", "draw")]
    for line, verdict in zip(lines, found, strict=True):
        assert verdict["ok"] is (line in fine)
        assert verdict["ok"] or (verdict["error"].endswith(".") and len(verdict["error"]) < 160)


def test_true_and_1_0_are_not_1(good: dict[str, Any]) -> None:
    seat = next(at for at, move in enumerate(good["moves"]) if move["seat"] == 1)
    for place in (("version",), ("rules", "packs"), ("moves", seat, "seat"), ("result", "away", 0)):
        for value in (True, 1.0):
            assert not check(damaged(good, place, value))[0]["ok"]


def test_unknown_keys_are_let_be(good: dict[str, Any]) -> None:
    deep = json.loads("[" * 200 + "]" * 200)
    moves = [move | {"at": "noon", "\ud800": None} for move in good["moves"]]
    assert check(
        json.dumps(good | {"moves": moves, "table": deep, "näme": "\u0663", "\ud800": 1e999}).replace(
            "Infinity", "1e999"
        )
    )[0]["ok"]


def test_a_line_longer_than_any_record_is_passed_over(good: dict[str, Any]) -> None:
    right = json.dumps(good).encode()
    longest = right + b" " * (LONGEST - 1 - len(right))
    error = {"ok": False, "at": None, "error": "The line is longer than any record can be."}
    assert [each["ok"] for each in check(longest, right)] == [True, True]
    assert check(longest + b" ", right)[0] == error
    assert check(right, b"[" * (2 * LONGEST), right)[1] == error
    assert check(right, b"x" * (3 * LONGEST + 1))[1] == error


def test_the_longest_game_is_far_from_the_longest_line() -> None:
    """A thousand tricks of twelve cards and a draw, each entry as long as it gets, with all that goes with them."""
    entry = '{"seat": 11, "play": "TS"}, '
    assert 1000 * 13 * len(entry) < LONGEST // 10


# Files and pipes


def test_a_file_that_cannot_be_read_does_not_stop_the_others(good: dict[str, Any], tmp_path: Path) -> None:
    there = tmp_path / "there.jsonl"
    there.write_text(json.dumps(good))
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
def test_a_reader_that_has_enough_is_no_fault_worth_a_word(command: list[str], good: dict[str, Any]) -> None:
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
            running.stdin.write(json.dumps(good).encode() + b"\n")
            running.stdin.flush()
        # The first line is there at once, not when a buffer is full.
        assert json.loads(running.stdout.readline())
        running.stdout.close()
        if command[0] == "check":
            running.stdin.write(json.dumps(good).encode() + b"\n")
        running.stdin.close()
        assert running.wait(60) == 1
        assert running.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "manage.py", "record", "check", RIGHT[0]],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"The output cannot be written: No space left on device.\n")


# Memory

PEAK = """
import resource, sys
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", "record", *sys.argv[1:]])
except SystemExit:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def peak(lines: Iterable[bytes] = (), arguments: Iterable[str] = ("check", "-")) -> int:
    """The most memory in KB that the command held while it took these lines."""
    with subprocess.Popen(
        [sys.executable, "-c", PEAK, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "bhabhi_site.settings.embedded"},
    ) as running:
        assert running.stdin
        assert running.stderr
        for line in lines:
            running.stdin.write(line)
        running.stdin.close()
        return int(running.stderr.read())


def short_records(good: dict[str, Any], count: int) -> Iterator[bytes]:
    """Records that differ, some of them wrong; short, so that many are checked soon."""
    line = json.dumps(good | {"moves": good["moves"][:3], "result": None})
    for n in range(count):
        yield (
            line.replace('"dealer": ', f'"number": {n}, "dealer": ').encode() + b"\n" + (b"{}\n" if n % 7 == 0 else b"")
        )


def test_memory_does_not_grow_with_the_number_of_lines(good: dict[str, Any]) -> None:
    few, many = peak(short_records(good, 2_000)), peak(short_records(good, 20_000))
    assert many - few < 2_000


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    asked = ["simulate", "--players", "3", "--seed", "1", "--games"]
    assert peak(arguments=[*asked, "300"]) - peak(arguments=[*asked, "30"]) < 2_000


def test_one_endless_line_does_not_fill_the_memory() -> None:
    few, many = (peak(b"[" * 1_000_000 for _ in range(megabytes)) for megabytes in (20, 200))
    assert many - few < 2_000
    assert many < 200_000


# Simulating


@pytest.mark.parametrize("level", LEVELS)
def test_simulated_records_are_finished_right_and_the_same_again(level: str) -> None:
    one, two = (simulate(4, 5, 11, "--bot", level) for _ in range(2))
    assert (one.returncode, one.stderr) == (0, b"")
    assert one.stdout == two.stdout
    assert len(verdicts(one)) == 5
    assert [each["over"] for each in check(one.stdout)] == [True] * 5
    assert simulate(4, 2, 11, "--bot", level).stdout == b"".join(one.stdout.splitlines(keepends=True)[:2])
    assert simulate(4, 5, 12, "--bot", level).stdout != one.stdout


def test_the_bots_differ_on_the_same_deals() -> None:
    found = [verdicts(simulate(4, 3, 5, "--bot", level)) for level in LEVELS]
    assert (
        [each["hands"] for each in found[0]]
        == [each["hands"] for each in found[1]]
        == [each["hands"] for each in found[2]]
    )
    assert found[0] != found[1] != found[2]
    assert verdicts(simulate(4, 3, 5)) == found[0]


@pytest.mark.parametrize(("option", "value"), [(name, value) for name, values in OPTIONS.items() for value in values])
def test_every_value_of_every_option(option: str, value: str | int) -> None:
    done = simulate(6, 2, -3, "--rule", f"{option}={value}")
    found = verdicts(done)
    assert done.stderr == b""
    assert [each["rules"] for each in found] == [Ruleset().as_dict() | {option: value}] * 2
    assert all(each["ok"] for each in check(done.stdout))


def test_several_rules() -> None:
    done = simulate(12, 1, 1, "--rule", "packs=2", "--rule=taking=off", "--rule", "direction=anticlockwise")
    (found,) = verdicts(done)
    assert found["players"] == 12
    assert found["rules"] == Ruleset(packs=2, taking="off", direction="anticlockwise").as_dict()


GAMES = ["simulate", "--players", "4", "--games", "1", "--seed", "1"]
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
def test_a_wrong_argument_is_one_sentence(name: str) -> None:
    arguments, sentence = REFUSED[name]
    done = record(*arguments)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", sentence + "\n")


def test_help_is_to_be_had() -> None:
    for arguments in ([], ["check"], ["simulate"]):
        done = record(*arguments, "--help")
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"usage: manage.py record" in done.stdout


# Without a database


def test_nothing_is_needed_but_the_code(tmp_path: Path) -> None:
    """No database answers, the data folder cannot be made, and nothing is left behind."""
    (tmp_path / "file").touch()
    done = record(*GAMES, GETAWAY_DATA=str(tmp_path / "file" / "data"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(verdicts(done)) == 1
    done = record(*GAMES, GETAWAY_DATA=str(tmp_path / "data"), DATABASE_URL="")
    assert done.returncode == 0
    assert not list(tmp_path.rglob("*.sqlite3*"))
