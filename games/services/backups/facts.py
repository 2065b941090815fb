"""What a database holds, in numbers: what a backup promises, and what a restored one is compared with."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db.migrations.loader import MigrationLoader

from games.services.errors import BackupFailed

_TABLES: Final = {
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = ANY(current_schemas(false)) ORDER BY tablename",
    "sqlite": r"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'",
}
_AT_ONCE: Final = 5000


@dataclass(frozen=True)
class Facts:
    """The last migrations of each app, how many rows each table has, how many games, and one hash over all games.

    That is over (code, version, last hash) of each, and so over every entry of every log and every deal.
    """

    migrations: list[str]
    rows: dict[str, int]
    games: int
    chain: str

    def differs(self, other: "Facts") -> str:
        """Say what differs first in *other*, or nothing."""
        if self.migrations != other.migrations:
            return "the migrations"
        for table in sorted({*self.rows, *other.rows}):
            if (said := self.rows.get(table, 0)) != (found := other.rows.get(table, 0)):
                return f"{table} has {found} rows in the place of {said}"
        return "" if (self.games, self.chain) == (other.games, other.chain) else "the games are others"


def facts_of(cursor: Any, vendor: str) -> Facts:
    """Read them by any cursor, Django's or a driver's; nothing is changed.

    Raises:
        BackupFailed: if the site's tables are not there.
    """
    tables = [name for (name,) in _asked(cursor, _TABLES[vendor])]
    if not {"django_migrations", "games_game"}.issubset(tables):
        raise BackupFailed('The database holds no games yet: run "manage.py migrate" first.')
    applied = _asked(cursor, "SELECT app, name FROM django_migrations")
    rows = {table: int(_asked(cursor, f'SELECT count(*) FROM "{table}"')[0][0]) for table in tables}  # noqa: S608 - the catalog's names
    count, chain = 0, hashlib.sha256()
    for code, version, last in _games(cursor):
        count += 1
        chain.update(f"{code} {version} {bytes(last).hex()}\n".encode())
    return Facts(_last_of({(app, name) for app, name in applied}), rows, count, chain.hexdigest())


def _asked(cursor: Any, query: str) -> list[Any]:
    cursor.execute(query)
    return list(cursor.fetchall())


def _games(cursor: Any) -> Iterator[tuple[str, int, bytes]]:
    last = 0
    while found := _asked(
        cursor,
        f"SELECT id, code, version, last_hash FROM games_game WHERE id > {last:d} ORDER BY id LIMIT {_AT_ONCE}",  # noqa: S608 - numbers
    ):
        yield from (row[1:] for row in found)
        last = found[-1][0]


def _last_of(applied: set[tuple[str, str]]) -> list[str]:
    """Return those migrations of each app on which no other of the app that was applied builds."""
    known = MigrationLoader(None).disk_migrations
    under = {(app, name) for key in applied if key in known for app, name in known[key].dependencies if app == key[0]}
    return sorted(f"{app}.{name}" for app, name in applied - under)


def migrations_unknown(migrations: Iterable[str]) -> list[str]:
    """Return which of the migrations this version of the site does not have: it is older than they are."""
    known = {".".join(key) for key in MigrationLoader(None).disk_migrations}
    return sorted(set(migrations) - known)


def migrations_missing(migrations: Iterable[str]) -> bool:
    """Return whether this version of the site has migrations that build on these."""
    leaves = {".".join(key) for key in MigrationLoader(None).graph.leaf_nodes()}
    return not leaves <= set(migrations)
