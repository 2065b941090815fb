"""PostgreSQL's plans of our prepared queries, kept by each of its connections: to plan costs more than to answer.

Django merges what a query is given into its text, so that PostgreSQL parses and plans it anew each time. These travel
as a text that never changes and what is given beside it, on which their plan does not hang.
A pooler between us and PostgreSQL must know prepared statements, as PgBouncer does from 1.21 on.
"""

from typing import Any, Final, Self, cast

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import ClientCursor, Connection, Cursor
from psycopg.errors import FeatureNotSupported
from psycopg.pq import TransactionStatus

_KEPT: Final = 200
"""How many plans a connection keeps: more than there are queries."""


class _Planned(Cursor[Any]):
    """A cursor whose statements are planned once a connection."""

    def execute(self, query: Any, params: Any = None, **_: Any) -> Self:
        """Ask, by the plan that is kept; if the tables have changed since it was made, by a new one."""
        try:
            return super().execute(query, params, prepare=True)
        except FeatureNotSupported:
            # Inside a transaction all is lost anyhow, and with the rollback all plans go.
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                raise
        self.connection.execute("DEALLOCATE ALL")
        return super().execute(query, params, prepare=True)


def planned_cursor() -> CursorWrapper:
    """Return a cursor of Django's own connection, in the transaction that it is in; errors and counts are Django's."""
    django: Any = connection
    django.ensure_connection()
    django.validate_thread_sharing()
    raw = _raw()
    with django.wrap_database_errors:
        if raw.prepare_threshold is None:
            # Django switches it off; its own cursors merge still, so that nothing of theirs is kept.
            raw.prepare_threshold, raw.prepared_max = 0, _KEPT
            # By itself it plans five times more, on each connection, and some of them for ever.
            raw.execute("SET plan_cache_mode TO force_generic_plan")
        cursor = _Planned(raw)
    return cast("CursorWrapper", (django.make_debug_cursor if django.queries_logged else django.make_cursor)(cursor))


def literal(value: Any) -> str:
    """Return a value that never changes as it stands in SQL: a partial index is only used where its condition shows."""
    connection.ensure_connection()
    return ClientCursor(_raw()).mogrify("%s", [value])


def _raw() -> Connection[Any]:
    return cast("Connection[Any]", connection.connection)
