"""Browsers without a browser: pages over lines that stay open, and sockets; light enough for 800 sockets a process.

It speaks as the proxy of the site does: each person comes from an address of their own, by https.
"""

import asyncio
import base64
import contextlib
import itertools
import json
import os
import re
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any, Final, Self
from urllib.parse import urlencode

HOST: Final = "getaway.example"
ORIGIN: Final = f"https://{HOST}"
TOKEN: Final = "a" * 32
AT: Final = re.compile(r'data-version="(\d+)" data-mine="\d+" data-revision="(\d+)"')
_places = itertools.count(1)
type At = tuple[int, int]


class Gone(Exception):
    """The other side has closed, or never answered."""


def place() -> str:
    """An address that nobody else comes from."""
    number = next(_places)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@dataclass(slots=True)
class Person:
    """Somebody who is signed in, by the cookies of their browser."""

    cookie: str
    place: str = field(default_factory=place)

    def headers(self) -> str:
        return (
            f"Host: {HOST}\r\nOrigin: {ORIGIN}\r\nCookie: {self.cookie}\r\n"
            f"X-Forwarded-Proto: https\r\nX-Forwarded-For: {self.place}\r\n"
        )


class Line:
    """A connection over which one page after the other is asked for; it is made anew when it has broken."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, person: Person) -> tuple[int, str]:
        """Return status and body of a page."""
        return await self._asked(f"GET {path} HTTP/1.1\r\n{person.headers()}\r\n".encode())

    async def post(self, path: str, person: Person, **form: Any) -> tuple[int, str]:
        """Post a form as the page's script does, and return status and body of the answer."""
        body = urlencode(form)
        kind = "Content-Type: application/x-www-form-urlencoded\r\nHX-Request: true\r\n"
        token = f"X-CSRFToken: {TOKEN}\r\nContent-Length: {len(body)}\r\n"
        return await self._asked(f"POST {path} HTTP/1.1\r\n{person.headers()}{kind}{token}\r\n{body}".encode())

    def close(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None

    async def _asked(self, request: bytes, patience: float = 20) -> tuple[int, str]:
        """Raise Gone if there is no whole answer."""
        try:
            async with asyncio.timeout(patience):
                if self._ends is None:
                    self._ends = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 18)
                reader, writer = self._ends
                writer.write(request)
                return await _answer(reader)
        except (OSError, EOFError, TimeoutError) as error:
            self.close()
            raise Gone(type(error).__name__) from None


async def _answer(reader: asyncio.StreamReader) -> tuple[int, str]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin1").lower()
    status = int(head.split(" ", 2)[1])
    if "content-length:" in head:
        size = int(head.partition("content-length:")[2].split("\r\n", 1)[0])
        return status, (await reader.readexactly(size)).decode()
    parts = []
    while status not in (204, 304):
        size = int(await reader.readline(), 16)
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
        if not size:
            break
    return status, b"".join(parts).decode()


def at_of(html: str) -> At:
    """The version and revision of a board, (-1, -1) if it is none."""
    found = AT.search(html)
    return (int(found[1]), int(found[2])) if found else (-1, -1)


@dataclass(slots=True, eq=False)
class Socket:
    """An open socket; `code` is why it was closed."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    code: int | None = None

    @classmethod
    async def open(cls, port: int, path: str, person: Person, patience: float = 30) -> Self:
        """Raise Gone if it is not accepted."""
        writer = None
        try:
            async with asyncio.timeout(patience):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16)
                writer.write(f"GET {path} HTTP/1.1\r\n{person.headers()}{_upgrade()}\r\n".encode())
                head = await reader.readuntil(b"\r\n\r\n")
        except (OSError, EOFError, TimeoutError) as error:
            if writer is not None:
                writer.close()
            raise Gone(type(error).__name__) from None
        if b" 101 " in head[:20]:
            return cls(reader, writer)
        writer.close()
        raise Gone(head.split(b"\r\n", 1)[0].decode())

    async def frame(self) -> bytes | Any:
        """Wait for what comes next: a board (bytes, as it is on the line) or news (what the JSON says).

        Raises:
            Gone: it was closed.
        """
        try:
            while True:
                kind, data = await self._raw()
                if kind == 2 or (kind == 1 and data[:1] == b"<"):
                    return data
                if kind == 1:
                    return json.loads(data)
                if kind == 8:
                    self.code = struct.unpack("!H", data[:2])[0] if data else None
                    self.close()
                    raise Gone(str(self.code))
                if kind == 9:
                    self._send(10, data)
        except (OSError, EOFError) as error:
            self.close()
            raise Gone(type(error).__name__) from None

    async def _raw(self) -> tuple[int, bytes]:
        first, size = await self.reader.readexactly(2)
        if size == 126:
            [size] = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            [size] = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 15, await self.reader.readexactly(size)

    def shown(self, at: At, *, seen: bool = True) -> None:
        """Tell the site what this page shows: the heartbeat."""
        self.says(f"{at[0]}.{at[1]}", seen=seen)

    def says(self, at: str, *, seen: bool = True) -> None:
        """The same in the site's own words."""
        self._send(1, json.dumps({"at": at, "seen": int(seen)}, separators=(",", ":")).encode())

    def ping(self, data: bytes) -> None:
        self._send(9, data)

    def _send(self, kind: int, data: bytes) -> None:
        # A mask must be there; one of zeros masks nothing and costs nothing.
        with contextlib.suppress(OSError):
            self.writer.write(bytes([0x80 | kind, 0x80 | len(data)]) + b"\0\0\0\0" + data)

    def close(self) -> None:
        self.writer.close()


def _upgrade() -> str:
    key = base64.b64encode(os.urandom(16)).decode()
    return f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"


def html_of(data: bytes, most: int = 0) -> str:
    """The HTML of a board as it came, or about the first *most* signs of it."""
    if data[:1] == b"<":
        return data.decode()
    return zlib.decompressobj(-15).decompress(data, most).decode(errors="ignore")
