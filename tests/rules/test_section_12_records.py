"""Section 12 of the rules: records, there and back, and what is refused as a whole."""

import json
from random import Random

import pytest

from games.rules.cards import card
from games.rules.deal import start
from games.rules.errors import RecordError
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.record import check_line, check_record, entry_dict, entry_of, parse_record, record_dict, record_of
from games.rules.replay import replay
from games.rules.state import GameState
from tests.random_games import random_start
from tests.rules.positions import entry
from tests.rules.raw import Raw, raw


def problem(found: object) -> tuple[str, str]:
    line = json.dumps(found)
    with pytest.raises(RecordError) as caught:
        parse_record(line)
    verdict = check_line(line)
    assert (verdict.ok, verdict.at, verdict.error) == (False, None, str(caught.value))
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("seed", range(12))
def test_there_and_back(seed: int) -> None:
    found = raw(seed, random_start(Random(seed)).rules, 6)
    record = record_of(found)
    verdict = check_record(record)
    assert verdict.ok
    assert list(record_dict(record, verdict.result)) == list(found)
    assert record_dict(record, verdict.result) == found
    assert json.loads(json.dumps(record_dict(record, verdict.result))) == found


def test_the_order_within_a_hand_means_nothing() -> None:
    found = raw()
    mixed = found | {"hands": [" ".join(reversed(hand.split())) for hand in found["hands"]]}
    assert record_of(mixed) == record_of(found)


def test_unknown_keys_are_kept() -> None:
    found = raw() | {"why": "a test", "site": {"name": "बैठक", "rounds": [1, 2, None]}}
    record = record_of(found)
    assert record.extra == {"why": "a test", "site": {"name": "बैठक", "rounds": [1, 2, None]}}
    assert record_dict(record, check_record(record).result) == found


def test_unknown_keys_of_an_entry_do_no_harm() -> None:
    found = raw()
    found["moves"] = [each | {"at": "2024-05-01"} for each in found["moves"]]
    assert check_line(json.dumps(found)).ok


@pytest.mark.parametrize("text", ["3 AS", "1 takes 2", "0 draws 7H"])
def test_entries_there_and_back(text: str) -> None:
    assert entry_of(entry_dict(entry(text))) == entry(text)


def test_entries_are_as_section_12_writes_them() -> None:
    written = [{"seat": 3, "play": "AS"}, {"seat": 1, "take": 2}, {"seat": 0, "draw": "7H"}]
    wanted: list[Entry] = [Play(3, card("AS")), Take(1, 2), Draw(0, card("7H"))]
    assert [entry_of(each) for each in written] == wanted


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "getaway"}, "format"),
        ({"format": None}, "format"),
        ({"version": 2}, "version"),
        ({"version": 1.0}, "version"),
        ({"version": "1"}, "version"),
        ({"version": True}, "version"),
        ({"rules": []}, "rules_no_object"),
        ({"rules": {}}, "missing_option"),
        ({"players": 5}, "bad_hands"),
        ({"players": "4"}, "bad_players"),
        ({"players": True}, "bad_players"),
        ({"players": -1}, "bad_hands"),
        ({"players": 10**30}, "bad_hands"),
        ({"dealer": -1}, "no_dealer"),
        ({"dealer": 4}, "no_dealer"),
        ({"dealer": 10**300}, "no_dealer"),
        ({"dealer": None}, "bad_dealer"),
        ({"dealer": 1.5}, "bad_dealer"),
        ({"hands": None}, "bad_hands"),
        ({"hands": "AS KD"}, "bad_hands"),
        ({"hands": [1, 2, 3, 4]}, "bad_hands"),
        ({"hands": ["", "", "", ""]}, "not_whole_packs"),
        ({"hands": ["AS as", "", "", ""]}, "no_card"),
        ({"hands": ["10H", "", "", ""]}, "no_card"),
        ({"hands": ["\ud800", "", "", ""]}, "no_card"),
        ({"moves": None}, "bad_moves"),
        ({"moves": {}}, "bad_moves"),
        ({"moves": "AS"}, "bad_moves"),
    ],
)
def test_records_refused_as_a_whole(change: Raw, code: str) -> None:
    found, sentence = problem(raw() | change)
    assert found == code
    assert len(sentence) < 120


@pytest.mark.parametrize("key", ["format", "version", "rules", "players", "dealer", "hands", "moves"])
def test_a_missing_key_is_refused(key: str) -> None:
    found = raw()
    del found[key]
    problem(found)


def test_a_missing_result_is_that_of_an_unfinished_game() -> None:
    found = raw()
    del found["result"]
    assert check_line(json.dumps(found)).at == len(found["moves"])
    found["moves"] = found["moves"][:-1]
    assert check_line(json.dumps(found)).as_dict() == {"ok": True, "over": False, "result": None}


@pytest.mark.parametrize(
    "bad",
    [
        None,
        [],
        "AS",
        {},
        {"seat": 0},
        {"play": "AS"},
        {"seat": "0", "play": "AS"},
        {"seat": True, "play": "AS"},
        {"seat": 0.0, "play": "AS"},
        {"seat": 0, "play": "1S"},
        {"seat": 0, "play": "as"},
        {"seat": 0, "play": 5},
        {"seat": 0, "play": ["AS"]},
        {"seat": 0, "take": "1"},
        {"seat": 0, "take": True},
        {"seat": 0, "take": 1.0},
        {"seat": 0, "draw": None},
        {"seat": 0, "draw": "XX"},
        {"seat": 0, "pass": 1},
        {"seat": 0, "play": "AS", "take": 1},
        {"seat": 0, "play": "AS", "draw": "AS"},
    ],
)
def test_an_entry_that_is_no_play_take_or_draw(bad: object) -> None:
    found = raw()
    found["moves"][3] = bad
    assert problem(found) == ("bad_entry", "Entry 3 is no play, take or draw.")


@pytest.mark.parametrize("seat", [-1, 4, 10**30])
def test_a_seat_that_is_not_there_is_refused_at_its_place(seat: int) -> None:
    found = raw()
    found["moves"][3]["seat"] = seat
    verdict = check_line(json.dumps(found))
    assert verdict.as_dict() == {"ok": False, "at": 3, "error": "There is no such seat at this table."}


def test_an_entry_after_the_end_is_refused_at_its_place() -> None:
    found = raw()
    end = len(found["moves"])
    found["moves"].append(found["moves"][-1])
    verdict = check_line(json.dumps(found))
    assert (verdict.at, verdict.error) == (end, "The game is over: start a new one.")


def test_a_game_that_an_administrator_voided() -> None:
    found = raw()
    moves = len(found["moves"]) // 2
    cut = found | {"moves": found["moves"][:moves]}
    away = list(replay_of(cut).away)
    void = {"away": away, "loser": None, "void": True, "cards_left": None}
    verdict = check_line(json.dumps(cut | {"result": void}))
    assert verdict.as_dict() == {"ok": True, "over": True, "result": void}
    for wrong in ({"away": [*away, 3, 2]}, {"loser": 1}, {"cards_left": 0}, {"void": False}, {"void": 1}, {"extra": 1}):
        verdict = check_line(json.dumps(cut | {"result": void | wrong}))
        assert (verdict.ok, verdict.at) == (False, moves)
    # A game that somebody lost was not voided.
    lost = void | {"away": found["result"]["away"]}
    assert check_line(json.dumps(found | {"result": lost})).at == len(found["moves"])


def replay_of(found: Raw) -> GameState:
    record = record_of(found)
    return replay(start(record.rules, record.dealer, record.hands), record.moves).state
