"""Every line of every file beside this one is a test: a whole game, or one that must be refused."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from games.rules.deal import start
from games.rules.engine import apply
from games.rules.errors import SENTENCES, IllegalMove, RecordError
from games.rules.moves import Entry, Take
from games.rules.record import check_line, check_record, parse_record, record_dict, record_of
from games.rules.replay import replay, steps
from tests.random_games import beside, plain, reference_summary, summary
from tests.reference import Refused
from tests.rules.campaign import accepted

HERE = Path(__file__).parent
LINES = {
    f"{path.stem}-{number}": line
    for path in sorted(HERE.glob("*.jsonl"))
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines())
}

# What each `why` of refused.jsonl may be told, and in which words the faults of bad_records.jsonl are named.
REFUSED = {
    "revoke": {"follow_suit", "play_trump"},
    "turn": {"not_your_turn", "follow_suit"},  # the card's owner may have the turn again by then, and a suit to follow
    "absent": {"not_held"},
    "take": {"take_too_late", "taking_off", "away"},
    "draw": {"no_draw_due"},
    "after": {"away"},
    "wrong_draw": {"draw_absent"},
    "take_draw": {"take_draw"},
    "take_drawn": {"take_draw"},
    "foul_drawn": {"not_your_turn"},
    "foul_opening": {"not_your_turn", "already_played"},
    "not_ace": {"lead_ace"},
    "duty": {"play_trump"},
    "end": {"over"},
    "play_draw": {"draw_due"},
}
BAD = {
    "unknown version": ("version", "The version is not 1."),
    "unknown format": ("format", "The format is not getaway-record."),
    "unknown option value": ("bad_value", "The option power cannot be 'fly'."),
    "unknown option": ("unknown_option", "There is no option 'jokers'."),
    "missing option": ("missing_option", "The option taking is missing."),
    "forbidden combination": ("any_order_counts", SENTENCES["any_order_counts"]),
    "donkey in any order": ("donkey_any_order", SENTENCES["donkey_any_order"]),
    "players and hands differ": ("bad_hands", SENTENCES["bad_hands"]),
    "no such dealer": ("no_dealer", "There is no seat 4 to deal."),
    "a card twice": ("not_whole_packs", "The hands hold the four of clubs 2 times; 1 is right."),
    "a card missing": ("not_whole_packs", "The hands hold the queen of spades 0 times; 1 is right."),
    "no such card": ("no_card", "'1X' is no card."),
    "uneven hands": ("uneven_hands", "Seat 0 was dealt 14 cards and must have 13."),
    "two packs too few seats": ("seats", "With packs: 2, 5 to 12 seats may play, not 4."),
}


def chosen(kind: str) -> list[Any]:
    """The lines of one kind: right, refused or bad."""
    found = []
    for name, line in LINES.items():
        record = json.loads(line)
        its_kind = "right" if "refused" not in record else "bad" if record["refused"] is None else "refused"
        if its_kind == kind:
            found.append(pytest.param(record, id=f"{name}-{record.get('why', '')}"))
    return found


def test_the_files_are_all_there() -> None:
    assert len(LINES) == 790
    assert [len(chosen(kind)) for kind in ("right", "refused", "bad")] == [596, 180, 14]


@pytest.mark.parametrize("found", chosen("right"))
def test_a_right_record_gives_its_result(found: dict[str, Any]) -> None:
    record = record_of(found)
    verdict = check_record(record)
    assert verdict.ok, verdict.error
    assert verdict.result is not None
    assert verdict.result.as_dict() == found["result"]
    assert verdict.as_dict() == {"ok": True, "over": True, "result": found["result"]}
    assert check_line(json.dumps(found)) == verdict
    assert record_dict(record, verdict.result) == found | {"hands": record_dict(record, None)["hands"]}


@pytest.mark.parametrize("found", chosen("right"))
def test_every_prefix_is_a_game_that_is_not_over(found: dict[str, Any]) -> None:
    record = record_of(found)
    states = list(steps(start(record.rules, record.dealer, record.hands), record.moves))
    assert [state.entries for state in states] == list(range(len(record.moves) + 1))
    assert [state.result is None for state in states] == [True] * len(record.moves) + [False]
    for last in (0, len(record.moves) // 2):
        cut = found | {"moves": found["moves"][:last], "result": None}
        assert check_line(json.dumps(cut)).as_dict() == {"ok": True, "over": False, "result": None}


@pytest.mark.parametrize("found", chosen("right"))
def test_the_reference_agrees(found: dict[str, Any]) -> None:
    record = record_of(found)
    state = start(record.rules, record.dealer, record.hands)
    other = beside(state)
    for move in record.moves:
        if state.entries % 5 == 0:
            assert accepted(state) == other.accepted()
        other.apply(plain(move))
        state = apply(state, move)
        assert summary(state) == reference_summary(other)


@pytest.mark.parametrize("found", chosen("refused"))
def test_a_wrong_move_is_refused_where_it_stands(found: dict[str, Any]) -> None:
    record, at = record_of(found), found["refused"]
    state = replay(start(record.rules, record.dealer, record.hands), record.moves[:at]).state
    before = pickle.dumps(state)
    with pytest.raises(IllegalMove) as caught:
        apply(state, record.moves[at])
    error = caught.value
    assert pickle.dumps(state) == before
    assert error.code in REFUSED[found["why"]]
    names_the_fault(error, record.moves[at])
    done = replay(start(record.rules, record.dealer, record.hands), record.moves)
    assert (done.ok, done.at, done.state) == (False, at, state)
    assert check_line(json.dumps(found)).as_dict() == {"ok": False, "at": at, "error": str(error)}
    other = beside(start(record.rules, record.dealer, record.hands))
    for move in record.moves[:at]:
        other.apply(plain(move))
    with pytest.raises(Refused):
        other.apply(plain(record.moves[at]))


def names_the_fault(error: IllegalMove, move: Entry) -> None:
    """The sentence is whole, and says the card or the suits that it is about."""
    sentence = str(error)
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert not set("{}<>_") & set(sentence)
    if error.code in ("not_held", "draw_absent"):
        assert not isinstance(move, Take)
        assert move.card.name in sentence
    if error.code in ("follow_suit", "play_trump"):
        wanted = error.params["suit" if error.code == "follow_suit" else "trump"]
        assert sentence.startswith("You hold ")
        assert f"follow {wanted}" in sentence or f"play {wanted}" in sentence


@pytest.mark.parametrize("found", chosen("bad"))
def test_a_bad_record_is_refused_as_a_whole(found: dict[str, Any]) -> None:
    line = json.dumps(found)
    with pytest.raises(RecordError) as caught:
        parse_record(line)
    assert (caught.value.code, str(caught.value)) == BAD[found["why"]]
    assert check_line(line).as_dict() == {"ok": False, "at": None, "error": str(caught.value)}


@pytest.mark.parametrize("found", chosen("right")[::25])
@pytest.mark.parametrize("change", ["loser", "cards_left", "away", "void", "gone", "a float"])
def test_a_wrong_result_is_refused_after_the_moves(found: dict[str, Any], change: str) -> None:
    result: dict[str, Any] | None = dict(found["result"])
    assert result is not None
    match change:
        case "loser":
            result["loser"] = result["away"][0]
        case "cards_left":
            result["cards_left"] = (result["cards_left"] or 0) + 1
        case "away":
            result["away"] = result["away"][::-1]
        case "void":
            result["void"] = not result["void"]
        case "gone":
            result = None
        case _:
            result["loser"] = float(result["loser"])
    verdict = check_line(json.dumps(found | {"result": result}))
    assert verdict.as_dict() == {"ok": False, "at": len(found["moves"]), "error": SENTENCES["bad_result"]}
