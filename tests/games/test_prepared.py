"""Queries that are written once: answers, counts and errors as Django's own, on plans that PostgreSQL keeps."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DataError, NotSupportedError, connection, connections, transaction
from django.db.models import BigIntegerField, CharField
from django.db.transaction import TransactionManagementError
from django.db.utils import ProgrammingError
from django.test.utils import CaptureQueriesContext

from games.models import Table
from games.selectors import plans, prepared
from games.selectors.prepared import Columns, Given, Prepared
from tests.games.stored import game_of

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = Columns(Table).names


def asking() -> Prepared:
    """A query for the name of a table at which nobody waits; a sign in it means something to Python and PostgreSQL."""
    rows = Table.objects.filter(pk=Given("table", BigIntegerField())).exclude(name="100 %s 'o\\'")
    return Prepared(lambda: rows.values_list("name", "rest_between", "rules", "created"))


def kept() -> list[str]:
    """The queries whose plans the connection keeps."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [each for (each,) in cursor.fetchall()]


@pytest.fixture
def table() -> Table:
    table = game_of(bots=3).table
    table.refresh_from_db()
    return table


@pytest.mark.sqlite_too
def test_it_finds_what_django_finds(table: Table) -> None:
    query = asking()
    expected = [(table.name, table.rest_between, table.rules, table.created)]
    assert [query(table=table.pk) for _ in range(12)] == [expected] * 12
    assert query(table=table.pk + 1) == []
    Table.objects.filter(pk=table.pk).update(name="100 %s 'o\\'")
    assert query(table=table.pk) == []


@pytest.mark.sqlite_too
def test_it_is_counted_as_every_query(table: Table) -> None:
    query = asking()
    query(table=table.pk)
    with CaptureQueriesContext(connection) as found:
        query(table=table.pk)
    assert len(found) == 1
    assert f"{table.pk}" in found[0]["sql"]
    seen = []

    def wrapper(execute: Any, sql: str, *rest: Any) -> Any:
        seen.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(wrapper):
        query(table=table.pk)
    assert len(seen) == 1


@pytest.mark.sqlite_too
def test_it_is_of_the_transaction_around_it(table: Table) -> None:
    query = asking()
    with transaction.atomic():
        Table.objects.filter(pk=table.pk).update(name="Attic")
        assert query(table=table.pk)[0][0] == "Attic"
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            query(table=table.pk)
    assert query(table=table.pk)[0][0] == table.name
    with transaction.atomic():
        # A rollback has taken the plans with it.
        assert query(table=table.pk)[0][0] == table.name


def test_errors_are_those_of_django(table: Table) -> None:
    named = Prepared(lambda: Table.objects.filter(name=Given("name", CharField())).values_list("pk"))
    with pytest.raises(DataError):
        named(name="\0")
    assert named(name=table.name) == [(table.pk,)]
    asked = asking()
    asked(table=table.pk)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_table RENAME name TO called")
    try:
        with pytest.raises(ProgrammingError), transaction.atomic():
            asked(table=table.pk)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE games_table RENAME called TO name")
    assert asked(table=table.pk)[0][0] == table.name


def test_a_plan_is_kept_and_only_of_these(table: Table) -> None:
    query = asking()
    connection.close()
    assert query(table=table.pk) == query(table=table.pk)
    assert Table.objects.filter(pk=table.pk).exists()
    statements = kept()
    assert len(statements) == 1
    # What never changes stands in it, so that the condition of a partial index can be found there.
    assert "100 %s" in statements[0]
    assert "$1::bigint" in statements[0]


@pytest.fixture
def pooled(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Another connection to the same database, of a pool."""
    options = {"pool": {"min_size": 1, "max_size": 1, "timeout": 5}}
    other: Any = type(connections["default"])(
        {**connection.settings_dict, "OPTIONS": options, "CONN_MAX_AGE": 0}, alias="pooled"
    )
    monkeypatch.setattr(prepared, "connection", other)
    monkeypatch.setattr(plans, "connection", other)
    yield other
    other.close()
    other.close_pool()


def test_a_pool_keeps_the_plans_of_its_connections(table: Table, pooled: Any) -> None:
    query = asking()
    for _ in range(3):
        assert query(table=table.pk)[0][0] == table.name
        with pooled.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements")
            assert cursor.fetchone() == (1,)
        # Its thread is done with it.
        pooled.close()


def test_it_is_asked_again_where_a_connection_was_lost(table: Table) -> None:
    query = asking()
    query(table=table.pk)
    connection.close()
    assert query(table=table.pk)[0][0] == table.name


@contextmanager
def _atomic(other: Any) -> Iterator[None]:
    """A transaction of a connection that has no name in the settings."""
    other.set_autocommit(False)
    try:
        yield
    except BaseException:
        other.rollback()
        raise
    else:
        other.commit()
    finally:
        other.set_autocommit(True)


@pytest.fixture
def changed() -> Iterator[Any]:
    """Change the kind of a column, as a migration may while we run."""

    def change(kind: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE games_table ALTER zone TYPE {kind}")

    yield change
    change("varchar(64)")


def test_tables_may_change_under_a_plan(table: Table, changed: Any, pooled: Any) -> None:
    query = Prepared(lambda: Table.objects.filter(pk=Given("table", BigIntegerField())).values_list(*NAMES))
    query(table=table.pk)
    changed("text")
    assert query(table=table.pk)[0][0] == table.pk
    changed("varchar(64)")
    # A transaction is lost, and the next one is not.
    with pytest.raises(NotSupportedError), _atomic(pooled):
        query(table=table.pk)
    with _atomic(pooled):
        assert query(table=table.pk)[0][0] == table.pk
