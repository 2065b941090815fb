"""Tables that never start are closed, after their host was told."""

from datetime import datetime, timedelta
from typing import Final

from games.models import Table
from games.services.hosting import closed
from games.services.locks import table_locked, writing
from games.services.notices import notice_added

WARNED_AFTER: Final = timedelta(days=12)
"""How old a table is that waits for people when its host is told that it will be closed."""

CLOSED_AFTER: Final = timedelta(days=14)
"""How old it is when it is closed; never sooner after the warning than the two are apart."""


def tables_cleaned(*, now: datetime) -> tuple[int, int]:
    """Warn the hosts of tables that have waited long, and close those that have waited longer; return how many of each.

    Each table is a transaction of its own and looked at again in it: safe to run twice, late or in two places.
    """
    waiting = Table.objects.filter(status=Table.Status.OPEN)
    old = waiting.filter(created__lte=now - WARNED_AFTER, warned=None).values_list("pk", flat=True)
    warned = sum(_warned(table_id, now) for table_id in list(old))
    apart = CLOSED_AFTER - WARNED_AFTER
    older = waiting.filter(created__lte=now - CLOSED_AFTER, warned__lte=now - apart).values_list("pk", flat=True)
    return warned, sum(_closed(table_id, now) for table_id in list(older))


def _warned(table_id: int, now: datetime) -> bool:
    with writing():
        table = table_locked(table_id)
        if table.status != Table.Status.OPEN or table.warned is not None:
            return False
        table.warned = now
        table.save(update_fields=["warned"])
        if table.host is not None:
            key = f"table_warned:{table.pk}"
            notice_added(kind="table_warned", key=key, user=table.host, table=table, now=now)
        return True


def _closed(table_id: int, now: datetime) -> bool:
    with writing():
        table = table_locked(table_id)
        if table.status != Table.Status.OPEN:
            return False
        closed(table=table, by=None, now=now)
        return True
