"""The ear of a process: it hears the rings of all processes, and comes back by itself when Redis does."""

import asyncio
from typing import Any, Final

from channels.layers import get_channel_layer
from django.conf import settings

from games.effects import RINGS
from games.live.checks import boards_checked, homes_checked, invite_checked, person_checked
from games.live.hub import Hub

LONGEST_WAIT: Final = 5.0
"""The most seconds between two tries to hear again."""

_PATIENCE: Final = 2.0
"""For how many seconds the layer may think about listing this process once more."""


class Ear:
    """What hears for one hub."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._channel: str | None = None

    async def listen(self) -> None:
        """Hear rings and pass them on, for ever."""
        wait = 0.1
        while True:
            try:
                layer = await self._listed()
                wait = 0.1
                while True:
                    self._heard(await layer.receive(self._channel))
            except Exception as error:  # noqa: BLE001 - layers fail in ways of their own
                self._hub.failed("ear", error)
                await asyncio.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT)

    async def stay(self) -> None:
        """Say again and again that this process listens: a group forgets who has not said so for long."""
        while settings.LIVE_CHECK:
            await asyncio.sleep(settings.LIVE_CHECK)
            try:
                if self._channel is not None:
                    await asyncio.wait_for(_layer().group_add(RINGS, self._channel), _PATIENCE)
            except Exception as error:  # noqa: BLE001 - layers fail in ways of their own
                self._hub.failed("listing", error)

    async def _listed(self) -> Any:
        layer = _layer()
        self._channel = await layer.new_channel()
        await layer.group_add(RINGS, self._channel)
        # What rang while nobody listened.
        await boards_checked(self._hub)
        await homes_checked(self._hub)
        return layer

    def _heard(self, ring: dict[str, Any]) -> None:
        """Pass a ring on; whatever goes wrong with it, the next one is heard."""
        try:
            if ring["type"] == "person.changed":
                self._hub.spawn(person_checked(self._hub, ring["person"]))
            elif ring["type"] == "invite.changed":
                self._hub.spawn(invite_checked(self._hub, ring["invite"]))
            else:
                self._hub.rung(ring)
        except Exception as error:  # noqa: BLE001 - the next check finds what it told of
            self._hub.failed("ring", error)


def _layer() -> Any:
    return get_channel_layer()
