"""PostgreSQL, Redis and Chromium for the tests, with nothing but the standard library.

Servers listen on loopback, keep their files in a temporary folder and stop with the `with` block, however it ends.
"""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

AS_ROOT = os.getuid() == 0
# Seconds in which a server must accept connections, and in which it must end.
PATIENCE = 60.0

_PACKAGES = {"initdb": "postgresql", "redis-server": "redis-server", "chromium": "chromium"}
_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The same Chromium without windows takes two thirds of its time; not every system has it.
_SHELL = "chromium-headless-shell"
_POSTGRES_FOLDERS = (
    "usr/lib/postgresql/*/bin",
    "usr/pgsql-*/bin",
    "opt/homebrew/opt/postgresql*/bin",
    "usr/local/opt/postgresql*/bin",
)


@dataclass(frozen=True)
class Programs:
    """The paths of what the tests need; empty where there is none."""

    initdb: str
    redis: str
    chromium: str

    def missing(self) -> list[str]:
        """Return the Debian packages that would bring what is not there."""
        found = {"initdb": self.initdb, "redis-server": self.redis, "chromium": self.chromium}
        return [_PACKAGES[name] for name, path in found.items() if not path]


def find_programs() -> Programs:
    """Look for the programs on PATH and, for PostgreSQL 15 or later, where systems hide its server."""
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _CHROMIUMS)), "")
    return Programs(_find_initdb(), shutil.which("redis-server") or shutil.which("valkey-server") or "", chromium)


def _find_initdb() -> str:
    on_path = shutil.which("initdb")
    hidden = [f"{folder}/initdb" for pattern in _POSTGRES_FOLDERS for folder in Path("/").glob(pattern)]
    for path in [on_path, *hidden] if on_path else hidden:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
        # It says: initdb (PostgreSQL) 15.18 (Debian and so on).
        if int(said.split()[2].split(".")[0]) >= 15:
            return path
    return ""


def ensure_programs() -> Programs:
    """Return the programs; as root install the missing ones first, otherwise say in one line how to and exit."""
    programs = find_programs()
    missing = programs.missing()
    if missing and AS_ROOT and shutil.which("apt-get"):
        _apt_install(missing)
        if "chromium" in missing:
            _apt_install([_SHELL])
        programs = find_programs()
        missing = programs.missing()
    if missing:
        sys.exit(
            "getaway: the tests need PostgreSQL 15+, Redis and Chromium on this computer; run once: "
            f"sudo apt-get update && sudo apt-get install -y {' '.join(missing)}"
        )
    return programs


def _apt_install(packages: list[str]) -> None:
    print(f"getaway: installing {', '.join(packages)}", file=sys.stderr, flush=True)
    # Run level 1 tells Debian's packages not to start a server of their own.
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    for command in (["apt-get", "update", "-q"], install):
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)


