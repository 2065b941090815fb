"""When no connection to the database is free, or none can be made: a sentence and no fault."""

import threading
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.utils import ConnectionHandler
from django.test import Client
from psycopg_pool import PoolTimeout

from accounts.models import User
from bhabhi_site.settings.databases import _pool
from tests.accounts.doors import sign_in
from tests.games.seats import sentence
from tests.site.commands import PRODUCTION, manage


def test_a_process_shares_a_few_connections() -> None:
    code = "from django.conf import settings as s; d = s.DATABASES['default']; print(d['CONN_MAX_AGE'], d['OPTIONS'])"
    said = [manage("shell", "-v", "0", "-c", code, **PRODUCTION, **more).stdout for more in ({}, {"DB_POOL": "1"})]
    assert all("'connect_timeout': 5, " in each and "'tcp_user_timeout': 20000, " in each for each in said)
    pools = ["'min_size': 2, 'max_size': 20, 'timeout': 5.0", "'min_size': 1, 'max_size': 1, 'timeout': 5.0"]
    assert [pool in each and each.startswith("0 ") for pool, each in zip(pools, said, strict=True)] == [True, True]


@pytest.mark.django_db(transaction=True)
def test_who_waits_too_long_for_a_connection_is_told_so_and_gets_it_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if connection.vendor != "postgresql":
        return
    one = settings.DATABASES["default"] | _own()
    handler = ConnectionHandler(
        {"default": one | {"OPTIONS": {"pool": {"min_size": 1, "max_size": 1, "timeout": 0.2}}}}
    )
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        handler["default"].ensure_connection()
        held.set()
        done.wait(20)
        handler.close_all()

    mine: Any = handler["default"]
    # Django keeps pools by the name of a connection: these have none of the test's own.
    monkeypatch.setattr(DatabaseWrapper, "_connection_pools", {})
    other = threading.Thread(target=hold)
    other.start()
    try:
        assert held.wait(20)
        with pytest.raises(OperationalError) as raised:
            mine.ensure_connection()
        assert isinstance(raised.value.__cause__, PoolTimeout)
        done.set()
        mine.ensure_connection()
    finally:
        done.set()
        other.join(20)
        handler.close_all()
        mine.close_pool()


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_was_hung_up_is_given_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        return
    pool = _pool(1)
    handler = ConnectionHandler({"default": settings.DATABASES["default"] | _own() | {"OPTIONS": {"pool": pool}}})
    mine: Any = handler["default"]
    monkeypatch.setattr(DatabaseWrapper, "_connection_pools", {})
    try:
        first, second = (_backend(mine) for _ in range(2))
        assert first == second
        with connection.cursor() as cursor:
            # It waits until the other is gone.
            cursor.execute("SELECT pg_terminate_backend(%s, 20000)", [first])
        assert _backend(mine) != first
    finally:
        handler.close_all()
        mine.close_pool()


def _own() -> dict[str, Any]:
    return {"NAME": connection.settings_dict["NAME"], "CONN_MAX_AGE": 0}


def _backend(mine: Any) -> int:
    """Ask who answers at a connection, and give it back."""
    with mine.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [[found]] = cursor.fetchall()
    mine.close()
    return int(found)


def _none_free(*_: Any) -> Any:
    raise OperationalError("couldn't get a connection after 5.00 sec") from PoolTimeout


def _cut(*_: Any) -> Any:
    raise OperationalError("server closed the connection unexpectedly") from psycopg.OperationalError()


def _closed(*_: Any) -> Any:
    raise InterfaceError("the connection is closed") from psycopg.InterfaceError()


def _stopping(*_: Any) -> Any:
    raise OperationalError("the database system is shutting down") from psycopg.errors.AdminShutdown()


def _broken(*_: Any) -> Any:
    raise OperationalError("too few") from psycopg.errors.DiskFull()


@pytest.mark.django_db
@pytest.mark.sqlite_too
@pytest.mark.parametrize("path", ["/", "/accounts/signin/", "/games/abcdefgh/", "/people/1/", "/d/x/"])
@pytest.mark.parametrize("away", [_none_free, _cut, _closed, _stopping])
def test_a_page_says_so(path: str, away: Any, caplog: pytest.LogCaptureFixture) -> None:
    client = sign_in(Client(), User.objects.create_guest("Roza"))
    with connection.execute_wrapper(away):
        answer = client.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert sentence(answer) == "This does not work just now: wait a few minutes and try again."
    assert [record.levelname for record in caplog.records if "no database connection" in record.message] == ["WARNING"]
    assert client.get("/").status_code == 200


@pytest.mark.django_db
def test_other_faults_of_the_database_stay_faults(client: Client) -> None:
    client.raise_request_exception = False
    client.cookies["sessionid"] = "abcdefgh12345678"
    with connection.execute_wrapper(_broken):
        assert client.get("/").status_code == 500
