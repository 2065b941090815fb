"""A socket of the site as a browser opens it, read and written at once."""

import base64
import os
import socket
import struct
from dataclasses import dataclass
from typing import IO, Self


@dataclass
class Wire:
    """An open socket."""

    line: socket.socket
    read: IO[bytes]

    @classmethod
    def open(cls, line: socket.socket, path: str, **headers: str) -> Self:
        """Ask for a socket on a connection, which is the wire's from now on; AssertionError if it is refused."""
        key = base64.b64encode(os.urandom(16)).decode()
        own = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"}
        said = "".join(f"{name}: {value}\r\n" for name, value in (headers | own).items())
        line.sendall(f"GET {path} HTTP/1.1\r\n{said}\r\n".encode())
        wire = cls(line, line.makefile("rb"))
        answer = [wire.read.readline()]
        while answer[-1] not in (b"\r\n", b""):
            answer.append(wire.read.readline())
        assert b" 101 " in answer[0], answer
        return wire

    def say(self, text: str) -> None:
        """Send a short text."""
        data, mask = text.encode(), os.urandom(4)
        assert len(data) < 126
        self.line.sendall(
            bytes([0x81, 0x80 | len(data)]) + mask + bytes(one ^ mask[at % 4] for at, one in enumerate(data))
        )

    def hear(self) -> str:
        """The next text; EOFError once the socket is closed or cut, TimeoutError after the connection's time."""
        while True:
            first, size = self._exactly(2)
            if size in (126, 127):
                [size] = struct.unpack("!H" if size == 126 else "!Q", self._exactly(2 if size == 126 else 8))
            data = self._exactly(size)
            if first & 15 == 8:
                raise EOFError(struct.unpack("!H", data[:2])[0] if data else None)
            if first & 15 == 1:
                return data.decode()

    def close(self) -> None:
        """Hang up."""
        self.read.close()
        self.line.close()

    def _exactly(self, size: int) -> bytes:
        data = self.read.read(size)
        if len(data) < size:
            raise EOFError
        return data
