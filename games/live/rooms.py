"""What the hub asks the database: of many sockets at once, never of each."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import Count, Max, Sum
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import Block, User
from games.models import Game, Holder, Invite, Table
from games.selectors.sight import invitations_in
from games.selectors.updates import Since

# What Django makes, and PostgreSQL refuses a NUL.
_KEY: Final = re.compile(r"[a-z0-9]{8,40}")
_CODE: Final = re.compile(r"[a-z0-9]{1,16}")


class Visitor(NamedTuple):
    """Whose a session is. mark: of their password, which ends sessions when it changes; 0 for nobody."""

    user_id: int | None
    mark: int
    invited: tuple[int, ...]


class Place(NamedTuple):
    """A game and its table, by their ids."""

    game: int
    table: int


class Company(NamedTuple):
    """Who sits at a table now. shown: those who do not hide when they are here, as (seat, person).

    rights: changes with everything that the right to look at it hangs on.
    """

    people: frozenset[int]
    shown: tuple[tuple[int, int], ...]
    rights: int


def visitors_of(keys: Collection[str]) -> dict[str, Visitor]:
    """Return whose the sessions with these keys are; who is stopped, or has another password since, has none."""
    sessions = _alive([key for key in keys if _KEY.fullmatch(key)]).values_list("session_key", "session_data")
    kept = {key: SessionStore().decode(data) for key, data in sessions}
    claimed = {key: _person_in(found) for key, found in kept.items()}
    users = User.objects.filter(is_active=True).in_bulk({pk for pk in claimed.values() if pk})
    found = {}
    for key, data in kept.items():
        pk = claimed[key]
        if pk is None:
            found[key] = Visitor(None, 0, invitations_in(data))
        elif pk in users and _vouched(users[pk], data):
            found[key] = Visitor(pk, hash(users[pk].password), invitations_in(data))
    return found


def _alive(keys: Collection[str]) -> Any:
    return Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())


def _person_in(data: Mapping[str, Any]) -> int | None:
    found = str(data.get(SESSION_KEY, ""))
    return int(found) if found.isascii() and found.isdigit() else None


def _vouched(user: User, data: Mapping[str, Any]) -> bool:
    """Tell whether a session is its person's still, as Django's own `get_user` does."""
    if data.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return False
    kept = str(data.get(HASH_SESSION_KEY, ""))
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(kept, each) for each in hashes)


def ended(known: Mapping[str, tuple[int | None, int]]) -> set[str]:
    """Return which sessions are over: gone, or of somebody who is stopped or has another password.

    *known* says whose each was, and the mark of their password then.
    """
    alive = set(_alive(known).values_list("session_key", flat=True))
    people = User.objects.filter(pk__in={pk for pk, _ in known.values() if pk}, is_active=True)
    marks: dict[int | None, int] = {pk: hash(password) for pk, password in people.values_list("pk", "password")}
    marks[None] = 0
    return {key for key, (pk, mark) in known.items() if key not in alive or marks.get(pk) != mark}


def places_of(codes: Collection[str]) -> dict[str, Place]:
    """Return the games that have these codes."""
    games = Game.objects.filter(code__in=[code for code in codes if _CODE.fullmatch(code)])
    return {code: Place(pk, table) for code, pk, table in games.values_list("code", "pk", "table_id")}


def versions_of(games: Collection[int]) -> dict[int, Since]:
    """Return how new the board of each game is."""
    rows = Game.objects.filter(pk__in=games).values_list("pk", "version", "revision")
    return {pk: Since(version, revision) for pk, version, revision in rows}


def companies_of(tables: Collection[int]) -> dict[int, Company]:
    """Return who sits at each table, and what decides who may look on."""
    rows = list(Table.objects.filter(pk__in=tables).values_list("pk", "watch", "status", "host", "started"))
    seats: defaultdict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    sat = Holder.objects.filter(table__in=tables, until=None).exclude(user=None).order_by("seat__number")
    for table, seat, user, hides in sat.values_list("table", "seat__number", "user_id", "user__hide_online"):
        seats[table].append((seat, user or 0, bool(hides)))
    blocks = _counted(Block.objects.filter(owner__in={host for _, _, _, host, _ in rows}), "owner")
    links = _counted(Invite.objects.filter(table__in=tables, revoked=None, email=""), "table")
    return {
        pk: Company(
            frozenset(user for _, user, _ in seats[pk]),
            tuple((seat, user) for seat, user, hides in seats[pk] if not hides),
            hash((watch, status, host, started, blocks.get(host), links.get(pk), tuple(seats[pk]))),
        )
        for pk, watch, status, host, started in rows
    }


def _counted(rows: Any, by: str) -> dict[int | None, tuple[int, int]]:
    """Return how many rows there are of each, and the newest: what comes or goes changes one or both."""
    return {key: (many, last) for key, many, last in rows.values_list(by).annotate(many=Count("pk"), last=Max("pk"))}


def tables_of(people: Collection[int]) -> dict[int, frozenset[int]]:
    """Return the tables of each person: where they sit, and theirs that wait; a ring at one changes their home."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    sat = Holder.objects.filter(user__in=people, until=None).exclude(table__status=Table.Status.CLOSED)
    for user, table in sat.values_list("user", "table"):
        found[user or 0].add(table)
    for user, table in Table.objects.filter(host__in=people, status=Table.Status.OPEN).values_list("host", "pk"):
        found[user or 0].add(table)
    return {user: frozenset(found[user]) for user in people}


def marks_of(tables: Iterable[int]) -> dict[int, tuple[int, int, int]]:
    """Return for each table what changes whenever one of its games does."""
    rows = Game.objects.filter(table__in=tables, table__status__in=[Table.Status.RUNNING, Table.Status.OVER])
    summed = rows.order_by().values_list("table").annotate(Max("pk"), Sum("version"), Sum("revision"))
    return {table: (last, versions, revisions) for table, last, versions, revisions in summed}


def invited_by(invite_id: int) -> list[int]:
    """Return the people who have shown that the address of an invitation is theirs."""
    email = Invite.objects.filter(pk=invite_id).exclude(email="").values("email")
    return list(EmailAddress.objects.filter(email__in=email, verified=True).values_list("user", flat=True))
