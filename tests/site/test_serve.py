"""`manage.py serve` as a person meets it: a process, an address, Ctrl-C."""

import http.client
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path

import pytest

from games.management.embedded import listen
from tests.site.commands import PRODUCTION, ROOT, clean_environment, manage

ADDRESS = re.compile(r"http://localhost:(\d+)(/dev/enter/[^/ ]+/)")


@dataclass
class Running:
    """A server that has said where it listens."""

    process: subprocess.Popen[str]
    said: list[str]
    port: int
    entry: str
    data: Path

    def get(self, path: str, cookie: str = "") -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return status, headers and body of a page."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        line.request("GET", path, headers={"Host": f"localhost:{self.port}", "Cookie": cookie})
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, answer.headers, body

    def stop(self, number: signal.Signals) -> tuple[float, int, str, str]:
        """Signal the server; return the seconds it took to end, its exit code, and what else it said."""
        began = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return time.monotonic() - began, self.process.returncode, out, err


@contextmanager
def serving(data: Path, *arguments: str, **environment: str) -> Iterator[Running]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=ROOT,
        env=clean_environment({"GETAWAY_DATA": str(data)} | environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        said: list[str] = []
        while not (found := ADDRESS.search(said[-1]) if said else None):
            line = process.stdout.readline()
            assert line, process.communicate(timeout=20)
            said.append(line)
        yield Running(process, said, int(found[1]), found[2], data)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def session_of(headers: http.client.HTTPMessage) -> str:
    cookies = SimpleCookie()
    for header in headers.get_all("Set-Cookie", []):
        cookies.load(header)
    return f"sessionid={cookies['sessionid'].value}"


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return min(port, 60000)


def test_a_person_enters_once_and_is_still_signed_in_after_a_restart(tmp_path: Path, free_port: int) -> None:
    with serving(tmp_path, PORT=str(free_port)) as site:
        assert len(site.said) == 1
        assert site.port == free_port
        status, headers, _ = site.get(site.entry)
        assert (status, headers["Location"]) == (302, "/")
        session = session_of(headers)
        assert site.get(site.entry)[0] == 410
        status, headers, home = site.get("/", session)
        assert status == 200
        seconds, code, out, err = site.stop(signal.SIGINT)
    assert (code, out, err) == (0, "", "")
    assert seconds < 2
    with serving(tmp_path, "--port", str(free_port)) as site:
        status, _, again = site.get("/", session)
        assert (status, len(again) // 200) == (200, len(home) // 200)
        seconds, code, out, err = site.stop(signal.SIGTERM)
    assert (code, out, err) == (0, "", "")
    assert seconds < 2


DEAL_FOR_BOTS = """
from django.utils import timezone
from games.rules.ruleset import Ruleset
from games.services.tables import SeatPlan, TablePlan, table_open
plan, seats = TablePlan(None, "Bots", Ruleset()), [SeatPlan(bot="easy")] * 3
print(table_open(plan=plan, seats=seats, now=timezone.now()).code)
"""


def test_a_game_that_a_bot_had_to_move_in_goes_on_after_a_restart(tmp_path: Path, free_port: int) -> None:
    assert manage("migrate", GETAWAY_DATA=str(tmp_path)).returncode == 0
    # The task that was to let a bot lead ends with this process.
    dealt = manage("shell", "--no-imports", "-c", DEAL_FOR_BOTS, GETAWAY_DATA=str(tmp_path))
    code = dealt.stdout.strip()
    with serving(tmp_path, PORT=str(free_port)):
        until = time.monotonic() + 3
        while version_of(tmp_path, code) == 0:
            assert time.monotonic() < until
            time.sleep(0.1)


def version_of(data: Path, code: str) -> int:
    with closing(sqlite3.connect(data / "getaway.sqlite3")) as line:
        return int(line.execute("SELECT version FROM games_game WHERE code = ?", [code]).fetchone()[0])


def test_a_second_one_points_to_the_first(tmp_path: Path, free_port: int) -> None:
    with serving(tmp_path, PORT=str(free_port)) as site:
        done = manage("serve", GETAWAY_DATA=str(tmp_path), PORT=str(free_port))
        assert (done.returncode, done.stderr) == (0, "")
        found = ADDRESS.search(done.stdout)
        assert found is not None
        assert "already running" in done.stdout
        assert int(found[1]) == free_port
        assert site.get(found[2])[0] == 302


def test_it_takes_the_next_free_port_and_says_so(tmp_path: Path) -> None:
    with listen(20000) as taken:
        port = taken.getsockname()[1]
        with serving(tmp_path, PORT=str(port)) as site:
            assert f"Port {port} is taken" in site.said[0]
            assert port < site.port < port + 50


@pytest.mark.parametrize("port", ["0", "65536", "many", "-1"])
def test_a_wrong_port_is_named(tmp_path: Path, port: str) -> None:
    done = manage("serve", GETAWAY_DATA=str(tmp_path), PORT=port)
    assert done.returncode == 1
    assert port in done.stderr
    assert "Traceback" not in done.stderr


def test_it_listens_on_this_computer_only(tmp_path: Path) -> None:
    with listen(20000) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_other_settings_are_told_what_to_run_instead() -> None:
    done = manage("serve", **PRODUCTION)
    assert done.returncode == 1
    assert "daphne" in done.stderr
