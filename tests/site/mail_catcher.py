"""A mail server that takes everything and keeps nothing."""

import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class _Taking(socketserver.StreamRequestHandler):
    says: Mapping[bytes, bytes] = {}

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        in_mail, word = False, b""
        for line in self.rfile:
            if in_mail:
                in_mail = line != b".\r\n"
                answer = b"" if in_mail else b"250 taken\r\n"
            else:
                word = line.partition(b" ")[0].strip().upper()
                in_mail = word == b"DATA"
                answer = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n", **self.says}.get(word, b"250 ok\r\n")
            self.wfile.write(answer)
            if answer.startswith(b"221"):
                return
            if word == b"STARTTLS" and answer.startswith(b"220"):
                self._speaks_no_tls()
                return

    def _speaks_no_tls(self) -> None:
        self.rfile.read(1)
        self.wfile.write(b"What is this?\r\n")
        self.rfile.read()


@contextmanager
def caught(**says: bytes) -> Iterator[int]:
    """The port of such a server; what it *says* to a command may be something else."""
    handler = type("Saying", (_Taking,), {"says": {word.encode(): answer for word, answer in says.items()}})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()
