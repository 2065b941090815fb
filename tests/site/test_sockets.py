"""Sockets at the door of the site, and what they are sent, in one process."""

import json
import zlib
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings

from bhabhi_site.asgi import application
from games.models import Game
from games.selectors.games import game_state
from tests.games.pages import client_of
from tests.games.stored import chosen, game_of, people, play

HOME = b"http://testserver"


def socket_to(path: str, *, cookie: str = "", origin: bytes | None = HOME, host: bytes = b"testserver") -> Any:
    headers = [(b"host", host), (b"cookie", cookie.encode())]
    if origin is not None:
        headers.append((b"origin", origin))
    return WebsocketCommunicator(application, path, headers=headers)


def cookie_of(user: Any) -> str:
    found = client_of(user).cookies[settings.SESSION_COOKIE_NAME].value
    return f"{settings.SESSION_COOKIE_NAME}={found}"


def html_of(message: dict[str, Any]) -> str:
    return zlib.decompress(message["bytes"], -15).decode()


@pytest.mark.parametrize("path", ["/", "/ws/", "/games/bcdfgh2345/", "/%00", "/ws/games/", "/ws/games/a/b/"])
async def test_a_socket_that_is_not_there_is_turned_away(path: str) -> None:
    talk = socket_to(path)
    accepted, _ = await talk.connect()
    assert not accepted
    await talk.wait()


@pytest.mark.django_db(transaction=True)
async def test_a_table_is_sent_each_board() -> None:
    def begun() -> tuple[Game, str]:
        users = people(4)
        return game_of(persons=users), cookie_of(users[1])

    game, cookie = await sync_to_async(begun)()
    talk = socket_to(f"/ws/games/{game.code}/?since=0.1", cookie=cookie)
    assert (await talk.connect())[0]
    assert await talk.receive_output(5) == {"type": "websocket.send", "text": '{"here":[]}'}
    state = await sync_to_async(game_state)(game)
    await sync_to_async(play)(game, chosen(state, state.power))
    assert 'data-version="1"' in html_of(await talk.receive_output(5))
    await talk.send_to(text_data=json.dumps({"at": "1.2", "seen": 1}))
    assert await talk.receive_output(5) == {"type": "websocket.send", "text": '{"ok":1}'}
    assert await talk.receive_output(5) == {"type": "websocket.send", "text": '{"here":[1]}'}
    await talk.disconnect()
