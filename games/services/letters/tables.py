"""What is told of tables beside the games in play: who sits down, starts, closes, hands over."""

from collections.abc import Callable
from typing import Final

from accounts.models import User
from games.models import Table
from games.selectors.access import kept_apart
from games.services.letters.letter import News, facts, sits


def _again(table: Table, user: User) -> bool:
    return table.status == Table.Status.OPEN and not sits(table, user) and not kept_apart(table.host_id, user.pk)


TABLE_KINDS: Final[dict[str, Callable[[Table, User], bool]]] = {
    "again": _again,
    "table_started": lambda table, user: table.status == Table.Status.RUNNING and sits(table, user),
    "table_closed": lambda table, _: table.status == Table.Status.CLOSED,
    "table_warned": lambda table, user: table.status == Table.Status.OPEN and table.host_id == user.pk,
    "host_handed": lambda table, user: table.status != Table.Status.CLOSED and table.host_id == user.pk,
    "joined": lambda table, user: table.status == Table.Status.OPEN and table.host_id == user.pk,
    "seat_removed": lambda table, user: not sits(table, user),
}
"""Whether what each kind tells is still so when it is told."""


def table_news(kind: str, table: Table, user: User) -> News | None:
    """Return what a notice of such a kind tells; None if it is no longer true."""
    if not TABLE_KINDS[kind](table, user):
        return None
    context = facts(table) | {"person": user.name}
    return News(f"emails/{kind}", context, context["path"], f"table:{table.code}")
