"""Runs pytest for the make targets: .ci/passes.py test|fast|bench|soak [pytest's own arguments]."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

from services import services

# Two cores here and in CI, and of three workers about one waits for a browser. A module's tests stay together, so that
# what it sets up is set up once; modules keep the order that tests/conftest.py gives them.
_PARALLEL = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder", "--durations", "5"]

_QUICK = "not soak and not bench"

# Of the long campaigns these play hundreds of games, in no more than one process each: two share them. The others start
# whole sites and watch them, so they have the computer to themselves.
_MANY_GAMES = ["tests/games/test_frames.py", "tests/site/test_leaks.py"]

_ROOT = Path(__file__).resolve().parents[1]


def _marked(mark: str) -> list[str]:
    """Return the test files that name a mark, so that a pass of few tests reads only those."""
    files = sorted(_ROOT.glob("tests/*/test_*.py"))
    return [str(path.relative_to(_ROOT)) for path in files if mark in path.read_text(encoding="utf-8")]


# Passes in order: pytest's arguments, and what they change in the environment.
type Pass = tuple[list[str], dict[str, str]]
_PASSES: dict[str, list[Pass]] = {
    "test": [
        ([*_PARALLEL, "-m", f"sqlite_too and {_QUICK}", *_marked("sqlite_too")], {"TEST_DB": "sqlite"}),
        ([*_PARALLEL, "-m", _QUICK], {}),
    ],
    "fast": [
        (["-m", _QUICK, "tests/rules", "tests/clocks", "tests/records", "tests/playthroughs"], {"TEST_DB": "sqlite"})
    ],
    "bench": [(["-s", "-m", "bench", "tests/load"], {})],
    "soak": [
        (["-n", "2", "--dist", "worksteal", "-m", "soak", *_MANY_GAMES], {}),
        (["-m", "soak", *(f"--ignore={path}" for path in _MANY_GAMES)], {}),
    ],
}


def _pytest(arguments: list[str], env: dict[str, str]) -> int:
    """Run pytest to its end and return its exit code; being told to stop, tell it, so that it can clear up."""
    # What was compiled once is kept: every worker and every command that a test runs would do it anew.
    env = os.environ | {"PYTHONDONTWRITEBYTECODE": ""} | env
    child = subprocess.Popen([sys.executable, "-m", "pytest", *arguments], env=env, stdin=subprocess.DEVNULL)

    def pass_on(number: int, frame: FrameType | None) -> None:
        # On Ctrl-C the terminal has told pytest already.
        if number == signal.SIGTERM:
            child.send_signal(signal.SIGINT)

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, pass_on)
    return child.wait()


def main(name: str, extra: list[str]) -> int:
    """Run the passes called *name* up to the first that fails, and return its exit code."""
    # Until pytest runs, being told to stop only has to stop the servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if name == "fast":
        return _run(name, extra, {})
    with services() as env:
        return _run(name, extra, env)


def _run(name: str, extra: list[str], env: dict[str, str]) -> int:
    for arguments, own in _PASSES[name]:
        code = _pytest([*arguments, *extra], env | own)
        if code:
            return code
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
