"""A view written out, every field by an allow-list: a new field is not shown before somebody decides that it may be."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from games.rules.cards import Card, hand_text
from games.rules.moves import Draw, Play, Take
from games.rules.state import LastTrick
from games.rules.view import PublicView, Refusal, SeatView, TableCard

STATIC = ("rules", "players", "dealer")
PUBLIC = (
    *("version", "power", "awaited", "counts", "table", "winning", "trump", "waste_count", "gone", "tricks", "away"),
    *("result", "known", "voids", "last", "drawn_waits", "events", "hands"),
)
SEAT = ("seat", "hand", "drawn", "legal", "fouls", "refusals")


def encoded(value: object) -> object:
    """A value of a view as JSON may hold it, short."""
    match value:
        case Card():
            return value.code
        case Enum():
            return value.value
        case Play() | Take() | Draw():
            return entry_text(value)
        case tuple():
            return encoded_tuple(value)
        case _ if is_dataclass(value):
            named = {each.name: encoded(getattr(value, each.name)) for each in fields(value)}
            return {"type": type(value).__name__, **named}
        case _:
            assert value is None or isinstance(value, bool | int | str)
            return value


def encoded_tuple(value: tuple[object, ...]) -> object:
    if isinstance(value, TableCard | Refusal | LastTrick):
        return {name: encoded(each) for name, each in value._asdict().items()}
    cards = [each for each in value if isinstance(each, Card)]
    return hand_text(cards) if cards else [encoded(each) for each in value]


def entry_text(entry: Play | Take | Draw) -> str:
    match entry:
        case Play(seat, card):
            return f"{seat} plays {card.code}"
        case Take(seat, victim):
            return f"{seat} takes {victim}"
        case Draw(seat, card):
            return f"{seat} draws {card.code}"


def shown(view: PublicView) -> Mapping[str, object]:
    """Every field that may change in a game, by name."""
    names = [*PUBLIC, *SEAT] if isinstance(view, SeatView) else PUBLIC
    return {name: encoded(getattr(view, name)) for name in names}


def canonical(view: PublicView) -> bytes:
    """The whole view in one way of writing."""
    static = {name: encoded(getattr(view, name)) for name in STATIC}
    return json.dumps({**static, **shown(view)}, separators=(",", ":")).encode()
