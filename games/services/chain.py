"""The chain of hashes that ties a game's log together, so that a changed row is found and named.

The format, version 1. JSON is written with sorted keys, no spaces and ASCII only.

    hash(0) = SHA-256("getaway-chain/1" + JSON of {"rules_version", "rules", "dealer", "hands"})
    hash(n) = SHA-256(hash(n - 1) + JSON of {"number": n, "seat", "play" | "take" | "draw", "actor", "at"})

`rules` and `hands` are as stored (and as in a record, rules.md 12); an entry is as in a record, with its number, who
acted, and when, in UTC with microseconds ("2026-01-31T12:00:00.000000Z"). hash(0) is kept with the deal, hash(n) with
entry n, the last with the game. Not covered: idempotency keys, which the game has no use for, and people, since a seat
may change hands and a person may be deleted.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from games.rules.moves import Entry
from games.rules.record import entry_dict

_START = b"getaway-chain/1"


def deal_hash(*, rules_version: int, rules: Mapping[str, object], dealer: int, hands: Sequence[str]) -> bytes:
    """Return the first hash of a game, which covers everything that it starts from."""
    deal = {"rules_version": rules_version, "rules": rules, "dealer": dealer, "hands": hands}
    return hashlib.sha256(_START + _canonical(deal)).digest()


def entry_hash(previous: bytes, number: int, entry: Entry, actor: str, at: datetime) -> bytes:
    """Return the hash of entry *number*, made by *actor* at *at*, after the hash of the one before."""
    stamp = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    covered = {"number": number, **entry_dict(entry), "actor": actor, "at": stamp}
    return hashlib.sha256(previous + _canonical(covered)).digest()


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
