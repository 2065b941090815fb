"""The migrations of accounts on a database that is in use."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

BEFORE = [("accounts", "0001_initial"), ("games", "0002_guards")]
PAST = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@pytest.fixture
def old_apps() -> Iterator[Any]:
    """The models of the schema before guests; afterwards everything is as new again."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    yield executor.loader.project_state(BEFORE).apps
    executor = MigrationExecutor(connection)
    executor.migrate(leaves)


def migrated() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def _any_case(statement: str) -> None:
    """Take the old index away, and put something in its place: SQLite's does not know the case of these letters."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(statement)


def test_addresses_become_lower_case_and_known_to_allauth(old_apps: Any) -> None:
    old = old_apps.get_model("accounts", "User").objects
    nani = old.create(email="Nani@Example.ORG", name="Nani", password="!x")
    roza = old.create(email="roza@example.org", name="Roza", password="!y", is_staff=True)
    table = old_apps.get_model("games", "Table").objects.create(
        name="T", host_id=nani.pk, rules={}, rules_version=1, seats=3, created=PAST
    )
    migrated()
    people = list(User.objects.order_by("pk"))
    assert [(each.pk, each.email, each.name) for each in people] == [
        (nani.pk, "nani@example.org", "Nani"),
        (roza.pk, "roza@example.org", "Roza"),
    ]
    assert len({each.code for each in people}) == 2
    assert all(len(each.code) == 10 for each in people)
    rows = people[0].emailaddress_set.values_list("email", "primary", "verified")
    assert list(rows) == [("nani@example.org", True, False)]
    assert table.host_id == nani.pk


def test_of_two_with_one_address_the_one_seen_last_keeps_it(old_apps: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _any_case("DROP INDEX user_email_any_case")
    old = old_apps.get_model("accounts", "User").objects
    last = old.create(email="äöna@Example.org", name="Last", last_login=PAST, date_joined=PAST)
    never = old.create(email="ÄÖna@example.org", name="Never")
    first = old.create(email="Äöna@example.org", name="First", last_login=PAST - dt.timedelta(days=1))
    _any_case("CREATE UNIQUE INDEX user_email_any_case ON accounts_user (id)")
    migrated()
    assert dict(User.objects.values_list("pk", "email")) == {
        last.pk: "äöna@example.org",
        never.pk: None,
        first.pk: None,
    }
    assert capsys.readouterr().err.count(f"loses the address of person {last.pk}") == 2
