"""How fast tables play, in words."""

import datetime as dt
from typing import Any

import pytest

from games.models import Table
from games.selectors.paces import (
    clock_facts,
    length_words,
    missed_mine,
    missed_words,
    next_words,
    pace_short,
    pace_words,
)

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


def paced(kind: str, start: dt.timedelta = DAY, **changes: Any) -> Table:
    """A table that is not stored, with the same limit for each card or as told."""
    length = {"pace_start": start, "pace_increment": start, "pace_cap": start} if kind != "none" else {}
    return Table(pace=kind, **length | changes)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (dt.timedelta(0), "0 seconds"),
        (-DAY, "0 seconds"),
        (dt.timedelta(microseconds=999_999), "0 seconds"),
        (dt.timedelta(seconds=1), "1 second"),
        (dt.timedelta(seconds=119), "119 seconds"),
        (2 * MINUTE, "2 minutes"),
        (dt.timedelta(seconds=150), "2 minutes 30 seconds"),
        (HOUR, "1 hour"),
        (HOUR + dt.timedelta(seconds=5), "1 hour"),
        (DAY, "24 hours"),
        (2 * DAY, "48 hours"),
        (2 * DAY + MINUTE, "2 days"),
        (2 * DAY + 3 * HOUR + 59 * MINUTE, "2 days 3 hours"),
        (31 * DAY, "31 days"),
    ],
)
def test_lengths(span: dt.timedelta, words: str) -> None:
    assert length_words(span) == words


@pytest.mark.parametrize(
    ("table", "words", "short"),
    [
        (paced("none"), "No hurry: everybody takes the time they need.", "no hurry"),
        (paced("move"), "24 hours for each card.", "24 hours a card"),
        (
            paced("move", rest="45", zone="Asia/Karachi"),
            "24 hours for each card; the clock rests on Friday and Saturday (Asia/Karachi).",
            "24 hours a card",
        ),
        (
            paced("move", 50 * HOUR + MINUTE, rest="065", zone="UTC"),
            "2 days 2 hours 1 minute for each card; the clock rests on Monday, Saturday and Sunday (UTC).",
            "2 days 2 hours 1 minute a card",
        ),
        (paced("live", 90 * MINUTE / 60), "Live, 90 seconds for each card.", "live, 90 seconds a card"),
        (
            paced("bank", 2 * DAY, pace_increment=HOUR, pace_cap=3 * DAY),
            "A bank of 48 hours for each deal, 1 hour more after each card, up to 3 days.",
            "48 hours a deal and 1 hour a card",
        ),
        (
            paced("bank", 12 * HOUR, pace_increment=HOUR, pace_grace=10 * MINUTE, rest="6"),
            (
                "A bank of 12 hours for each deal, 1 hour more after each card, up to 12 hours; "
                "the first 10 minutes of each turn are free; the clock rests on Sunday (UTC)."
            ),
            "12 hours a deal and 1 hour a card",
        ),
    ],
)
def test_paces(table: Table, words: str, short: str) -> None:
    assert (pace_words(table), pace_short(table)) == (words, short)


def test_what_becomes_of_a_missed_turn() -> None:
    assert missed_words(paced("move")) == "If the time passes, a bot plays that turn."
    assert missed_words(paced("move", missed="nudge")).endswith("starts anew.")
    assert missed_words(paced("bank", missed="keep")).endswith("until the person is back.")
    assert missed_words(paced("none")) == ""


@pytest.mark.parametrize(("missed", "again"), [("keep", False), ("bot", True), ("nudge", True)])
def test_whose_turn_it_is_reads_what_becomes_of_theirs(missed: str, again: bool) -> None:
    assert missed_mine(paced("move", missed=missed), again=again).endswith("a bot plays on until you are back.")
    assert missed_mine(paced("move", missed="nudge"), again=False).startswith("If the time passes, you are asked again")
    assert missed_mine(paced("none"), again=again) == ""


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"deals": 1}, ""),
        ({}, "The next deal starts 10 minutes after the last, unless somebody objects."),
        ({"rest_between": DAY}, "The next deal starts 24 hours after the last, unless somebody objects."),
        ({"rest_between": MINUTE}, "The next deal starts 10 minutes after the last, unless somebody objects."),
        ({"next": "once"}, "The next deal starts at once."),
        ({"next": "once", "rest_between": 3 * DAY}, "The next deal starts 3 days after the last."),
        ({"next": "ask", "rest_between": DAY}, "The next deal starts when somebody asks for it."),
    ],
)
def test_how_a_series_goes_on(plan: dict[str, Any], words: str) -> None:
    assert next_words(paced("move", **{"deals": 5} | plan)) == words


def test_what_is_known_beforehand() -> None:
    table = paced("move", deals=5)
    assert dict(clock_facts(table)) == {
        "Pace": "24 hours for each card.",
        "A missed turn": "If the time passes, a bot plays that turn. "
        "After two turns missed in a row a bot plays on until the person is back.",
        "Next deal": "The next deal starts 10 minutes after the last, unless somebody objects.",
        "Days away": "The clock of whoever is away stands still.",
    }
    assert dict(clock_facts(paced("move", vacations=False)))["Days away"].endswith("runs on for whoever is away.")
    assert [name for name, _ in clock_facts(paced("none"))] == ["Pace"]
    assert [name for name, _ in clock_facts(paced("live", MINUTE, missed="keep"))] == ["Pace", "A missed turn"]
