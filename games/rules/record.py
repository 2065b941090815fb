"""Records: one game as one JSON object (rules.md 12)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeGuard, assert_never

from games.rules.cards import Hand, card, hand_of, hand_text
from games.rules.deal import check_deal, start
from games.rules.errors import RecordError, RulesError, quoted
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.outcome import Result
from games.rules.replay import replay
from games.rules.ruleset import Ruleset, ruleset_of

FORMAT: Final = "getaway-record"
VERSION: Final = 1
_OWN_KEYS: Final = frozenset({"format", "version", "rules", "players", "dealer", "hands", "moves", "result"})


@dataclass(frozen=True)
class Record:
    """A record whose deal is right; its moves are still unproved.

    `result` is as stated (None: the game is not over), `extra` the unknown keys, kept.
    """

    rules: Ruleset
    dealer: int
    hands: tuple[Hand, ...]
    moves: tuple[Entry, ...]
    result: object = None
    extra: Mapping[str, object] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Record of {len(self.hands)} seats and {len(self.moves)} entries>"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What checking a record found; `at` and `error` are as rules.md 12 and the CLI say."""

    ok: bool
    over: bool = False
    result: Result | None = None
    at: int | None = None
    error: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return the verdict as the command line prints it."""
        if not self.ok:
            return {"ok": False, "at": self.at, "error": self.error}
        result = None if self.result is None else self.result.as_dict()
        return {"ok": True, "over": self.over, "result": result}


def parse_record(text: str) -> Record:
    """Read one line.

    Raises:
        RecordError: if the record must be refused as a whole.
    """
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise RecordError("no_json") from error
    except (ValueError, RecursionError) as error:
        raise RecordError("json_limits") from error
    return record_of(found)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise RecordError("key_twice", key=quoted(key))
        found[key] = value
    return found


def _constant(_: str) -> object:
    """Refuse NaN and the infinities: Python writes and reads them, but they are not JSON."""
    raise RecordError("no_json")


def record_of(found: object) -> Record:
    """Read a record from a decoded JSON value.

    Raises:
        RecordError: if the record must be refused as a whole.
    """
    if not isinstance(found, dict):
        raise RecordError("no_object")
    if found.get("format") != FORMAT:
        raise RecordError("format")
    version = found.get("version")
    if not _whole(version) or version != VERSION:
        raise RecordError("version")
    rules = ruleset_of(found.get("rules"))
    players, dealer = found.get("players"), found.get("dealer")
    if not _whole(players):
        raise RecordError("bad_players")
    if not _whole(dealer):
        raise RecordError("bad_dealer")
    hands = _hands(found.get("hands"), players)
    check_deal(rules, dealer, hands)
    extra = {key: value for key, value in found.items() if key not in _OWN_KEYS}
    return Record(rules, dealer, hands, _moves(found.get("moves")), found.get("result"), extra)


def _whole(value: object) -> TypeGuard[int]:
    return type(value) is int


def _hands(found: object, players: int) -> tuple[Hand, ...]:
    if not isinstance(found, list) or len(found) != players:
        raise RecordError("bad_hands")
    if not all(isinstance(each, str) for each in found):
        raise RecordError("bad_hands")
    return tuple(_hand(each) for each in found)


def _hand(text: str) -> Hand:
    for code in text.split():
        try:
            card(code)
        except ValueError as error:
            raise RecordError("no_card", code=quoted(code)) from error
    return hand_of(text)


def _moves(found: object) -> tuple[Entry, ...]:
    if not isinstance(found, list):
        raise RecordError("bad_moves")
    return tuple(_entry(at, each) for at, each in enumerate(found))


def _entry(at: int, found: object) -> Entry:
    try:
        return entry_of(found)
    except ValueError as error:
        raise RecordError("bad_entry", at=at) from error


def entry_of(found: object) -> Entry:
    """Read one entry; unknown keys beside it are let be.

    Raises:
        ValueError: if it is no play, take or draw.
    """
    if not isinstance(found, dict) or not _whole(found.get("seat")):
        raise ValueError("no entry")
    seat: int = found["seat"]
    match [found.get(kind) for kind in ("play", "take", "draw")]:
        case [str(code), None, None]:
            return Play(seat, card(code))
        case [None, victim, None] if type(victim) is int:
            return Take(seat, victim)
        case [None, None, str(code)]:
            return Draw(seat, card(code))
        case _:
            raise ValueError("no entry")


def entry_dict(entry: Entry) -> dict[str, str | int]:
    """Return an entry as a record holds it."""
    match entry:
        case Play(seat, played):
            return {"seat": seat, "play": played.code}
        case Take(seat, victim):
            return {"seat": seat, "take": victim}
        case Draw(seat, drawn):
            return {"seat": seat, "draw": drawn.code}
        case _:
            assert_never(entry)


def record_dict(record: Record, result: Result | None) -> dict[str, object]:
    """Return a record with its right result, ready for JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": record.rules.as_dict(),
        "players": len(record.hands),
        "dealer": record.dealer,
        "hands": [hand_text(hand) for hand in record.hands],
        "moves": [entry_dict(entry) for entry in record.moves],
        "result": None if result is None else result.as_dict(),
        **record.extra,
    }


def check_record(record: Record) -> Verdict:
    """Replay a record and compare its stated result with what the moves give."""
    done = replay(start(record.rules, record.dealer, record.hands), record.moves)
    if done.error is not None:
        return Verdict(ok=False, at=done.at, error=str(done.error))
    result = done.state.result
    right = None if result is None else result.as_dict()
    if result is None and _voided(record.result, done.state.away):
        return Verdict(ok=True, over=True, result=Result.without_loser(done.state.away))
    if record.result != right or not _same_types(record.result, right):
        error = str(RecordError("bad_result"))
        return Verdict(ok=False, at=len(record.moves), error=error)
    return Verdict(ok=True, over=result is not None, result=result)


def _voided(stated: object, away: Sequence[int]) -> bool:
    """Say whether a stated result is that of a game which an administrator voided so far."""
    right = Result.without_loser(tuple(away)).as_dict()
    return stated == right and _same_types(stated, right)


def _same_types(stated: object, right: object) -> bool:
    return json.dumps(stated, sort_keys=True) == json.dumps(right, sort_keys=True)


def check_line(line: str | bytes) -> Verdict:
    """Check one line of a file of records, bytes being UTF-8."""
    try:
        text = line if isinstance(line, str) else line.decode()
        return check_record(parse_record(text))
    except UnicodeDecodeError:
        return Verdict(ok=False, error=str(RecordError("no_text")))
    except RulesError as error:
        return Verdict(ok=False, error=str(error))
