"""`manage.py record` as the shell runs it: what the tests of it share."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from games.management.commands.record import Command
from tests.conftest import ROOT

RECORDS = ROOT / "tests" / "records"
RIGHT = sorted(path for path in RECORDS.glob("*.jsonl") if path.stem not in {"refused", "bad_records"})


def record(*arguments: str | Path, text: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command on the embedded default, as a person would, with a database that is not there."""
    return subprocess.run(
        [sys.executable, "manage.py", "record", *map(str, arguments)],
        cwd=ROOT,
        input=text,
        capture_output=True,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "bhabhi_site.settings.embedded",
            "DATABASE_URL": "postgres://nobody@127.0.0.1:9/no",
        }
        | environment,
        timeout=120,
        check=False,
    )


def verdicts(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    """The lines of standard output, each of them a whole JSON object and nothing else."""
    text = done.stdout.decode("ascii")
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def check(*lines: bytes | str) -> list[dict[str, Any]]:
    """Check lines from standard input; nothing may be said on standard error."""
    done = record("check", "-", text=b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    assert done.stderr == b""
    found = verdicts(done)
    assert done.returncode == (0 if all(each["ok"] for each in found) else 1)
    return found


def in_process(*arguments: str) -> int:
    """Run the command in this process, where there is one fault or option of many to see; returns the exit code."""
    try:
        Command().run_from_argv(["manage.py", "record", *arguments])
    except SystemExit as end:
        return int(str(end.code))
    return 0


@functools.cache
def good_line() -> str:
    """A right record of a finished game."""
    with RIGHT[0].open() as file:
        return file.readline().strip()


def good() -> dict[str, Any]:
    """The same, decoded, to be changed."""
    found: dict[str, Any] = json.loads(good_line())
    return found
