"""What operators did at a table, for those who play there: what, when and why, never who."""

from dataclasses import dataclass
from datetime import datetime

from games.models import Audit, Table
from games.selectors.audit import done_words


@dataclass(frozen=True, slots=True)
class Act:
    """Something that an operator did; deal: the number of the deal that it was about, None if it was about none."""

    deal: int | None
    text: str
    at: datetime
    why: str


def acts_at(table: Table) -> tuple[Act, ...]:
    """Return what operators did at a table, the newest first, in one query."""
    rows = Audit.objects.filter(table=table).select_related("game").order_by("-at", "-pk")
    deals = [each.game.number if each.game else None for each in rows]
    return tuple(Act(deal, done_words(each), each.at, each.why) for deal, each in zip(deals, rows, strict=True))
