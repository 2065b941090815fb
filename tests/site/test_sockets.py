"""Sockets at the door of the site."""

import pytest
from channels.testing import WebsocketCommunicator

from bhabhi_site.asgi import application


@pytest.mark.parametrize("path", ["/", "/ws/", "/games/bcdfgh2345/", "/%00"])
async def test_a_socket_that_is_not_there_is_turned_away(path: str) -> None:
    talk = WebsocketCommunicator(application, path, headers=[(b"origin", b"http://localhost")])
    accepted, _ = await talk.connect()
    assert not accepted
    await talk.wait()
