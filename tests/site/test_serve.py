"""`manage.py serve` as a person meets it: a process, an address, Ctrl-C."""

import http.client
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest

from games.management.embedded import listen
from tests.site.commands import PRODUCTION, ROOT, clean_environment, manage, migrated

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
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request("GET", path, headers={"Host": f"localhost:{self.port}", "Cookie": cookie})
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, answer.headers, body

    def stop(self, number: signal.Signals) -> tuple[float, int, str, str]:
        """Signal the server; return the seconds it took to end, its exit code, and what else it said."""
        began = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return time.monotonic() - began, self.process.returncode, out, err


@contextmanager
def serving(
    data: Path, *arguments: str, program: Sequence[str] = ("manage.py",), new: bool = False, **environment: str
) -> Iterator[Running]:
    """Run it on a folder with a database; on a *new* one it makes the tables itself, which takes seconds."""
    if not new:
        migrated(data)
    process = subprocess.Popen(
        [sys.executable, *program, "serve", *arguments],
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
            assert line, process.communicate(timeout=60)
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
    with serving(tmp_path, new=True, PORT=str(free_port)) as site:
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
    assert seconds < 20
    with serving(tmp_path, "--port", str(free_port)) as site:
        status, _, again = site.get("/", session)
        assert (status, len(again) // 200) == (200, len(home) // 200)
        seconds, code, out, err = site.stop(signal.SIGTERM)
    assert (code, out, err) == (0, "", "")
    assert seconds < 20


# A table of bots, and one of people of whom the first had until half an hour ago, while the site was off for an hour.
DEALT_BEFORE = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from games.clocks.pace import each_card
from games.models import Pulse, Turn
from games.rules.ruleset import Ruleset
from games.services.pacing import Pacing
from games.services.tables import SeatPlan, TablePlan, table_open
now, minute = timezone.now(), timedelta(minutes=1)
people = [User.objects.create_user(f"p{number}@example.org", name=f"P{number}") for number in range(3)]
plan, seats = TablePlan(None, "Bots", Ruleset()), [SeatPlan(bot="easy")] * 3
print(table_open(plan=plan, seats=seats, now=now).code)
plan = TablePlan(None, "People", Ruleset(), pacing=Pacing(each_card(90 * minute)))
game = table_open(plan=plan, seats=[SeatPlan(user=each) for each in people], now=now - 120 * minute)
print(game.code)
Pulse.objects.create(name="sweep", at=now - 60 * minute)
assert Turn.objects.get(game=game).due_at == now - 30 * minute
"""


def test_games_go_on_after_a_restart_and_nobody_is_timed_out(tmp_path: Path, free_port: int) -> None:
    migrated(tmp_path)
    # The task that was to let a bot lead ends with this process.
    dealt = manage("shell", "--no-imports", "-c", DEALT_BEFORE, GETAWAY_DATA=str(tmp_path))
    bots, people = dealt.stdout.split()
    with serving(tmp_path, PORT=str(free_port)) as site:
        # By the first sweep; on a slow machine by the next, ten seconds later.
        until = time.monotonic() + 60
        while version_of(tmp_path, bots) == 0:
            assert time.monotonic() < until
            time.sleep(0.1)
        site.process.kill()
        site.process.communicate(timeout=60)
    assert version_of(tmp_path, people) == 0
    [(kind, applied)] = rows_of(tmp_path, "SELECT kind, applied IS NOT NULL FROM games_halt")
    assert (kind, applied) == ("outage", 1)
    # While the outage is on nobody knows when it will be up; after it, in half an hour.
    late = f"SELECT count(*) FROM games_turn WHERE due_at < '{datetime.now(UTC) + timedelta(minutes=25)}'"
    late += f" AND game_id = (SELECT id FROM games_game WHERE code = '{people}')"
    assert rows_of(tmp_path, late) == [(0,)]
    assert rows_of(tmp_path, "SELECT count(*) FROM games_notice WHERE sent IS NOT NULL") == [(0,)]


def rows_of(data: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(data / "getaway.sqlite3")) as line:
        return line.execute(query).fetchall()


def version_of(data: Path, code: str) -> int:
    return int(rows_of(data, f"SELECT version FROM games_game WHERE code = '{code}'")[0][0])


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
