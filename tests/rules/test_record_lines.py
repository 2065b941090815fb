"""`manage.py record check` on lines of any kind, and as many as there are."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from games.management.commands.record import LONGEST
from tests.conftest import ROOT
from tests.rules.shell import check, good, good_line, record, verdicts


def test_blank_lines_are_passed_over_and_ends_of_lines_do_not_matter() -> None:
    line = good_line().encode()
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


def test_every_hostile_line_gets_its_own_sentence() -> None:
    """All in one run, each between right records: a fault touches no other line."""
    right = good_line().encode()
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


def damaged(place: tuple[str | int, ...], value: object) -> str:
    copy: Any = good()
    inside = copy
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    return json.dumps(copy)


def test_every_kind_of_value_in_every_place() -> None:
    """No combination of types breaks the checker, and none is taken for the right value."""
    right = good_line()
    lines = [damaged(place, value) for place in PLACES for value in WRONG_VALUES]
    lines = [line for line in lines if line != right]
    found = check(*lines)
    assert len(found) == len(lines) > 300
    # An entry may have a null beside its card, as it may have any key that is not known.
    fine = [damaged(("moves", 3, key), None) for key in ("take", "draw")]
    for line, verdict in zip(lines, found, strict=True):
        assert verdict["ok"] is (line in fine)
        assert verdict["ok"] or (verdict["error"].endswith(".") and len(verdict["error"]) < 160)


def test_true_and_1_0_are_not_1() -> None:
    seat = next(at for at, move in enumerate(good()["moves"]) if move["seat"] == 1)
    places: list[tuple[str | int, ...]] = [
        ("version",),
        ("rules", "packs"),
        ("moves", seat, "seat"),
        ("result", "away", 0),
    ]
    lines = [damaged(place, value) for place in places for value in (True, 1.0)]
    assert [each["ok"] for each in check(*lines)] == [False] * 8


def test_unknown_keys_are_let_be() -> None:
    deep = json.loads("[" * 200 + "]" * 200)
    moves = [move | {"at": "noon", "\ud800": None} for move in good()["moves"]]
    assert check(
        json.dumps(good() | {"moves": moves, "table": deep, "näme": "\u0663", "\ud800": 1e999}).replace(
            "Infinity", "1e999"
        )
    )[0]["ok"]


def test_a_line_longer_than_any_record_is_passed_over() -> None:
    right = good_line().encode()
    longest = right + b" " * (LONGEST - 1 - len(right))
    error = {"ok": False, "at": None, "error": "The line is longer than any record can be."}
    found = check(longest, right, longest + b" ", right, b"[" * (2 * LONGEST), right, b"x" * (3 * LONGEST + 1))
    assert [each["ok"] for each in found] == [True, True, False, True, False, True, False]
    assert found[2] == found[4] == found[6] == error


def test_the_longest_game_is_far_from_the_longest_line() -> None:
    """A thousand tricks of twelve cards and a draw, each entry as long as it gets, with all that goes with them."""
    entry = '{"seat": 11, "play": "TS"}, '
    assert 1000 * 13 * len(entry) < LONGEST // 10


PEAK = """
import sys
from pathlib import Path
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", "record", *sys.argv[1:]])
except SystemExit:
    pass
# Not ru_maxrss: that begins with what the process held that started this one.
status = Path("/proc/self/status").read_text()
print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
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


def short_records(count: int) -> Iterator[bytes]:
    """Records that differ, some of them wrong; short, so that many are checked soon."""
    line = json.dumps(good() | {"moves": good()["moves"][:3], "result": None})
    for n in range(count):
        yield (
            line.replace('"dealer": ', f'"number": {n}, "dealer": ').encode() + b"\n" + (b"{}\n" if n % 7 == 0 else b"")
        )


def test_memory_does_not_grow_with_the_number_of_lines() -> None:
    few, many = peak(short_records(2_000)), peak(short_records(20_000))
    assert many - few < 2_000


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    asked = ["simulate", "--players", "3", "--seed", "1", "--games"]
    assert peak(arguments=[*asked, "300"]) - peak(arguments=[*asked, "30"]) < 2_000


def test_one_endless_line_does_not_fill_the_memory() -> None:
    few, many = (peak(b"[" * 1_000_000 for _ in range(megabytes)) for megabytes in (20, 200))
    assert many - few < 20_000
    assert many < 200_000
