"""What operators did at a table, for those who play there: what, when and why, never who."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games.models import Audit, Table

_WORDS: Final[Mapping[str, str]] = {
    Audit.Action.CORRECT: "The result of deal {} was corrected",
    Audit.Action.VOID: "Deal {} was declared void",
    Audit.Action.UNDO: "A correction of deal {} was taken back",
    Audit.Action.END: "Deal {} was stopped",
    Audit.Action.TAKE_UP: "Deal {} was taken up again",
    Audit.Action.REPLACE: "A seat was handed to a bot",
    Audit.Action.FREE: "A seat was made free",
    Audit.Action.EXTEND: "The deadlines were moved",
    Audit.Action.CLOSE: "The table was closed",
    Audit.Action.RENAME: "The table was renamed",
}
_ELSE: Final = "An operator saw to this table"


@dataclass(frozen=True, slots=True)
class Act:
    """Something that an operator did."""

    text: str
    at: datetime
    why: str


def acts_at(table: Table) -> tuple[Act, ...]:
    """Return what operators did at a table, the newest first, in one query."""
    rows = Audit.objects.filter(table=table).order_by("-at", "-pk").values_list("action", "game__number", "at", "why")
    return tuple(Act(_WORDS.get(action, _ELSE).format(number), at, why) for action, number, at, why in rows)
