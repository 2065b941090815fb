"""No page reads a table from end to end that grows with the games, nor much more of it than it shows or counts."""

from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from accounts.roles import SUPERUSER
from games.admin.base import COUNTED
from tests.load.grown import grown, originals
from tests.load.looks import PLAYER, REGULAR, Look, Lookers
from tests.load.plans import Plan, explaining

COPIES: Final = 1_000
LOGS_EVERY: Final = 50
GROWS: Final = 500
"""Of how many rows on a table here is one that grows."""
LARGE: Final = 4_000
"""With fewer, to read all of an index may be the shortest way."""
MOST_READ: Final = 2 * COUNTED
FEW: Final = 100
"""So many rows may be looked at to count them: whether that is shorter, PostgreSQL decides anew each time."""
BY_TABLE: Final = {"game status is over", "table status is over", "notice state is waiting"}
"""Lists whose rows are looked at to count them: nearly all are meant, or only those that an index holds."""


@pytest.mark.django_db(transaction=True)
def test_indexes_find_what_pages_show() -> None:
    found = originals()
    grown(found, 0, COPIES, logs_every=LOGS_EVERY)
    lookers, plans = Lookers(found), dict[Look, list[Plan]]()
    for look in lookers.looks(COPIES // 2 // LOGS_EVERY * LOGS_EVERY):
        if look.who in (SUPERUSER, PLAYER, REGULAR):
            with explaining(plans.setdefault(look, []), as_if_large=True):
                lookers.at(look)
    rows = {each._meta.db_table: each._default_manager.count() for each in found.spans}
    assert dict(_read_too_much(plans, rows)) == {}
    assert {look.name for look in plans if _counts_rows(look, plans[look], rows)} <= BY_TABLE


def _read_too_much(plans: Mapping[Look, list[Plan]], rows: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for look, asked in plans.items():
        for plan in asked:
            for node in plan.nodes:
                count = rows.get(node.table, 0)
                if (node.kind == "Seq Scan" and count > GROWS) or (node.rows > MOST_READ and count > LARGE):
                    yield f"{look.name}: {node}", plan.sql


def _counts_rows(look: Look, asked: list[Plan], rows: Mapping[str, int]) -> bool:
    """Whether a list, or what a filter leaves of it, is counted by more than an index and a few rows."""
    if "/admin/" not in look.path or "?q=" in look.path or "__exact=" in look.path:
        return False
    nodes = [node for plan in asked if plan.sql.startswith("SELECT COUNT(*) FROM (") for node in plan.nodes]
    return any(node.kind != "Index Only Scan" and node.table in rows and node.rows > FEW for node in nodes)
