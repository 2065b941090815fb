"""The contracts of pyproject.toml: kept by the code, and each of them catches what it is for."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.site.commands import ROOT

# A wrong import of each kind: the module that it is planted in, the import, and the contract that must name it.
WRONG = [
    ("accounts/apps.py", "import games.rules.cards", "apps"),
    ("games/apps.py", "import bhabhi_site.settings", "apps"),
    ("games/rules/cards.py", "import games.models", "rooms"),
    ("games/models/__init__.py", "import games.services", "rooms"),
    ("games/bots/__init__.py", "import games.models", "rooms"),
    ("games/selectors/__init__.py", "import games.services", "rooms"),
    ("games/services/__init__.py", "import games.forms", "rooms"),
    ("games/forms/new.py", "import games.views", "rooms"),
    ("games/tasks.py", "import games.views", "rooms"),
    ("games/consumers.py", "import games.tasks", "rooms"),
    ("games/views/__init__.py", "import games.urls", "rooms"),
    ("games/utils.py", "", "rooms"),
    ("games/views/__init__.py", "import games.rules.state", "engine-room"),
    ("games/consumers.py", "from games.rules import engine", "engine-room"),
    ("games/tasks.py", "import games.rules.replay", "engine-room"),
    ("games/models/__init__.py", "import games.rules.deal", "engine-room"),
    ("games/bots/planted.py", "import games.rules.state", "engine-room"),
    ("games/selectors/__init__.py", "import openskill.models", "ratings"),
    ("games/rules/cards.py", "import django", "plain-rules"),
    ("games/rules/cards.py", "import celery", "plain-rules"),
    ("games/bots/planted.py", "import django.db", "plain-bots"),
    ("games/clocks/spans.py", "import games.models", "rooms"),
    ("games/clocks/spans.py", "import games.rules.cards", "rooms"),
    ("games/rules/cards.py", "import games.clocks.spans", "rooms"),
    ("games/clocks/spans.py", "import django.utils.timezone", "plain-clocks"),
]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    # Names of contracts shall not be broken into lines.
    env = os.environ | {"COLUMNS": "300"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_the_code_keeps_its_contracts() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def caught(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each contract says when all wrong imports are planted at once: reading the code again for each is long."""
    folder = tmp_path_factory.mktemp("planted")
    for package in ("bhabhi_site", "games", "accounts"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for module, line, _ in WRONG:
        with (folder / module).open("a") as file:
            file.write(f"\n{line}\n")
    done = lint_imports(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    broken = done.stdout.partition("Broken contracts\n")[2]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    places = {each["id"]: broken.find(f"\n{each['name']}\n---") for each in contracts}
    assert min(places.values()) >= 0, done.stdout
    ends = [*sorted(places.values()), len(broken)]
    return {name: broken[at : ends[ends.index(at) + 1]] for name, at in places.items()}


@pytest.mark.parametrize(("module", "line", "contract"), WRONG, ids=lambda value: str(value)[-30:])
def test_a_wrong_import_is_caught(caught: dict[str, str], module: str, line: str, contract: str) -> None:
    planted = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    if not line:
        assert f"not listed as layers:\n\n- {planted}\n" in caught[contract]
        return
    name = line.removeprefix("import ").removeprefix("from ").replace(" import ", ".")
    # Of what is not ours only the package is named.
    name = name if name.startswith(("games.", "bhabhi_site.")) else name.partition(".")[0]
    assert f"{planted} -> {name} (l." in caught[contract]


def imported(path: Path) -> set[str]:
    """Return the names of all modules that the file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


@pytest.mark.parametrize(
    ("package", "allowed"), [("rules", {"rules"}), ("clocks", {"clocks"}), ("bots", {"rules", "bots"})]
)
def test_rules_clocks_and_bots_are_plain_python(package: str, allowed: set[str]) -> None:
    files = list((ROOT / "games" / package).rglob("*.py"))
    assert files
    for path in files:
        for name in imported(path):
            first, _, rest = name.partition(".")
            own = first == "games" and rest.partition(".")[0] in allowed
            assert own or first in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_rules_read_no_clock_file_network_or_environment() -> None:
    outside = {"time", "datetime", "os", "pathlib", "io", "socket", "subprocess", "tempfile", "urllib", "asyncio"}
    for path in (ROOT / "games" / "rules").rglob("*.py"):
        assert not {name.partition(".")[0] for name in imported(path)} & outside, path.name


def test_clocks_are_told_what_time_it_is() -> None:
    told = {"now", "utcnow", "today", "time_ns", "monotonic", "fromtimestamp"}
    for path in (ROOT / "games" / "clocks").rglob("*.py"):
        called = {node.func for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)}
        names = {func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "") for func in called}
        assert not names & told, path.name
