"""The production site by hand: its commands, its proxy, a sign-in, a board that is pushed, a new version under moves."""

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
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from tests.site.by_hand import by_hand
from tests.site.by_hand_run import PARTS, Browser, ByHand, free_port, site_by_hand, until
from tests.site.mail_catcher import caught

PASSWORD: Final = "seven red mangoes"
# Four people at a table; prints its code and how each is signed in.
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
print(table_open(plan=TablePlan(people[0], "Ours", Ruleset()), seats=seats, now=timezone.now()).code)
for each in people:
    client = Client()
    client.force_login(each, backend="allauth.account.auth_backends.AuthenticationBackend")
    print(client.session.session_key)
"""
_FIELD: Final = re.compile(r'name="(csrfmiddlewaretoken|version|key)" value="([^"]+)"')
_CARD: Final = re.compile(r'name="card" value="([^"]+)"')
# What a computer of tests has not: a disk that is waited for, a backup, a key for notices.
MISSING: Final = {"database", "push", "backup", "verified"}


@contextmanager
def database() -> Iterator[str]:
    """The address of an empty database beside that of the tests."""
    asked = os.environ.get("DATABASE_URL", "")
    assert asked.startswith("postgres"), "these run on PostgreSQL: set DATABASE_URL, or run make test"
    name = f"stack_{secrets.token_hex(4)}"
    with psycopg.connect(asked, autocommit=True) as line:
        line.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield urlunsplit(urlsplit(asked)._replace(path=f"/{name}"))
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
    code: str
    accepted: list[str] = field(default_factory=list)
    repeated: int = 0
    refused: list[tuple[int, str]] = field(default_factory=list)

    def move(self) -> bool:
        """Play a card, if it is theirs to play; whether they did."""
        status, page, _ = self._answered(f"/games/{self.code}/", None)
        cards = _CARD.findall(page)
        if status != 200 or not cards:
            return False
        form = dict(_FIELD.findall(page)) | {"card": cards[0]}
        status, page, _ = self._answered(f"/games/{self.code}/play/", form)
        if status == 200:
            self.accepted.append(form["key"])
        else:
            self.refused.append((status, page))
        return status == 200

    def _answered(self, path: str, form: dict[str, str] | None) -> tuple[int, str, object]:
        at_last = time.monotonic() + 20
        while True:
            try:
                answer = self.browser.ask(path, form, **{"HX-Request": "true"} if form else {})
            except (OSError, http.client.HTTPException):
                answer = None
            if answer and answer[0] not in (502, 503, 504):
                return answer
            self.repeated += 1
            assert time.monotonic() < at_last, answer
            time.sleep(0.1)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ByHand]:
    """All of it, as far as `.deploy/by-hand.md` says "kept running"."""
    folder = tmp_path_factory.mktemp("stack")
    with database() as at, redis(folder) as queue, caught() as mails:
        own = {"DATABASE_URL": at, "REDIS_URL": queue, "SECRET_KEY": secrets.token_hex(32)}
        with site_by_hand(folder, MAIL_HOST="127.0.0.1", MAIL_PORT=str(mails), MAIL_TLS="false", **own) as made:
            for line in by_hand("once"):
                made.ran(line)
            for name in PARTS:
                made.start(name)
            until(lambda: made.is_well("web1") and made.is_well("web2") and made.serves())
            yield made


@pytest.fixture(scope="module")
def players(site: ByHand) -> list[Player]:
    code, *keys = site.ran(shlex.join(["python", "manage.py", "shell", "-v", "0", "-c", DEAL])).split()
    return [Player(Browser(site, {"__Host-session": key}), code) for key in keys]


def test_one_comes_in_by_the_door_through_the_proxy(site: ByHand, players: list[Player]) -> None:
    browser = Browser(site)
    status, page, headers = browser.ask("/accounts/signin/")
    assert status == 200
    assert "Strict-Transport-Security" not in headers
    form = dict(_FIELD.findall(page)) | {"login": "p0@example.org", "password": PASSWORD}
    status, _, _ = browser.ask("/accounts/signin/", form, Origin="https://elsewhere.example")
    assert status == 403
    status, page, _ = browser.ask("/accounts/signin/", form)
    assert status == 302, page
    assert "Ours" in browser.ask("/")[1]
    assert set(browser.cookies) == {"__Host-session", "__Host-csrf"}


def test_a_new_version_comes_in_under_moves(site: ByHand, players: list[Player]) -> None:
    done = threading.Event()

    def play() -> None:
        while not done.is_set() and any([each.move() for each in players]):
            time.sleep(0.1)

    playing = threading.Thread(target=play)
    playing.start()
    codes = []
    for name in ("web1", "web2"):
        before = played(site, players)
        codes.append(site.stop(name))
        site.start(name)
        until(lambda name=name: site.is_well(name))  # type: ignore[misc]  # it is asked at once
        # Through the other one alone people played on.
        assert played(site, players) > before
    codes += [site.stop(name) for name in ("worker", "beat")]
    for name in ("worker", "beat"):
        site.start(name)
    done.set()
    playing.join(60)
    assert codes == [0, 0, 0, 0]
    assert [each.refused for each in players] == [[]] * 4
    accepted = [key for each in players for key in each.accepted]
    assert sorted(accepted) == sorted(keys_of(site, players[0].code))
    assert sum(each.repeated for each in players) == 0
    assert "1 game" in site.ran("python manage.py verify_games")


def played(site: ByHand, players: list[Player]) -> int:
    return sum(len(each.accepted) for each in players)


def keys_of(site: ByHand, code: str) -> list[str]:
    with psycopg.connect(site.env["DATABASE_URL"]) as line:
        asked = "SELECT key FROM games_move JOIN games_game g ON g.id = game_id WHERE g.code = %s AND key <> ''"
        return [key for (key,) in line.execute(asked, [code])]
