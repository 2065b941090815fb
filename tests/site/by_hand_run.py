"""Runs what `.deploy/by-hand.md` says, word by word, in a copy of what the image holds."""

import contextlib
import http.client
import os
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tests.site.by_hand import by_hand, by_hand_environment, container_environment, printed
from tests.site.commands import ROOT, clean_environment
from tests.site.wire import Wire

PARTS: Final = ("web1", "web2", "worker", "beat", "proxy")
"""Who is kept running, in the order of the file."""


def until(said: Callable[[], bool], *, seconds: float = 120) -> None:
    """Wait for something to be so."""
    at_last = time.monotonic() + seconds
    while not said():
        assert time.monotonic() < at_last
        time.sleep(0.05)


def free_port() -> int:
    """A port that nobody has just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass
class ByHand:
    """A site: the folder of its code, its environment, its ports by name, and its parts that run."""

    folder: Path
    logs: Path
    env: dict[str, str]
    ports: dict[str, int]
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    found: dict[Path, int] = field(default_factory=dict)

    def command(self, line: str) -> list[str]:
        """A line of the file, for the ports here."""
        for name, usual in (("web1", "8001"), ("web2", "8002")):
            line = line.replace(f"--port {usual}", f"--port {self.ports[name]}")
        return shlex.split(line.replace(by_hand_environment()["BACKUP_TO"], self.env["BACKUP_TO"]))

    def ran(self, line: str) -> str:
        """What a line says that runs to its end, which must be a good one."""
        done = subprocess.run(
            self.command(line), cwd=self.folder, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr[-3000:])
        return done.stdout

    def start(self, name: str) -> None:
        """Start a part."""
        line = by_hand("run")[PARTS.index(name)]
        env = self.env | ({"DB_POOL": "6"} if name == "worker" else {})
        with (self.logs / name).open("ab") as log:
            self.running[name] = subprocess.Popen(
                self.command(line), cwd=self.folder, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def stop(self, name: str) -> int:
        """Tell a part to stop; its exit code."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        return process.wait(60)

    def log(self, name: str) -> str:
        """What a part has said."""
        return (self.logs / name).read_text()

    def files(self) -> dict[Path, int]:
        """Each file of the code, and when it was changed."""
        return {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")}

    def is_well(self, name: str) -> bool:
        """Whether a web says that it serves."""
        assert self.running[name].poll() is None, self.log(name)
        line = http.client.HTTPConnection("127.0.0.1", self.ports[name], timeout=5)
        try:
            line.request("GET", "/healthz", headers={"Host": "localhost"})
            return line.getresponse().status == 200
        except OSError:
            return False
        finally:
            line.close()

    @property
    def trust(self) -> ssl.SSLContext:
        """What a browser needs to believe the proxy: the root that it made for itself."""
        return ssl.create_default_context(cafile=str(self.logs / "caddy/pki/authorities/local/root.crt"))

    def serves(self) -> bool:
        """Whether the proxy leads to a web."""
        try:
            return Browser(self).ask("/healthz")[0] == 200
        except OSError:
            return False


def copied(to: Path) -> Path:
    """A folder that holds what the image gets, and its bytecode."""
    names = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for name in [*names, ".deploy"]:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name)
        else:
            shutil.copy2(ROOT / name, to / name)
    return to


@contextlib.contextmanager
def site_by_hand(tmp_path: Path, **changes: str) -> Iterator[ByHand]:
    """Give a site for which nothing has been done yet; whatever runs of it is ended afterwards."""
    folder, logs = tmp_path / "site", tmp_path / "kept"
    for each in (folder, logs, tmp_path / "backups"):
        each.mkdir()
    site = ByHand(copied(folder), logs, {}, {name: free_port() for name in ("web1", "web2", "https", "http", "admin")})
    # Caddy for this computer's own certificates, at ports that anybody may listen on.
    here = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SITE_HOST": "localhost",
        # Each has a computer of its own there.
        "METRICS_PORT": "0",
        "SITE_URL": f"https://localhost:{site.ports['https']}",
        "WEBS": " ".join(f"127.0.0.1:{site.ports[name]}" for name in ("web1", "web2")),
        "TLS": "internal",
        "HTTPS_PORT": str(site.ports["https"]),
        "HTTP_PORT": str(site.ports["http"]),
        "CADDY_ADMIN": f"127.0.0.1:{site.ports['admin']}",
        "XDG_DATA_HOME": str(logs),
        "BACKUP_TO": str(tmp_path / "backups"),
    }
    # What stands in by-hand.md, overlaid with what the containers get from the .env of this computer.
    inside = container_environment("web1", printed())
    site.env = clean_environment(by_hand_environment() | inside | here | changes)
    assert shutil.which("caddy", path=site.env["PATH"]), "no caddy: run make test, or install it (caddyserver.com)"
    try:
        yield site
    finally:
        for process in site.running.values():
            process.kill()
            process.wait()


type Answer = tuple[int, str, http.client.HTTPMessage]


@dataclass
class Browser:
    """Somebody who comes by the proxy, with their cookies."""

    site: ByHand
    cookies: dict[str, str] = field(default_factory=dict)
    trust: ssl.SSLContext | None = None

    @property
    def headers(self) -> dict[str, str]:
        """What they say of themselves: their cookies, and whose page asks."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies, "Origin": self.site.env["SITE_URL"]}

    def ask(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Answer:
        """Status, text and headers of a page; with a *form* it is posted. OSError or HTTPException if none comes."""
        self.trust = self.trust or self.site.trust
        line = http.client.HTTPSConnection("localhost", self.site.ports["https"], timeout=20, context=self.trust)
        own = self.headers | {"Content-Type": "application/x-www-form-urlencoded"} | headers
        with contextlib.closing(line):
            line.request("GET" if form is None else "POST", path, None if form is None else urlencode(form), own)
            answer = line.getresponse()
            text = answer.read().decode()
        for each in answer.headers.get_all("Set-Cookie", []):
            name, _, value = each.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, text, answer.headers

    def listen(self, path: str, at: str = "https") -> Wire:
        """A socket by the proxy, or at a web itself, with what the proxy would tell it."""
        line = socket.create_connection(("127.0.0.1", self.site.ports[at]), 20)
        own = self.headers | {"Host": f"localhost:{self.site.ports['https']}"}
        if at != "https":
            return Wire.open(line, path, **own, **{"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"})
        self.trust = self.trust or self.site.trust
        return Wire.open(self.trust.wrap_socket(line, server_hostname="localhost"), path, **own)
