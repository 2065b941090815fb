"""The production site by hand: its proxy, a sign-in, a board that is pushed, a new version that comes under moves."""

import http.client
import os
import re
import secrets
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from tests.site.by_hand import by_hand
from tests.site.by_hand_run import PARTS, Browser, ByHand, free_port, site_by_hand, until
from tests.site.mail_catcher import caught
from tests.site.wire import Wire

# For the tables that are made for it.
pytestmark = pytest.mark.django_db

PASSWORD: Final = "seven red mangoes"
# Four people at four tables; prints their codes, and how each is signed in.
DEAL: Final = f"""
from django.test import Client
from django.utils import timezone
from accounts.models import User
from games.rules.ruleset import Ruleset
from games.services.tables import SeatPlan, TablePlan, table_open
people = [User.objects.create_user(f"p{{n}}@example.org", name=f"P{{n}}", verified=True) for n in range(4)]
people[0].set_password("{PASSWORD}")
people[0].save()
seats = [SeatPlan(user=each) for each in people]
for n in range(4):
    print(table_open(plan=TablePlan(people[0], "Ours", Ruleset()), seats=seats, now=timezone.now()).code)
for each in people:
    client = Client()
    client.force_login(each, backend="allauth.account.auth_backends.AuthenticationBackend")
    print(client.session.session_key)
"""
_FIELD: Final = re.compile(r'name="(csrfmiddlewaretoken|version|key)" value="([^"]+)"')
_CARD: Final = re.compile(r'name="card" value="([^"]+)"')
# What a computer of tests has not: a disk that is waited for, a key for notices, a backup that was tried.
MISSING: Final = {"database", "push", "verified"}


