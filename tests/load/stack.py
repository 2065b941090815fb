"""The whole site as production runs it, on loopback: pages, worker, clock, PostgreSQL that keeps its word, Redis."""

import contextlib
import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from services import Server, ensure_programs, folder, free_port, postgres, redis

from tests.site.commands import PRODUCTION, ROOT, clean_environment

# As the image starts it, but for address and port.
WEB: Final = ("bhabhi_site.web", "--verbosity", "0", "--bind", "{host}", "--port", "{port}", "--no-server-name")
WEB_MORE: Final = ("--websocket-max-message-size", "65536", "bhabhi_site.asgi:application")
CELERY: Final = ("celery", "--app", "bhabhi_site")
WORKER: Final = (*CELERY, "worker", "--pool", "threads", "--concurrency", "4", "--loglevel", "info")
BEAT: Final = (*CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "info")


@dataclass
class Stack:
    """Servers by name (postgres, redis, web1 ..., worker, beat), the ports of the pages, and the environment of all."""

    env: dict[str, str]
    servers: dict[str, Server] = field(default_factory=dict)
    ports: list[int] = field(default_factory=list)

    @property
    def database(self) -> str:
        """Where PostgreSQL is."""
        return self.env["DATABASE_URL"]

    def python(self, *arguments: str) -> str:
        """Run a program of Python's in the environment of the stack, and return what it says."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def made(self, what: str, **wanted: Any) -> Any:
        """Let `tests.load.made` do something in the stack's database."""
        return json.loads(self.python("-m", "tests.load.made", what, json.dumps(wanted)))

    def log(self) -> str:
        """What the site's own parts have said so far."""
        own = [server for name, server in self.servers.items() if name not in ("postgres", "redis")]
        return "".join(each.log.read_text() for each in own)

    def memory(self, name: str) -> int:
        """How much memory a part holds, in KB."""
        said = Path(f"/proc/{self.servers[name].pid}/status").read_text()
        return int(said.partition("VmRSS:")[2].split()[0])


@contextlib.contextmanager
def stack(*, webs: int = 1, worker: bool = True, like: str = "", **changes: str) -> Iterator[Stack]:
    """Give a site that runs, with so many processes of pages; *changes* are of its environment.

    Its tables are those of the PostgreSQL database at *like*, which takes a tenth of migrating.
    """
    programs = ensure_programs()
    with ExitStack() as held:
        database, at = postgres(programs.initdb, held.enter_context(folder()), durable=True)
        queue, there = redis(programs.redis, held.enter_context(folder()))
        own = held.enter_context(folder())
        found = Stack(_environment(at, there, changes), {"postgres": database, "redis": queue})
        for each in (database, queue):
            held.enter_context(each.running())
        if like:
            _copied(like, at)
        else:
            found.python("manage.py", "migrate", "--verbosity", "0")
        parts = [_web(found, own / f"web{number + 1}") for number in range(webs)]
        if worker:
            parts += [_celery(found, own / "worker", WORKER), _celery(found, own / "beat", BEAT)]
        for part in parts:
            held.enter_context(part.running())
        yield found


def postgres_program(name: str) -> str:
    """The path of a program that comes with PostgreSQL's server."""
    beside = Path(ensure_programs().initdb).resolve().with_name(name)
    return str(beside) if beside.exists() else shutil.which(name) or name


def _copied(here: str, there: str) -> None:
    """Make the tables of one database in another, empty."""
    schema = subprocess.run(
        [postgres_program("pg_dump"), "--schema-only", "--no-owner", here], capture_output=True, check=True
    )
    into = [postgres_program("psql"), "--quiet", "--set", "ON_ERROR_STOP=1", there]
    subprocess.run(into, input=schema.stdout, stdout=subprocess.DEVNULL, check=True)


def _environment(database: str, queue: str, changes: Mapping[str, str]) -> dict[str, str]:
    """Return production's environment behind a proxy, which is the client itself."""
    wanted = {
        "DJANGO_SETTINGS_MODULE": "tests.load.settings",
        "ALLOWED_HOSTS": "getaway.example",
        "DATABASE_URL": database,
        "REDIS_URL": queue,
        "PROXIES": "1",
        # A few clients ask for everybody.
        "REQUESTS_PER_READER": "1000000",
        "REQUESTS_PER_ADDRESS": "1000000",
    }
    return clean_environment({**PRODUCTION, **wanted, **changes})


def _web(stack: Stack, own: Path) -> Server:
    own.mkdir()
    port = free_port()
    stack.ports.append(port)
    command = [each.format(host="127.0.0.1", port=port) for each in (*WEB, *WEB_MORE)]

    def ready(_: int) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: getaway.example\r\nConnection: close\r\n\r\n")
            return line.recv(16).startswith(b"HTTP/1.1 200")
        return False

    # SIGTERM would give a proxy time to notice.
    server = Server([sys.executable, "-m", *command], own, ready, signal.SIGINT, cwd=ROOT, env=stack.env)
    stack.servers[own.name] = server
    return server


def _celery(stack: Stack, own: Path, command: tuple[str, ...]) -> Server:
    own.mkdir()
    server = Server([sys.executable, "-m", *command], own, lambda pid: _said_ready(server), cwd=ROOT, env=stack.env)
    stack.servers[own.name] = server
    return server


def _said_ready(server: Server) -> bool:
    said = server.said()
    return " ready." in said or "beat: Starting" in said