def _server_owner() -> dict[str, Any]:
    """Return whom a server runs as, for Popen: PostgreSQL refuses to be root."""
    if not AS_ROOT:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def free_port() -> int:
    """Return a port of this computer that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A program that listens on loopback; killed, it can be started again on what it has kept.

    It runs in a session of its own: Ctrl-C is for the tests, which it must outlive. `ready` is asked with its process
    id, `stop` is the signal that ends it in order.
    """

    def __init__(
        self,
        command: list[str],
        folder: Path,
        ready: Callable[[int], bool],
        stop: signal.Signals = signal.SIGTERM,
        **options: Any,
    ) -> None:
        self.command, self.folder, self.log = command, folder, folder / "log"
        self._ready, self._stop, self._options = ready, stop, {"cwd": folder} | options
        self._process: subprocess.Popen[Any] | None = None
        self._begun = 0

    def said(self) -> str:
        """Return what it has said since it was started last."""
        with self.log.open("rb") as file:
            file.seek(self._begun)
            return file.read().decode(errors="replace")

    @property
    def pid(self) -> int:
        """The id of its process, 0 if it does not run."""
        return 0 if self._process is None else self._process.pid

    def start(self) -> None:
        """Run it and wait until it answers."""
        self._begun = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as out:
            self._process = process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, **self._options
            )
        until = time.monotonic() + PATIENCE
        while not self._ready(process.pid):
            if process.poll() is not None or time.monotonic() > until:
                sys.exit(f"getaway: {self.command[0]} did not start:\n{self.said()[-2000:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End it and its children at once, as a loss of power would."""
        if self._process is None:
            return
        self._signalled(signal.SIGKILL)
        self._process.wait()
        self._process = None

    def hang(self) -> None:
        """Let it and its children do nothing more, and close nothing: what they are sent is never answered."""
        self._signalled(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on where it hung."""
        self._signalled(signal.SIGCONT)

    def _signalled(self, number: signal.Signals) -> None:
        for each in (self.pid, *_children(self.pid)) if self.pid else ():
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, number)

    def stop(self) -> None:
        """End it in order."""
        if self._process is None:
            return
        self._process.send_signal(self._stop)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Run it until the block ends."""
        try:
            self.start()
            yield
        finally:
            self.stop()


def _children(pid: int) -> list[int]:
    # Where there is no /proc they notice by themselves.
    with contextlib.suppress(OSError):
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def postgres(initdb: str, folder: Path, *, durable: bool = False) -> tuple[Server, str]:
    """Return a PostgreSQL that has not been started, and its address.

    It forgets everything when it is killed, unless *durable*: then what it has said to be stored is.
    """
    password = secrets.token_hex(16)
    kept = folder / "password"
    kept.write_text(password)
    _give_away(kept)
    data = folder / "data"
    make = [initdb, "-D", str(data), "-U", "getaway", "-E", "UTF8", "--no-locale", "--no-sync"]
    made = subprocess.run(
        [*make, "-A", "scram-sha-256", f"--pwfile={kept}"],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        **_server_owner(),
    )
    if made.returncode:
        sys.exit(f"getaway: initdb failed:\n{made.stderr[-2000:]}")
    port = free_port()
    how = (*(() if durable else _QUICK), "max_connections=200")
    where = ("listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={folder}")
    options = [part for option in (*how, *where) for part in ("-c", option)]
    pid_file = data / "postmaster.pid"

    def ready(pid: int) -> bool:
        said = pid_file.read_text() if pid_file.exists() else ""
        # The file of one that was killed lies there still.
        return said.startswith(f"{pid}\n") and said.rstrip().endswith("ready")

    command = [str(Path(initdb).with_name("postgres")), "-D", str(data), *options]
    # SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
    server = Server(command, folder, ready, signal.SIGINT, **_server_owner())
    return server, f"postgres://getaway:{password}@127.0.0.1:{port}/postgres"


def redis(program: str, folder: Path) -> tuple[Server, str]:
    """Return a Redis that forgets everything and has not been started, and its address."""
    port = free_port()
    options = ["--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no", "--dir", str(folder)]

    def ready(_: int) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as line:
            line.sendall(b"PING\r\n")
            return line.recv(16).startswith(b"+PONG")
        return False

    return Server([program, *options], folder, ready, **_server_owner()), f"redis://127.0.0.1:{port}/0"


def _give_away(path: Path) -> None:
    owner = _server_owner()
    if owner:
        os.chown(path, owner["user"], owner["group"])


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Give a folder in which servers can write, until the block ends."""
    # Root's own TMPDIR may be closed to the user whom the servers run as.
    path = Path(tempfile.mkdtemp(prefix="getaway-", dir="/tmp" if AS_ROOT else None))  # noqa: S108
    _give_away(path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def services() -> Iterator[dict[str, str]]:
    """Give the environment that names a running PostgreSQL, Redis and an installed Chromium."""
    programs = ensure_programs()
    with contextlib.ExitStack() as stack:
        database, at = postgres(programs.initdb, stack.enter_context(folder()))
        stack.enter_context(database.running())
        queue, there = redis(programs.redis, stack.enter_context(folder()))
        stack.enter_context(queue.running())
        # Whoever names a Chromium means it.
        shell = os.environ.get("CHROMIUM") or shutil.which(_SHELL) or programs.chromium
        yield {"DATABASE_URL": at, "REDIS_URL": there, "CHROMIUM": programs.chromium, "CHROMIUM_SHELL": shell}
