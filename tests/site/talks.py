"""Sockets for tests, in this process: what a browser would hear."""

import json
import zlib
from collections.abc import Callable
from typing import Any, Final

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings

from accounts.models import User
from bhabhi_site.asgi import application
from games.models import Game
from games.selectors.games import game_state
from tests.games.pages import client_of
from tests.games.stored import chosen, game_of, people, play

OURS: Final = b"http://testserver"


class Talk(WebsocketCommunicator):
    """A socket; `closed` is the code that it was closed with."""

    def __init__(
        self,
        path: str,
        cookie: str = "",
        *,
        origin: bytes | None = OURS,
        host: bytes = b"testserver",
        headers: tuple[tuple[bytes, bytes], ...] = (),
    ) -> None:
        own = [(b"host", host), (b"cookie", cookie.encode("latin1")), *headers]
        super().__init__(application, path, headers=own if origin is None else [*own, (b"origin", origin)])

    async def opened(self) -> "Talk":
        accepted, _ = await self.connect(timeout=5)
        assert accepted
        return self

    async def beat(self, at: str, seen: int = 0) -> None:
        await self.send_to(text_data=json.dumps({"at": at, "seen": seen}))

    async def heard(self) -> dict[str, Any]:
        """The next thing that is said: {"board": html}, {"close": code}, or what the text says."""
        message = await self.receive_output(5)
        if message["type"] == "websocket.close":
            return {"close": message["code"]}
        if message.get("bytes"):
            return {"board": zlib.decompress(message["bytes"], -15).decode()}
        if message["text"].startswith("<"):
            return {"plain": message["text"]}
        found: dict[str, Any] = json.loads(message["text"])
        return found

    async def board(self) -> str:
        """The next board; what is said before it is passed over."""
        while "board" not in (found := await self.heard()):
            assert "close" not in found, found
        return str(found["board"])

    async def closed(self) -> int:
        """The code with which it is closed; what is said before is passed over."""
        while "close" not in (found := await self.heard()):
            pass
        return int(found["close"])

    async def gone(self) -> None:
        await self.disconnect(timeout=5)


def cookie_of(user: User) -> str:
    return f"{settings.SESSION_COOKIE_NAME}={client_of(user).cookies[settings.SESSION_COOKIE_NAME].value}"


async def in_thread[**P, R](act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    return await sync_to_async(act)(*args, **kwargs)


def moved(game: Game) -> Game:
    """Play a card."""
    state = game_state(game)
    play(game, chosen(state, state.awaited[0]), version=state.entries)
    game.refresh_from_db()
    return game


def at_of(game: Game) -> str:
    return f"{game.version}.{game.revision}"


type World = tuple[Game, list[User], list[str]]


def world() -> World:
    """A game of four people, and the cookie of each."""
    users = people(4)
    return game_of(persons=users), users, [cookie_of(each) for each in users]


def path_of(game: Game, since: str | None = None, more: str = "") -> str:
    return f"/ws/games/{game.code}/?since={at_of(game) if since is None else since}{more}"
