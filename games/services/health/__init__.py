"""How the site is: each of its parts looked at, and what to do where it is not well."""

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime
from typing import Final

from django.db import connections

from games.services.health import parts, site, work
from games.services.health.check import Check, Part, State

_REDIS: Final = "Start Redis, and look at REDIS_URL."

PARTS: Final = (
    Part("settings", site.deployment, "Run manage.py check --deploy."),
    Part("hosts", site.hosts, "Look at SITE_URL and ALLOWED_HOSTS."),
    Part("proxies", site.proxies, "Look at PROXIES."),
    Part("database", parts.database, "Start PostgreSQL, and look at DATABASE_URL and DB_POOL."),
    Part("clock", parts.clock, "Let NTP set the clocks of both.", stored=True),
    Part("migrations", parts.migrations, "Run manage.py migrate.", stored=True),
    Part("cache", parts.keeping, _REDIS),
    Part("broker", parts.broker, _REDIS),
    Part("channels", parts.layer, _REDIS),
    Part("mail", site.mail, "Look at MAIL_HOST or MAIL_PROVIDER, and what belongs to it."),
    Part("push", site.push, "Set VAPID_PRIVATE_KEY to what manage.py push_key prints."),
    Part("static", site.static, "Run manage.py collectstatic --noinput."),
    Part("sweep", work.sweep, "Run manage.py migrate.", stored=True),
    Part("web", work.web, "Run manage.py migrate.", stored=True),
    Part("notices", work.notices, "Run manage.py migrate.", stored=True),
    Part("games", work.aside, "Run manage.py migrate.", stored=True),
    Part("clocks", work.halt, "Run manage.py migrate.", stored=True),
    Part("backup", work.backup, "Run manage.py migrate.", stored=True),
    Part("verified", work.verified, "Run manage.py migrate.", stored=True),
    Part("disk", site.disk, "Make room."),
)
"""The parts, in the order in which they are looked at: what hangs on another comes after it."""

NAMES: Final = tuple(part.name for part in PARTS)

READY: Final = ("database", "broker", "migrations", "sweep")
"""The parts without which the site is not ready."""

_OWN: Final = "database"

_looking = ThreadPoolExecutor(max_workers=2 * len(READY), thread_name_prefix="health")


def health(*, now: datetime, only: Iterable[str] = ()) -> Iterator[Check]:
    """Look at the parts called *only*, all without it, one after the other; those that need a broken one are broken."""
    wanted, away = frozenset(only) or frozenset(NAMES), False
    for part in PARTS:
        if part.name not in wanted:
            continue
        if part.stored and away:
            yield Check(part.name, State.BROKEN, "Not looked at: the database is away.", "See to the database first.")
            continue
        found = _looked(part, now)
        away = away or (part.name == "database" and found.state == State.BROKEN)
        yield found


def _looked(part: Part, now: datetime) -> Check:
    try:
        found = part.look(now)
    except Exception as error:  # noqa: BLE001 - a part fails in ways of its own; its kind says enough, its words too much
        return Check(part.name, State.BROKEN, f"It could not be looked at: {type(error).__name__}.", part.fix)
    return Check(part.name, found.state, found.said, found.fix)


def looked_over(*, now: datetime, patience: float) -> list[Check]:
    """Look at all parts within *patience* seconds: what is not stored all at once, what is by this thread's connection.

    What does not answer in time is broken as far as whoever asks can tell.
    """
    asked = {part.name: _looking.submit(_looked, part, now) for part in PARTS if not part.stored and part.name != _OWN}
    stored = {part.name: _looked(part, now) for part in PARTS if part.stored or part.name == _OWN}
    wait(asked.values(), timeout=patience)
    return [stored.get(part.name) or _answer(part, asked[part.name]) for part in PARTS]


def _answer(part: Part, asked: "Future[Check]") -> Check:
    return asked.result() if asked.done() else Check(part.name, State.BROKEN, "No answer in time.", part.fix)


def ready(*, now: datetime, patience: float, known: Iterable[str] = ()) -> dict[str, bool]:
    """Return which of the parts of `READY` are well, all looked at within *patience* seconds; *known* ones are."""
    known = frozenset(known)
    asked = {part.name: _asked(part, now) for part in PARTS if part.name in READY and part.name not in known}
    wait(asked.values(), timeout=patience)
    return {name: name in known or (asked[name].done() and asked[name].result()) for name in READY}


def _asked(part: Part, now: datetime) -> Future[bool]:
    """Have a thread look at a part, if one is free; those that hang are not waited for, and no more of them made."""
    return _looking.submit(_is_well, part, now, time.monotonic())


def _is_well(part: Part, now: datetime, asked: float) -> bool:
    # It has waited for those that hang: whoever asked is gone.
    if time.monotonic() - asked > 5:
        return False
    try:
        return _looked(part, now).state != State.BROKEN
    finally:
        connections.close_all()
