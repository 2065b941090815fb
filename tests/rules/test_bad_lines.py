"""Section 12 of the rules, the hard way: lines that are no records at all are refused with a sentence."""

import json
from collections.abc import Callable

import pytest

from games.rules.errors import RecordError
from games.rules.record import check_line, parse_record
from tests.rules.raw import Raw, raw


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "{",
        "nul",
        "{'format': 1}",
        '{"format": "getaway-record"',
        "NaN",
        '{"format": "getaway-record", "weight": -Infinity}',
        "\x00",
        "\ufeff{}",
    ],
)
def test_lines_that_are_not_json(line: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(line)
    assert str(caught.value) == "The line is not JSON."
    assert check_line(line).as_dict() == {"ok": False, "at": None, "error": "The line is not JSON."}


@pytest.mark.parametrize("line", ["[" * 100_000, '{"a":' * 100_000, "9" * 5_000, '{"a": -' + "9" * 5_000 + "}"])
def test_json_that_goes_beyond_the_limits(line: str) -> None:
    error = "The line nests too deep, or holds a number with too many digits."
    assert check_line(line).as_dict() == {"ok": False, "at": None, "error": error}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"format": "getaway-record", "format": "getaway-record"}', "'format'"),
        ('{"moves": [{"seat": 0, "seat": 1, "play": "AS"}]}', "'seat'"),
        ('{"\\ud800": 0, "\\ud800": 0}', "'\\ud800'"),
    ],
)
def test_a_key_that_stands_twice(line: str, key: str) -> None:
    error = f"The key {key} stands twice in one object."
    assert check_line(line).as_dict() == {"ok": False, "at": None, "error": error}


def test_bytes_are_utf_8() -> None:
    assert check_line(b"\xff\xfe{}").error == "The line is not UTF-8 text."
    assert check_line(json.dumps(raw()).encode()) == check_line(json.dumps(raw()))


def test_a_deep_value_is_quoted_in_a_short_sentence() -> None:
    deep = "[" * 900 + "]" * 900
    line = json.dumps(raw()).replace('"interrupts"', deep)
    assert check_line(line).error == "The option tochoo cannot be [[[...]]]."


@pytest.mark.parametrize("line", ["null", "[]", "1", '"getaway-record"', "true"])
def test_json_that_is_no_object(line: str) -> None:
    assert check_line(line).error == "The record is not a JSON object."


def test_garbage_in_any_place_is_refused_with_a_sentence() -> None:
    """Whatever stands where: a verdict, never an exception."""
    deep: object = []
    for _ in range(400):
        deep = [deep]
    garbage = [
        None,
        True,
        -1,
        99,
        3.5,
        10**40,
        "",
        "x" * 5_000,
        [],
        [[]],
        {},
        {"a": deep},
        deep,
        "\ud800",
        float("inf"),
    ]
    places: list[Callable[[Raw, object], None]] = [
        lambda found, value: found.update(format=value),
        lambda found, value: found.update(version=value),
        lambda found, value: found.update(rules=value),
        lambda found, value: found.update(players=value),
        lambda found, value: found.update(dealer=value),
        lambda found, value: found.update(hands=value),
        lambda found, value: found.update(moves=value),
        lambda found, value: found.update(result=value),
        lambda found, value: found["rules"].update(power=value),
        lambda found, value: found["rules"].update(packs=value),
        lambda found, value: found["hands"].__setitem__(0, value),
        lambda found, value: found["moves"].__setitem__(0, value),
        lambda found, value: found["moves"][0].update(seat=value),
        lambda found, value: found["moves"][0].update(play=value),
        lambda found, value: found["result"].update(loser=value),
        lambda found, value: found["result"].update(away=value),
    ]
    for put in places:
        for value in garbage:
            found = raw()
            put(found, value)
            verdict = check_line(json.dumps(found)).as_dict()
            assert verdict["ok"] is False, value
            assert isinstance(verdict["error"], str)
            assert 10 < len(verdict["error"]) < 200
