"""Backups of PostgreSQL, by its own pg_dump and pg_restore. Passwords go by the environment, never by arguments."""

import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import quote, urlencode

import psycopg
from django.db import connection, transaction
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from games.services.backups.facts import Facts, facts_of
from games.services.errors import BackupFailed

_HIDDEN: Final = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/opt/*/bin", "usr/local/opt/*/bin")
_OURS: Final = ("--no-owner", "--no-privileges", "--no-password")

type Place = dict[str, str]
"""Where a database is, in libpq's words: host, port, user, password, dbname and others."""


def site_place() -> Place:
    """Return where the site's database is."""
    words = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    given = connection.get_connection_params()
    return {word: str(value) for word, value in given.items() if word in words and value not in {None, ""}}


def place_at(url: str) -> Place:
    """Return where a database is by its address; what that leaves out is as for the site's.

    Raises:
        BackupFailed: if it is no such address.
    """
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise BackupFailed("--into must be like postgres://user:password@host:5432/name.") from None
    return {**site_place(), **{word: str(value) for word, value in given.items() if value is not None}}


def url_of(place: Place) -> str:
    """Return the DATABASE_URL of a place."""
    rest = dict(place)
    user, password, host, port, name = (
        quote(rest.pop(word, ""), safe="") for word in ("user", "password", "host", "port", "dbname")
    )
    login = f"{user}:{password}@" if user or password else ""
    return f"postgres://{login}{host}{f':{port}' if port else ''}/{name}{f'?{urlencode(rest)}' if rest else ''}"


def dumped(part: Path) -> Facts:
    """Write the whole database into *part* as it is at this moment; meanwhile the tables play on.

    Raises:
        BackupFailed: if pg_dump is missing or fails.
    """
    dump = program("pg_dump", _major_of_site())
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        # The counts and the dump are of one and the same moment: pg_dump takes this transaction's.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        [snapshot] = cursor.fetchone()
        facts = facts_of(cursor, "postgresql")
        _run([dump, *_OURS, "--format=custom", f"--snapshot={snapshot}", f"--file={part}"], site_place())
    return facts


def filled(file: Path, place: Place) -> None:
    """Restore a dump into the empty database at *place*: all of it, or nothing.

    Raises:
        BackupFailed: if that is not empty or cannot be reached, or pg_restore is missing or fails.
    """
    with _entered(place) as line:
        query = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        [tables] = cast("tuple[int]", line.execute(query).fetchone())
        server = line.info.server_version // 10000
    if tables:
        raise BackupFailed(_not_empty(place))
    restore = program("pg_restore", server)
    where = f"--dbname={place.get('dbname', '')}"
    _run([restore, *_OURS, "--exit-on-error", "--single-transaction", where, str(file)], place)


def facts_at(place: Place) -> Facts:
    """Return what the database at *place* holds.

    Raises:
        BackupFailed: if it holds nothing or cannot be reached.
    """
    with _entered(place) as line, line.cursor() as cursor:
        return facts_of(cursor, "postgresql")


@contextmanager
def database_aside() -> Iterator[Place]:
    """Make an empty database on the site's server for as long as the block lasts.

    Raises:
        BackupFailed: if the site's user may not.
    """
    name = f"verify_{secrets.token_hex(6)}"
    site = site_place()
    try:
        with _entered(site) as line:
            line.execute(SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(Identifier(name)))
    except psycopg.errors.InsufficientPrivilege:
        raise BackupFailed(
            "The site's database user may not create databases: allow it (ALTER ROLE ... CREATEDB), or name an empty "
            "database by --into."
        ) from None
    try:
        yield {**site, "dbname": name}
    finally:
        with _entered(site) as line:
            line.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))


def program(name: str, server: int) -> str:
    """Return the path of a client program: of the server's major version, or else the next newer one.

    Raises:
        BackupFailed: if there is none.
    """
    on_path = shutil.which(name)
    hidden = [str(path) for pattern in _HIDDEN for path in Path("/").glob(f"{pattern}/{name}")]
    found = {path: _major(path) for path in ([on_path] if on_path else []) + hidden}
    fits = sorted((major, at) for at, (path, major) in enumerate(found.items()) if major >= server)
    if not fits:
        raise BackupFailed(
            f"There is no {name} of PostgreSQL {server} or later here: install its client programs (Debian's package "
            f"postgresql-client-{server})."
        )
    return list(found)[fits[0][1]]


def _major_of_site() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        return int(cursor.fetchone()[0]) // 10000


def _major(path: str) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    # It says: pg_dump (PostgreSQL) 15.18 (Debian and so on).
    number = re.search(r"\) (\d+)", said)
    return int(number[1]) if number else 0


def _run(command: list[str], place: Place) -> None:
    names = {each.keyword.decode(): each.envvar.decode() for each in psycopg.pq.Conninfo.get_defaults() if each.envvar}
    env = {**os.environ, **{names[word]: value for word, value in place.items() if word in names}}
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, with arguments of ours
        command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        # The first line only: further ones may quote a row, and rows hold hands.
        said = (done.stderr.strip() or "it says nothing").splitlines()[0]
        raise BackupFailed(f"It failed, and left nothing behind: {said}")


@contextmanager
def _entered(place: Place) -> Iterator["psycopg.Connection[Any]"]:
    try:
        line = psycopg.connect(make_conninfo("", **place), autocommit=True)
    except psycopg.OperationalError as error:
        raise BackupFailed(f"The database cannot be reached: {str(error).splitlines()[0]}") from None
    with line:
        yield line


def _not_empty(place: Place) -> str:
    name = place.get("dbname", "")
    flags = [f"--{flag}={place[word]}" for flag, word in _FLAGS.items() if word in place]
    to = " ".join(flags)
    return (
        f"The database {name} is not empty, and nothing is restored over what is there. Put it aside and make a new "
        "one, then run this again:\n"
        f'  psql {to} --dbname=postgres --command=\'ALTER DATABASE "{name}" RENAME TO "{name}_before"\'\n'
        f"  createdb {to} {name}"
    )


_FLAGS: Final = {"host": "host", "port": "port", "username": "user"}
