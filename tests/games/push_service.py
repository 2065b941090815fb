"""A push service on this computer, and a browser's end of the encryption."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


@dataclass
class Browser:
    """The keys of a browser, by which it alone reads what is sent to it."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = bytes(range(16))

    @property
    def keys(self) -> dict[str, str]:
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": encoded(point), "auth": encoded(self.secret)}

    def read(self, body: bytes) -> dict[str, str]:
        """What a message says, decrypted as RFC 8291 has it."""
        text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        found: dict[str, str] = json.loads(text)
        return found


@dataclass
class Service:
    """What it was sent, as (path, headers, body), and what it answers, by path."""

    origin: str
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answers: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)


@contextmanager
def push_service() -> Iterator[Service]:
    """Run one until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        service: ClassVar[Service]

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.service.got.append((self.path, headers, body))
            status, extra = self.service.answers.get(self.path, (201, {}))
            self.send_response(status)
            for name, value in ({"Content-Length": "0"} | extra).items():
                self.send_header(name, value)
            self.end_headers()

        def do_GET(self) -> None:
            # Whoever follows a redirect may come so.
            self.do_POST()

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Handler.service = Service(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Handler.service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