@contextmanager
def database(like: str) -> Iterator[str]:
    """The address of a new database whose migrations are applied, as in the one of the tests: that takes a while."""
    asked = os.environ.get("DATABASE_URL", "")
    assert asked.startswith("postgres"), "these run on PostgreSQL: set DATABASE_URL, or run make test"
    name = f"stack_{secrets.token_hex(4)}"
    address = urlunsplit(urlsplit(asked)._replace(path=f"/{name}"))
    with psycopg.connect(asked, autocommit=True) as line:
        line.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            for what in (["--schema-only"], ["--data-only", "--table=django_migrations"]):
                dump = ["pg_dump", "--no-owner", *what, urlunsplit(urlsplit(asked)._replace(path=f"/{like}"))]
                made = subprocess.run(dump, capture_output=True, check=True).stdout
                subprocess.run(["psql", "--quiet", address], input=made, stdout=subprocess.DEVNULL, check=True)
            yield address
        finally:
            line.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """The address of a Redis of its own."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    assert program
    port = str(free_port())
    options = ["--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", str(folder)]
    with subprocess.Popen([program, *options], stdout=subprocess.DEVNULL) as process:
        yield f"redis://127.0.0.1:{port}/0"
        process.terminate()


@dataclass
class Player:
    """Somebody who plays whatever they may, and repeats what got no answer with the same key, as pages do."""

    browser: Browser
    accepted: list[str] = field(default_factory=list)
    repeated: int = 0
    refused: list[tuple[int, str]] = field(default_factory=list)

    def may_move(self, code: str) -> dict[str, str]:
        """The form of a card that they may play, if there is one."""
        status, page = self._answered(f"/games/{code}/", None)
        cards = _CARD.findall(page)
        return dict(_FIELD.findall(page)) | {"card": cards[0]} if status == 200 and cards else {}

    def move(self, code: str) -> bool:
        """Play a card, if it is theirs to play; whether they did."""
        form = self.may_move(code)
        if not form:
            return False
        status, page = self._answered(f"/games/{code}/play/", form)
        if status == 200:
            self.accepted.append(form["key"])
        else:
            self.refused.append((status, page))
        return True

    def _answered(self, path: str, form: dict[str, str] | None) -> tuple[int, str]:
        at_last = time.monotonic() + 60
        while True:
            try:
                status, page, _ = self.browser.ask(path, form, **({"HX-Request": "true"} if form else {}))
            except (OSError, http.client.HTTPException):
                status, page = 0, ""
            if status not in (0, 502, 503, 504):
                return status, page
            self.repeated += 1
            assert time.monotonic() < at_last, (status, page)
            time.sleep(0.1)


@dataclass
class Played:
    """Games and the four who are in each of them."""

    site: ByHand
    codes: list[str]
    players: list[Player]
    done: threading.Event = field(default_factory=threading.Event)

    def go_on(self) -> None:
        """Play one game after the other, some cards a second, until it is enough."""
        order = list(self.players)
        for code in self.codes:
            while not self.done.is_set() and (mover := next((each for each in order if each.move(code)), None)):
                # Most often the next one plays next.
                at = order.index(mover) + 1
                order = order[at:] + order[:at]
                self.done.wait(0.2)

    def accepted(self) -> list[str]:
        """The keys of what the site said that it took."""
        return sorted(key for each in self.players for key in each.accepted)

    def kept(self) -> list[str]:
        """The keys of what it has."""
        with psycopg.connect(self.site.env["DATABASE_URL"]) as line:
            return sorted(key for (key,) in line.execute("SELECT key FROM games_move WHERE key <> ''"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[ByHand]:
    """All of it, as far as `.deploy/by-hand.md` says "kept running"."""
    folder = tmp_path_factory.mktemp("stack")
    like = str(connection.settings_dict["NAME"])
    with database(like) as at, redis(folder) as queue, caught() as mails:
        own = {"DATABASE_URL": at, "REDIS_URL": queue}
        with site_by_hand(folder, MAIL_HOST="127.0.0.1", MAIL_PORT=str(mails), **own) as made:
            for line in by_hand("once"):
                made.ran(line)
            made.found = made.files()
            for name in PARTS:
                made.start(name)
            until(lambda: made.is_well("web1") and made.is_well("web2") and made.serves())
            yield made


@pytest.fixture(scope="module")
def table(site: ByHand) -> Played:
    said = site.ran(shlex.join(["python", "manage.py", "shell", "-v", "0", "-c", DEAL])).split()
    return Played(site, said[:4], [Player(Browser(site, {"__Host-session": key})) for key in said[4:]])


@pytest.mark.usefixtures("table")
def test_one_comes_in_by_the_door_through_the_proxy(site: ByHand) -> None:
    browser = Browser(site)
    status, page, headers = browser.ask("/accounts/signin/")
    assert status == 200
    assert "Strict-Transport-Security" not in headers
    form = dict(_FIELD.findall(page)) | {"login": "p0@example.org", "password": PASSWORD}
    status, _, _ = browser.ask("/accounts/signin/", form, Origin="https://elsewhere.example")
    assert status == 403
    status, page, _ = browser.ask("/accounts/signin/", form)
    assert status == 303, page
    assert "Ours" in browser.ask("/")[1]
    assert set(browser.cookies) == {"__Host-session", "__Host-csrf"}


def test_a_card_played_at_one_web_is_pushed_by_the_other(table: Played) -> None:
    code = table.codes[0]
    mover = next(each for each in table.players if each.may_move(code))
    watcher = next(each for each in table.players if each is not mover)
    path = f"/ws/games/{code}/?since=9.9&plain=1"
    with ExitStack() as held:
        wires = [watcher.browser.listen(path, at) for at in ("web1", "web2", "https")]
        for wire in wires:
            held.callback(wire.close)
            wire.say('{"at":"9.9","seen":1}')
            assert board_of(wire) == 0
        assert mover.move(code)
        assert [board_of(wire) for wire in wires] == [1, 1, 1]


def board_of(wire: Wire) -> int:
    """The version of the next board, which is answered as a page does."""
    while not (said := wire.hear()).startswith("<"):
        pass
    found = dict(re.findall(r'data-(version|revision)="(\d+)"', said))
    wire.say(f'{{"at":"{found["version"]}.{found["revision"]}","seen":1}}')
    return int(found["version"])


def test_a_new_version_comes_in_under_moves(site: ByHand, table: Played) -> None:
    playing = threading.Thread(target=table.go_on)
    playing.start()
    for name in ("web1", "web2"):
        before = len(table.accepted())
        assert site.stop(name) == 0
        # Meanwhile the other one alone is played at.
        assert len(table.accepted()) > before
        if name == "web1":
            site.start(name)
            until(partial(site.is_well, name))
    # Cards fall at what is new alone.
    before = len(table.accepted())
    until(lambda: len(table.accepted()) > before)
    table.done.set()
    playing.join(120)
    assert [each.refused for each in table.players] == [[]] * 4
    assert table.accepted() == table.kept()
    # Each was answered at the first try: a web that leaves cuts nobody off.
    assert sum(each.repeated for each in table.players) == 0


def test_the_doctor_finds_nothing_broken(site: ByHand) -> None:
    until(lambda: Browser(site).ask("/readyz")[0] == 200)
    said = "".join(site.ran(line) for line in by_hand("last"))
    assert "ok       sweep" in said
    assert {line.split()[1] for line in said.splitlines() if line.startswith("warning")} <= MISSING


def test_without_a_web_the_proxy_says_so_and_logs_no_address(site: ByHand) -> None:
    for name in ("web1", "worker", "beat"):
        assert site.stop(name) == 0, name
    status, page, headers = Browser(site).ask("/i/kTq3Xh_0-aB9zQw2LmNpRs/")
    assert (status // 100, headers["Retry-After"]) == (5, "5")
    assert page == "This does not work just now: wait a few minutes and try again."
    assert site.stop("proxy") == 0
    said = "".join(site.log(name) for name in PARTS)
    assert "kTq3Xh" not in said
    assert '"level": "error"' not in said
    # What runs read-only in a container can.
    assert site.files() == site.found
