"""Sockets that were just accepted: whose they are, and whether those may look, is asked for many at once.

After a restart thousands come in the same seconds.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from django.conf import settings

from games.live import rooms
from games.live.checks import check, tables_checked
from games.live.ear import Ear
from games.live.hub import Hub, hub
from games.live.places import HomeSocket, TableSocket
from games.live.sockets import Close, Socket

AT_ONCE: Final = 50
"""How many newcomers are asked about together."""

OPENED_A_MINUTE: Final = 60
"""How many sockets one person may open in a minute; an address as many, or as many as it may have."""


AGAIN: Final = 1.0
"""After how many seconds it is asked again what nobody could say."""


class _Known(NamedTuple):
    visitors: dict[str, rooms.Visitor]
    places: dict[str, rooms.Place]
    tables: dict[int, frozenset[int]]


def opened(socket: Socket) -> None:
    """Take in a socket that was just accepted; it is closed if it may not be here, and else told what is new."""
    hub.newcomers.append(socket)
    if len(hub.newcomers) == 1:
        hub.spawn(_judge(hub))


def begun() -> None:
    """Begin to listen and to check, with the first socket of this process."""
    ear = Ear(hub)
    hub.begin(lambda _: ear.listen(), lambda _: ear.stay(), check)


async def _judge(hub: Hub) -> None:
    many = AT_ONCE
    while hub.newcomers:
        batch = [each for each in hub.newcomers if not each.closed][:many]
        try:
            await _judged(hub, batch)
        except Exception as error:  # noqa: BLE001 - the database is away; they wait for it
            hub.failed("newcomers", error)
            # Few and fewer of those last with whom it failed: one with whom it always does keeps nobody from the door.
            hub.newcomers = [*(each for each in hub.newcomers if each not in set(batch)), *batch]
            many = 1
            await asyncio.sleep(AGAIN)
            continue
        many = min(many * 2, AT_ONCE)
        done = set(batch)
        hub.newcomers = [each for each in hub.newcomers if each not in done and not each.closed]


async def _judged(hub: Hub, batch: Sequence[Socket]) -> None:
    known = await hub.run(_asked, batch)
    for each in batch:
        if each.joined or each.closed:
            continue
        why = _refusal(each, known)
        if why is None:
            hub.join(each)
        else:
            await each.stop(why)
    # Asked once they have joined: what changes from now on rings for them.
    await _welcomed(hub, [each for each in batch if isinstance(each, TableSocket) and each.joined])
    for each in batch:
        if isinstance(each, HomeSocket):
            each.changed()


def _asked(batch: Sequence[Socket]) -> _Known:
    visitors = rooms.visitors_of({each.session for each in batch})
    homes = {
        visitors[each.session].user_id for each in batch if isinstance(each, HomeSocket) if each.session in visitors
    }
    tables = rooms.tables_of({each for each in homes if each is not None})
    return _Known(visitors, rooms.places_of({each.code for each in batch if isinstance(each, TableSocket)}), tables)


def _refusal(socket: Socket, known: _Known) -> Close | None:
    """Take note of what is known of a newcomer; return why it may not stay, if it may not."""
    visitor = known.visitors.get(socket.session)
    stranger = visitor is None or (visitor.user_id is None and (isinstance(socket, HomeSocket) or not visitor.invited))
    if visitor is None or stranger:
        return Close.NO_SESSION
    if isinstance(socket, TableSocket):
        place = known.places.get(socket.code)
        if place is None:
            return Close.NOT_FOUND
        socket.game_id, socket.table_id = place
    elif isinstance(socket, HomeSocket):
        socket.tables = known.tables.get(visitor.user_id or 0, frozenset())
    most, person = settings.SOCKETS_PER_PERSON, visitor.user_id
    if person is not None and not hub.limits.came(person, most=most, a_minute=max(OPENED_A_MINUTE, most)):
        return Close.TOO_MANY
    socket.user_id, socket.mark, socket.invited = visitor
    return None


async def _welcomed(hub: Hub, sockets: Sequence[TableSocket]) -> None:
    """Send newcomers what is newer than what they show; look closely at those who have no seat there."""
    if not sockets:
        return
    versions = await hub.run(rooms.versions_of, {each.game_id for each in sockets})
    companies = await tables_checked(hub, {each.table_id for each in sockets})
    for each in sockets:
        company, since = companies.get(each.table_id), versions.get(each.game_id)
        each.fit = company is not None and each.user_id in company.people
        if not each.fit:
            each.doubted()
        elif since is None or each.since != f"{since.version}.{since.revision}":
            each.changed()
        else:
            await each.answer()
    await hub.show_here({each.game_id for each in sockets})
