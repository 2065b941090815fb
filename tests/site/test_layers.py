import asyncio
import threading
import time

from asgiref.sync import async_to_sync

from bhabhi_site.layers import OneProcessChannelLayer


async def test_another_thread_wakes_a_waiting_socket_at_once() -> None:
    layer = OneProcessChannelLayer()
    await layer.group_add("game.1", "one")
    waiting = asyncio.create_task(layer.receive("one"))
    await asyncio.sleep(0.05)
    began = time.monotonic()
    ring = threading.Thread(target=async_to_sync(layer.group_send), args=("game.1", {"type": "ring", "game": 1}))
    ring.start()
    assert await asyncio.wait_for(waiting, 5) == {"type": "ring", "game": 1}
    assert time.monotonic() - began < 2
    await asyncio.to_thread(ring.join)


async def test_the_same_loop_rings_directly() -> None:
    layer = OneProcessChannelLayer()
    await layer.group_add("game.1", "one")
    await layer.group_send("game.1", {"type": "ring"})
    assert await layer.receive("one") == {"type": "ring"}


def test_ringing_before_anybody_listens_or_after_the_server_is_gone_does_no_harm() -> None:
    layer = OneProcessChannelLayer()
    async_to_sync(layer.group_send)("game.1", {"type": "ring"})

    async def listen() -> None:
        await layer.group_add("game.1", "one")
        await layer.group_send("game.1", {"type": "ring"})
        await layer.receive("one")

    asyncio.run(listen())
    async_to_sync(layer.group_send)("game.1", {"type": "ring"})
