"""The channel layer of the embedded default."""

import asyncio
from typing import Any

from channels.layers import InMemoryChannelLayer


class OneProcessChannelLayer(InMemoryChannelLayer):
    """Channels' in-memory layer, which other threads of the process may ring as well.

    A queue of the in-memory layer belongs to the event loop that waits on it: filled from a worker thread's loop, it
    does not wake the waiting socket for most of a second. This one learns the server's loop from whoever receives on
    it, and hands what comes from elsewhere over to that loop.
    """

    _home: asyncio.AbstractEventLoop | None = None

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait for the next message on *channel*; the caller's loop is the one that sockets live on."""
        self._home = asyncio.get_running_loop()
        return await super().receive(channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send *message* to every channel of *group*, on the loop that its sockets live on."""
        home = self._home
        if home is None or home is asyncio.get_running_loop() or not home.is_running():
            await super().group_send(group, message)
            return
        sent = asyncio.run_coroutine_threadsafe(super().group_send(group, message), home)
        await asyncio.wrap_future(sent)
