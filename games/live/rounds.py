"""Sockets are served in rounds: all of a game that wait for something by one job in one thread, a home by itself."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.live.hub import hub

if TYPE_CHECKING:
    from games.live.sockets import Socket


def begin(socket: "Socket") -> None:
    """Begin with the rounds of a socket's room, unless they are under way: those go on while anybody waits."""
    if socket.waits and socket.room not in hub.rounds:
        hub.rounds.add(socket.room)
        hub.spawn(_rounds(socket))


async def _rounds(first: "Socket") -> None:
    failed: set[Socket] = set()
    try:
        # No waiting between the last look at who waits and the end: nobody is missed.
        while waiting := [each for each in first.fellows() if each.waits and each not in failed]:
            failed.update(await _round(waiting))
    finally:
        hub.rounds.discard(first.room)


async def _round(sockets: Sequence["Socket"]) -> list["Socket"]:
    """Serve these; return those for whom it failed, to whom the hub comes back."""
    shown = [each.taken() for each in sockets]
    try:
        found = await hub.run(type(sockets[0]).all_news, sockets, shown)
    except Exception as error:  # noqa: BLE001 - the database is away, say
        found = [error] * len(sockets)
    served = [await each.served(before, news) for each, before, news in zip(sockets, shown, found, strict=True)]
    return [each for each, done in zip(sockets, served, strict=True) if not done]
