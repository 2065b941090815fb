import os
import shutil
import subprocess
from pathlib import Path

from tests.site.commands import ROOT

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
