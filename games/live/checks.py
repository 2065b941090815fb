"""The checks that heal: every few seconds the database says what no ring need have said.

Rings may be lost, people sign out in other processes, and much that decides who may look rings for nobody. Each check
asks a few questions about all sockets at once, and looks closer only where an answer has changed.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

from django.conf import settings

from games.live import rooms
from games.live.hub import Hub
from games.live.places import HomeSocket
from games.live.sockets import Close, Socket

RENEWED: Final = 120.0
"""After how many seconds a home is looked at though nothing rang: an invitation whose ring was lost, say."""

AGAIN: Final = 0.5
"""After how many seconds a person's sessions are looked at once more: one that ends may ring a moment before."""


async def check(hub: Hub) -> None:
    """Check, for ever; one after the other, since together they would hold up every card for a while."""
    while settings.LIVE_CHECK:
        for each in _checks():
            await asyncio.sleep(settings.LIVE_CHECK / len(_checks()))
            await _done(hub, each)


async def checked(hub: Hub) -> None:
    """Do all checks once; one that fails lets the others be done."""
    for each in _checks():
        await _done(hub, each)


def _checks() -> Sequence[Callable[[Hub], Awaitable[None]]]:
    return _silent_closed, _sessions_checked, boards_checked, _tables_checked, homes_checked, _here_checked


async def _done(hub: Hub, check: Callable[[Hub], Awaitable[None]]) -> None:
    try:
        await check(hub)
    except Exception as error:  # noqa: BLE001 - the database or the cache is away; it is asked again
        hub.failed(check.__name__.strip("_"), error)


async def person_checked(hub: Hub, user_id: int) -> None:
    """Look closely at one person's sockets, of whom something has changed."""
    try:
        await sessions_checked(hub, hub.people.get(user_id, ()))
        hub.doubted(hub.people.get(user_id, ()))
        await asyncio.sleep(AGAIN)
        await sessions_checked(hub, hub.people.get(user_id, ()))
    except Exception as error:  # noqa: BLE001 - the next check finds it
        hub.failed("person", error)


async def invite_checked(hub: Hub, invite_id: int) -> None:
    """Look at the home of whoever an invitation is for."""
    try:
        if hub.people:
            for each in await hub.run(rooms.invited_by, invite_id):
                hub.doubted(hub.people.get(each, ()))
    except Exception as error:  # noqa: BLE001 - a home is looked at every two minutes anyway
        hub.failed("invite", error)


async def sessions_checked(hub: Hub, sockets: Collection[Socket]) -> None:
    """Close those of these sockets whose session is over."""
    by_key: defaultdict[str, list[Socket]] = defaultdict(list)
    for each in sockets:
        by_key[each.session].append(each)
    if not by_key:
        return
    over = await hub.run(rooms.ended, {key: (found[0].user_id, found[0].mark) for key, found in by_key.items()})
    for key in over:
        for each in by_key[key]:
            await each.stop(Close.NO_SESSION)


async def boards_checked(hub: Hub) -> None:
    """Send those boards that are not what their clients show."""
    if not hub.games:
        return
    found = await hub.run(rooms.versions_of, list(hub.games))
    for game, sockets in tuple(hub.games.items()):
        since = found.get(game)
        shown = "" if since is None else f"{since.version}.{since.revision}"
        for each in tuple(sockets):
            if each.since != shown:
                each.changed()


async def tables_checked(hub: Hub, tables: Collection[int]) -> dict[int, rooms.Company]:
    """Ask who sits at these tables; look closer at those who look on where that or a right has changed."""
    found = await hub.run(rooms.companies_of, tables)
    doubtful = set()
    for table, company in found.items():
        hub.seats[table] = company.shown
        if hub.rights.setdefault(table, company.rights) != company.rights:
            hub.rights[table] = company.rights
            doubtful.add(table)
    if doubtful:
        hub.doubted(each for group in tuple(hub.games.values()) for each in group if each.table_id in doubtful)
    return found


async def homes_checked(hub: Hub) -> None:
    """Send those homes of whose tables one has changed, and in turn those that were not looked at for long."""
    if hub.tables:
        marks = await hub.run(rooms.marks_of, list(hub.tables))
        for table, mark in marks.items():
            if hub.marks.setdefault(table, mark) != mark:
                hub.marks[table] = mark
                for home in tuple(hub.tables.get(table, ())):
                    home.changed()
    hub.marks = {table: mark for table, mark in hub.marks.items() if table in hub.tables}
    now = time.monotonic()
    for each in hub.sockets():
        if isinstance(each, HomeSocket) and now - each.looked > RENEWED:
            each.changed()


async def _silent_closed(hub: Hub) -> None:
    now = time.monotonic()
    # Newcomers, too: one of whom nobody can say for so long whose it is opens another one.
    for each in (*hub.sockets(), *hub.newcomers):
        if now - each.heard > settings.LIVE_SILENCE:
            await each.stop(Close.SILENT)
        else:
            # What failed is tried again.
            each.push()


async def _sessions_checked(hub: Hub) -> None:
    await sessions_checked(hub, hub.sockets())


async def _tables_checked(hub: Hub) -> None:
    tables = {each.table_id for group in hub.games.values() for each in group}
    if tables:
        await tables_checked(hub, tables)
    for kept in (hub.seats, hub.rights):
        for table in kept.keys() - tables:
            kept.pop(table, None)


async def _here_checked(hub: Hub) -> None:
    await hub.show_here(tuple(hub.games))
