"""PostgreSQL from the environment: the threads of a process share a few connections instead of opening their own."""

import select
from typing import Any

from environs import Env, validate

_POSTGRESQL = validate.Regexp(
    r"postgres(ql)?://[^/]*/[^/?]", error="must be like postgres://user:password@host:5432/name"
)
# Seconds that a thread waits for a connection before its page says that this does not work just now.
_PATIENCE = 5.0
_KEPT = 2
# A connection whose other end has vanished without a word is given up after so long; by default after hours. One that
# is alive and does not answer yet is waited for.
_ALIVE = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


def database_of(env: Env) -> dict[str, Any]:
    """Return the PostgreSQL that DATABASE_URL names, with at most DB_POOL connections a process.

    Under ASGI each request has a thread of its own: what a thread keeps for later (CONN_MAX_AGE) nobody finds again.
    With an *env* that is not eager, what is missing or wrong is told when it is sealed.
    """
    most = env.int("DB_POOL", 20, validate=validate.Range(min=1, max=1000))
    # None where it is wrong, which is told later.
    at = env.str("DATABASE_URL", validate=_POSTGRESQL)
    found: Any = env.dj_db_url("DATABASE_URL", conn_max_age=0, conn_health_checks=True) if at else {}
    database: dict[str, Any] = dict(found or {})
    pool = {"pool": _pool(most)} if most else {}
    # What the address says itself stands.
    database["OPTIONS"] = _ALIVE | database.get("OPTIONS", {}) | pool
    return database


def _pool(most: int) -> dict[str, Any]:
    return {
        "min_size": min(_KEPT, most),
        "max_size": most,
        "timeout": _PATIENCE,
        "check": _listened,
        # Each attempt waits twice as long as the one before. Given up early, the next page makes one at once: otherwise
        # a database that is back after a minute is found after another.
        "reconnect_timeout": _PATIENCE,
    }


def _listened(connection: Any) -> None:
    """Check a connection before it is used, and ask nothing as long as its line is silent.

    Whoever hangs up is heard there: a server that stopped or was started anew, a line that broke.
    """
    line = select.poll()
    line.register(connection.fileno(), select.POLLIN)
    if line.poll(0):
        connection.execute("")
