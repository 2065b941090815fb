import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.site.commands import ROOT, clean_environment

ADDRESS = re.compile(r"http://localhost:(\d+)(/dev/enter/[^/ ]+/)")
TARGETS = {"help", "play", "test", "check", "lint", "types", "fast", "playthroughs", "bench", "soak", "lock"}


def test_help_names_every_target() -> None:
    done = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = {line.split()[0] for line in done.stdout.splitlines() if line and not line.startswith("make")}
    assert listed == TARGETS


def test_without_a_fitting_python_one_line_says_what_is_missing(tmp_path: Path) -> None:
    here = tmp_path / "with spaces" / "in it"
    (here / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "env.sh", here / ".ci")
    env = os.environ | {"PYTHON": "/bin/false"}
    done = subprocess.run([here / ".ci" / "env.sh", "runtime"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Python 3.12" in done.stderr
    assert not (here / ".venv").exists()


def played(arguments: list[str], cwd: Path, port: int) -> int:
    """Run `make play`, look at the address that it prints, stop it, and return the status of the page."""
    own = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VIRTUAL_ENV"}
    env = {name: value for name, value in clean_environment({"PORT": str(port)}).items() if name not in own}
    run = subprocess.Popen(
        ["make", *arguments, "play"], cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    try:
        assert run.stdout is not None
        found = next(filter(None, map(ADDRESS.search, run.stdout)))
        with build_opener(HTTPCookieProcessor()).open(found[0], timeout=20) as page:
            status: int = page.status
            assert b"My games" in page.read()
    finally:
        run.terminate()
        run.communicate(timeout=20)
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(found[1]))) != 0
    return status


@pytest.mark.soak
def test_a_fresh_clone_plays_from_any_folder_whatever_its_name(tmp_path: Path) -> None:
    here = tmp_path / "with spaces" / "in it"
    subprocess.run(["git", "clone", "--quiet", ROOT, here], check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = min(probe.getsockname()[1], 60000)
    assert [played([], here, port), played([], here, port), played(["-C", str(here)], tmp_path, port)] == [200] * 3
    done = subprocess.run(["git", "status", "--porcelain"], cwd=here, capture_output=True, text=True, check=True)
    assert done.stdout == ""
