"""What is true of every tracked file."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tests.site.commands import ROOT

TOP_FOLDERS = {"bhabhi_site", "games", "accounts", "templates", "tests"}
# Spelt in pieces, so that this file may be tracked too.
REGISTRIES = (
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "debian" + ".org",
    "golang" + ".org",
)
MACHINE = re.compile("(?<![\\w.])/" + "(work|root|home|Users)/")


def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def own_python() -> list[Path]:
    return [path for path in tracked() if path.suffix == ".py" and "migrations" not in path.parts]


def test_no_other_folder_at_the_top() -> None:
    inside = {path.relative_to(ROOT).parts[0] for path in tracked() if path.parent != ROOT}
    assert {name for name in inside if not name.startswith(".")} <= TOP_FOLDERS


def test_no_registry_and_no_path_of_a_machine() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_bytes().decode(errors="replace") for path in tracked()}
    assert len(texts) > 300
    assert {name for name, text in texts.items() if any(host in text for host in REGISTRIES)} == set()
    assert {name for name, text in texts.items() if MACHINE.search(text)} == set()
    # Pictures begin so.
    assert {name for name, text in texts.items() if "\r\n" in text and not name.endswith(".png")} == set()


def test_files_are_short() -> None:
    long = {str(path.relative_to(ROOT)): n for path in own_python() if (n := len(path.read_text().splitlines())) > 300}
    assert not long


def lengths(path: Path) -> Iterator[tuple[str, int]]:
    """Give the name and the number of lines of each function in the file, its docstring not counted."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            said = node.body[0] if ast.get_docstring(node) else None
            docstring = (said.end_lineno or 0) - said.lineno + 1 if said else 0
            yield f"{path.relative_to(ROOT)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_functions_are_short() -> None:
    product = [path for path in own_python() if path.relative_to(ROOT).parts[0] != "tests"]
    found = dict(chain.from_iterable(map(lengths, product)))
    assert not {name: n for name, n in found.items() if n > 40}
    assert statistics.median(found.values()) < 10


def test_every_runtime_dependency_is_locked_with_hashes() -> None:
    project = (ROOT / "pyproject.toml").read_text().partition("dependencies = [")[2].partition("]\n")[0]
    wanted = {match.lower() for match in re.findall(r'^  "([\w-]+)', project, re.MULTILINE)}
    for lock in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / lock).read_text()
        pinned = dict(re.findall(r"^([\w-]+)(?:\[[^]]*\])?==(\S+)", text, re.MULTILINE))
        assert wanted <= set(pinned)
        assert text.count("--hash=sha256:") >= len(pinned)
        assert " @ " not in text


def test_both_locks_pin_the_same_versions() -> None:
    runtime, dev = (
        dict(re.findall(r"^([\w-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))
        for lock in ("requirements.lock", "requirements-dev.lock")
    )
    assert runtime.items() <= dev.items()
