"""A mail server that takes everything and keeps nothing."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Taking(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        in_mail = False
        for line in self.rfile:
            if in_mail:
                in_mail = line != b".\r\n"
                answer = b"" if in_mail else b"250 taken\r\n"
            else:
                word = line[:4].upper()
                in_mail = word == b"DATA"
                answer = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}.get(word, b"250 ok\r\n")
            self.wfile.write(answer)
            if answer.startswith(b"221"):
                return


@contextmanager
def caught() -> Iterator[int]:
    """The port of such a server."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Taking) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()
