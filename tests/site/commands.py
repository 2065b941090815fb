"""Runs the project's commands as a person would: in a process of their own."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Every variable that production needs, and nothing behind it.
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "bhabhi_site.settings.production",
    "SECRET_KEY": "k3y-for-a-test-of-the-settings-that-nobody-ever-uses-for-real",
    "ALLOWED_HOSTS": "getaway.example,.getaway.example",
    "DATABASE_URL": "postgres://somebody:secret@db.example/getaway",
    "REDIS_URL": "redis://redis.example/0",
    "SITE_URL": "https://getaway.example",
    "MAIL_FROM": "Getaway <play@getaway.example>",
    "MAIL_HOST": "mail.getaway.example",
}


def clean_environment(changes: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment without what makes it a test's, with *changes*."""
    own = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "TEST_DB", "PORT", "GETAWAY_DATA"}
    return {name: value for name, value in os.environ.items() if name not in own} | dict(changes)


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py to its end and return its exit code and output."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=clean_environment(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def migrated(data: Path) -> None:
    """See to it that a folder has the database that `migrate` makes of nothing, which is made once for all tests."""
    shared, own = Path(os.environ["TESTS_SHARED"]), data / "getaway.sqlite3"
    if own.exists():
        return
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "done").exists():
            done = manage("migrate", GETAWAY_DATA=str(shared / "made"))
            assert done.returncode == 0, done.stderr
            (shared / "done").touch()
    data.mkdir(mode=0o700, exist_ok=True)
    shutil.copyfile(shared / "made" / own.name, own)
