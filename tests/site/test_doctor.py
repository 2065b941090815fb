"""`manage.py doctor`: each part broken once, and what it says to do then."""

import json
import os
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery import Celery
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django import Settings

from bhabhi_site.settings.base import redis_services
from games.models import Game, Halt, Notice
from games.services.health import NAMES, PARTS, health, parts
from games.services.health.check import Check, State
from games.services.pulse import BACKUP, SWEEP, VERIFIED, WEB, pulsed
from tests.games.stored import game_of, people
from tests.site.mail_catcher import caught

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

MINUTE = timedelta(minutes=1)
NOBODY = "redis://127.0.0.1:1/0"
type Breaks = Callable[[Settings, pytest.MonkeyPatch, Path], object]


def look(*names: str, now: datetime | None = None) -> dict[str, Check]:
    return {check.name: check for check in health(now=now or timezone.now(), only=names)}


def ago(**span: float) -> datetime:
    return timezone.now() - timedelta(**span)


def _away(*_: Any) -> Any:
    raise OperationalError


def no_database(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(parts, "connection", SimpleNamespace(vendor=connection.vendor, cursor=_away))


def no_redis(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    found = redis_services(NOBODY)
    settings.CACHES, settings.CHANNEL_LAYERS = found["CACHES"], found["CHANNEL_LAYERS"]
    monkeypatch.setattr(parts, "current_app", Celery(broker=NOBODY, set_as_current=False))


def forgetful(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}


def an_hour_off(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(parts, "site_now", lambda: ago(hours=1))


def no_mail_server(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    mail_by(settings, host="127.0.0.1", port=1)


def mail_by(settings: Settings, **options: Any) -> None:
    smtp = {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": options}
    settings.MAILERS = dict.fromkeys(("default", "security", "notices"), smtp)


def not_collected(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    settings.STATIC_ROOT, settings.DATA_DIR = folder, None
    manifest = {"BACKEND": "bhabhi_site.statics.Collected"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": manifest}


def full(settings: Settings, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1024))


def set_to(**values: Any) -> Breaks:
    def act(settings: Settings, *_: Any) -> None:
        for name, value in values.items():
            setattr(settings, name, value)

    return act


def stored(act: Callable[[], object]) -> Breaks:
    return lambda *_: act()


def late_notice(due: datetime) -> None:
    Notice.objects.create(kind="invite", email="nani@example.org", key="one", due=due, created=due)
    Notice.objects.create(
        kind="invite", email="nani@example.org", key="two", due=due - MINUTE, created=due, channel="digest"
    )


def laid_aside() -> None:
    game = game_of(persons=people(3))
    Game.objects.filter(pk=game.pk).update(aside=ago(minutes=1))


BREAKS: list[tuple[str, Breaks, str, str]] = [
    ("settings", set_to(DATA_DIR=None), "broken", "Use a production-ready email backend"),
    ("hosts", set_to(SITE_URL="https://other.example"), "broken", "Add other.example to ALLOWED_HOSTS."),
    ("proxies", set_to(SECURE_SSL_REDIRECT=True), "broken", "Set PROXIES"),
    ("database", no_database, "broken", "Start PostgreSQL"),
    ("clock", an_hour_off, "broken", "Let NTP"),
    (
        "migrations",
        stored(lambda: MigrationRecorder.Migration.objects.filter(app="games").delete()),
        "broken",
        "Run manage.py migrate.",
    ),
    ("cache", no_redis, "broken", "Start Redis"),
    ("cache", forgetful, "broken", "maxmemory-policy"),
    ("broker", no_redis, "broken", "Start Redis"),
    ("channels", no_redis, "broken", "Start Redis"),
    ("mail", no_mail_server, "broken", "Look at MAIL_HOST"),
    ("push", set_to(VAPID_PRIVATE_KEY=""), "warning", "manage.py push_key"),
    ("push", set_to(VAPID_PRIVATE_KEY="A" * 43), "broken", "manage.py push_key"),
    ("static", not_collected, "broken", "Run manage.py collectstatic"),
    ("sweep", stored(lambda: None), "broken", "Start the worker and beat"),
    ("sweep", stored(lambda: pulsed(name=SWEEP, now=ago(minutes=2))), "broken", "Start the worker and beat"),
    ("web", stored(lambda: None), "broken", "Start the site's web processes"),
    ("web", stored(lambda: pulsed(name=WEB, now=ago(minutes=2))), "broken", "Start the site's web processes"),
    ("notices", stored(lambda: late_notice(ago(minutes=20))), "warning", "manage.py doctor --mail"),
    ("notices", stored(lambda: late_notice(ago(hours=2))), "broken", "manage.py doctor --mail"),
    ("games", stored(laid_aside), "warning", "manage.py take_up CODE"),
    ("clocks", stored(lambda: Halt.objects.create(kind="freeze", since=ago(hours=1))), "warning", "manage.py thaw"),
    ("clocks", stored(lambda: Halt.objects.create(kind="outage", since=ago(hours=1))), "warning", "web processes"),
    ("backup", set_to(BACKUP_TO=""), "warning", "Set BACKUP_TO"),
    ("backup", set_to(BACKUP_TO="/backups"), "broken", "Run manage.py backup"),
    ("verified", stored(lambda: None), "warning", "Run manage.py verify_backup"),
    ("disk", full, "broken", "Make room"),
]


@pytest.mark.parametrize(("name", "breaks", "state", "fix"), BREAKS)
def test_what_is_broken_is_named_with_what_to_do(
    name: str, breaks: Breaks, state: str, fix: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    breaks(settings, monkeypatch, tmp_path)
    found = look(name)[name]
    assert (found.state, fix in found.fix) == (state, True), found


@pytest.mark.parametrize(("most", "said"), [(2, "late: 2; the oldest was due 60 minutes"), (1, "late: more than 1; ")])
def test_late_notices_are_counted_up_to_many(monkeypatch: pytest.MonkeyPatch, most: int, said: str) -> None:
    monkeypatch.setattr("games.services.health.work.MOST_TOLD", most)
    for key in ("one", "two"):
        Notice.objects.create(
            kind="invite", email="a@example.org", key=key, due=ago(minutes=60), created=ago(minutes=60)
        )
    assert said in look("notices")["notices"].said


REFUSALS: list[tuple[dict[str, bytes], dict[str, Any], str, str]] = [
    ({}, {"port": 1}, "No connection is taken by", "MAIL_HOST and MAIL_PORT, and whether it runs"),
    ({}, {"host": "nowhere.invalid"}, "Nobody knows where to find", "Look at MAIL_HOST"),
    ({}, {"use_tls": True}, "TLS, or signing in, is not offered by", "MAIL_TLS"),
    (
        {"EHLO": b"250-here\r\n250 STARTTLS\r\n", "STARTTLS": b"220 go\r\n"},
        {"use_tls": True},
        "There is no secure line to",
        "certificate",
    ),
    ({"EHLO": b"250-here\r\n250 AUTH PLAIN\r\n", "AUTH": b"535 no\r\n"}, {}, "not right for", "MAIL_PASSWORD"),
    ({"EHLO": b"421 later\r\n", "HELO": b"421 later\r\n"}, {}, "The site is not let in by", "the server's log"),
]


@pytest.mark.parametrize(("says", "options", "said", "fix"), REFUSALS)
def test_each_way_in_which_a_mail_server_refuses_is_told_apart(
    says: dict[str, bytes], options: dict[str, Any], said: str, fix: str, settings: Settings
) -> None:
    with caught(**says) as port:
        mail_by(settings, **{"host": "127.0.0.1", "port": port, "username": "nani", "password": "x"} | options)
        found = look("mail")["mail"]
    assert said in found.said, found
    assert fix in found.fix, found


def test_each_part_was_broken_once() -> None:
    assert {name for name, *_ in BREAKS} == set(NAMES)


def test_all_is_well(settings: Settings) -> None:
    settings.BACKUP_TO = "/tmp"
    for name in (SWEEP, WEB, BACKUP, VERIFIED):
        pulsed(name=name, now=ago(seconds=10))
    found = look()
    assert tuple(found) == NAMES
    # A database for tests may forget.
    differs = [check for check in found.values() if check.state != State.OK and check.name != "database"]
    assert differs == []
    assert found["database"].state != State.BROKEN


def test_without_a_database_its_parts_are_not_waited_for(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    no_database(settings, monkeypatch, Path())
    found = look()
    away = {name for name, check in found.items() if check.said == "Not looked at: the database is away."}
    assert away == {part.name for part in PARTS if part.stored}


@pytest.mark.skipif("REDIS_URL" not in os.environ, reason="needs Redis")
def test_redis_is_well(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    url = os.environ["REDIS_URL"]
    found = redis_services(url)
    settings.CACHES, settings.CHANNEL_LAYERS = found["CACHES"], found["CHANNEL_LAYERS"]
    monkeypatch.setattr(parts, "current_app", Celery(broker=url, set_as_current=False))
    assert {name: check.state for name, check in look("cache", "broker", "channels").items()} == {
        "cache": State.OK, "broker": State.OK, "channels": State.OK,
    }  # fmt: skip


def test_the_command_says_it_in_lines_and_by_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call_command("doctor", "--only", "sweep", "--only", "clock")
    assert stopped.value.code == 1
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in said] == [["ok", "clock"], ["BROKEN", "sweep"]]
    assert said[1].endswith("No sweep has run yet. Start the worker and beat, and look at their logs.")
    pulsed(name=SWEEP, now=timezone.now())
    call_command("doctor", "--only", "sweep", "--quiet")
    assert capsys.readouterr().out == ""
    call_command("doctor", "--only", "sweep", "--json")
    assert json.loads(capsys.readouterr().out).keys() == {"name", "state", "said", "fix"}


def test_the_command_sends_a_mail_by_each_way(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("doctor", "--only", "clock", "--mail", "nani@example.org")
    assert [sent.to for sent in mail.outbox] == [["nani@example.org"]] * 2
    no_mail_server(settings, monkeypatch, Path())
    with pytest.raises(CommandError, match="No mail could be sent by security"):
        call_command("doctor", "--only", "clock", "--mail", "nani@example.org")
