import re
import stat
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from bhabhi_site.settings.base import redis_services
from tests.site.commands import PRODUCTION, manage


def test_production_passes_djangos_deployment_checks() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


def test_production_names_every_missing_variable_at_once() -> None:
    done = manage("check", DJANGO_SETTINGS_MODULE="bhabhi_site.settings.production")
    assert done.returncode == 1
    assert all(name in done.stderr for name in ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"))
    assert "Traceback" not in done.stderr


# One process finds fault with many: each costs a start of Django.
WRONG = {
    "all": {
        "SECRET_KEY": "short",
        "ALLOWED_HOSTS": "*",
        "DATABASE_URL": "nonsense",
        "REDIS_URL": "http://redis.example",
        "DB_POOL": "0",
        "LIVE_CHECK": "0",
        "SOCKETS_PER_PERSON": "0",
        "SOCKETS_PER_ADDRESS": "many",
        "REQUESTS_PER_READER": "0",
        "REQUESTS_PER_ADDRESS": "-5",
        "LOG_LEVEL": "loud",
        "MAIL_HOOK_SECRET": "user:short",
        "MAIL_HOOK_OPTIONS": "[]",
        "VAPID_PRIVATE_KEY": "short",
        "BACKUP_TO": "here",
        "METRICS_PORT": "65536",
        "METRICS_HOST": "here.example",
        "SENTRY_DSN": "sentry.example",
        "BEHIND_PROXY": "perhaps",
        "PROXIES": "-1",
    },
    "two": {"DB_POOL": "many", "PROXIES": "one"},
    "one": {"SECRET_KEY": "short"},
    "no PostgreSQL": {"DATABASE_URL": "sqlite:////tmp/games", "METRICS_PORT": "many"},
    "not installed": {"DATABASE_URL": "mysql://somebody@db.example/getaway"},
    "nameless": {"DATABASE_URL": "postgres://somebody:secret@db.example"},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_production_names_each_wrong_variable_and_no_other(wrong: dict[str, str]) -> None:
    done = manage("check", **PRODUCTION | wrong)
    assert done.returncode == 1
    assert re.findall(r"(?m)^  (\w+): .", done.stderr) == sorted(wrong)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("environment", "count"),
    [({}, 0), ({"BEHIND_PROXY": "true"}, 1), ({"PROXIES": "2"}, 2), ({"PROXIES": "0", "BEHIND_PROXY": "true"}, 0)],
    ids=str,
)
def test_production_believes_as_many_proxies_as_there_are(environment: dict[str, str], count: int) -> None:
    code = (
        "from django.conf import settings as s;"
        "print(s.ALLAUTH_TRUSTED_PROXY_COUNT, bool(s.SECURE_PROXY_SSL_HEADER), s.SESSION_COOKIE_NAME,"
        "s.CSRF_COOKIE_NAME, s.LIE_COOKIE_NAME, s.SESSION_COOKIE_SECURE, s.SECURE_HSTS_SECONDS >= 31536000,"
        "s.SECURE_HSTS_INCLUDE_SUBDOMAINS,"
        "s.CACHES['default']['BACKEND'].rsplit('.', 1)[1])"
    )
    done = manage("shell", "-v", "0", "-c", code, **PRODUCTION | environment)
    assert done.stdout.split() == [
        str(count), str(count > 0), "__Host-session", "__Host-csrf", "__Host-lie", "True", "True", "True", "RedisCache",
    ], done.stderr  # fmt: skip


def test_production_has_no_way_in_without_signing_in() -> None:
    code = "from django.urls import resolve; resolve('/dev/enter/1.x/')"
    done = manage("shell", "-v", "0", "-c", code, **PRODUCTION)
    assert "Resolver404" in done.stderr


def test_embedded_keeps_one_secret_in_a_file_of_its_own(tmp_path: Path) -> None:
    data = tmp_path / "kept here"
    print_key = ("shell", "-v", "0", "-c", "from django.conf import settings; print(settings.SECRET_KEY)")
    first, second = (manage(*print_key, GETAWAY_DATA=str(data)).stdout for _ in range(2))
    kept = data / "secret-key"
    assert first == second == kept.read_text() + "\n"
    assert len(first) > 50
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert sorted(path.name for path in data.iterdir()) == ["push-key", "secret-key"]


def test_commands_without_a_database_run_where_nothing_can_be_kept() -> None:
    done = manage("shell", "-v", "0", "-c", "print(1)", GETAWAY_DATA="/dev/null/nowhere")
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr


def test_embedded_takes_postgresql_and_redis_from_the_environment(tmp_path: Path) -> None:
    code = (
        "from django.conf import settings as s;"
        "print(s.DATABASES['default']['ENGINE'], s.CELERY_BROKER_URL, s.CHANNEL_LAYERS['default']['BACKEND'])"
    )
    urls = {name: PRODUCTION[name] for name in ("DATABASE_URL", "REDIS_URL")}
    done = manage("shell", "-v", "0", "-c", code, GETAWAY_DATA=str(tmp_path), **urls)
    assert done.stdout.split() == [
        "django.db.backends.postgresql",
        "redis://redis.example/0",
        "channels_redis.core.RedisChannelLayer",
    ]


def test_commands_write_their_answer_and_nothing_else_to_standard_output(tmp_path: Path) -> None:
    code = (
        "import logging, structlog, sys, warnings;"
        "logging.getLogger('games').error('one'); structlog.get_logger('x').error('two');"
        "warnings.warn('three'); print('answer')"
    )
    done = manage("shell", "-v", "0", "-c", code, GETAWAY_DATA=str(tmp_path))
    assert done.stdout == "answer\n"
    assert all(word in done.stderr for word in ("one", "two", "three"))


@pytest.mark.django_db
@pytest.mark.sqlite_too
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite_too
def test_sqlite_is_set_up_for_many_threads() -> None:
    if connection.vendor != "sqlite":
        assert connection.vendor == "postgresql"
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        assert cursor.fetchone() == ("wal",)
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_nothing_waits_for_ever_for_a_redis_that_hangs() -> None:
    found = redis_services("redis://redis.example/0")
    [host] = found["CHANNEL_LAYERS"]["default"]["CONFIG"]["hosts"]
    # An idle receiver asks again every five seconds.
    assert 5 < host["socket_timeout"] < 60
    for options in (host, found["CACHES"]["default"]["OPTIONS"], found["CELERY_BROKER_TRANSPORT_OPTIONS"]):
        assert 0 < options["socket_connect_timeout"] <= 2
        assert options["socket_timeout"]
