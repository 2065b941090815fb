"""What `docker-compose.yml`, the `Dockerfile` and `.deploy/by-hand.md` say, for tests that hold them together."""

import json
import re
import subprocess
from collections.abc import Mapping
from typing import Any, Final

from ruamel.yaml import YAML

from tests.site.commands import ROOT

_FENCED: Final = re.compile(r"(?ms)^```(\w+)\n(.*?)^```$")
_INNERMOST: Final = re.compile(r"\$\{(\w+)(:?[-?])?([^${}]*)\}")


def by_hand(kind: str) -> list[str]:
    """The lines of the blocks of one kind, in order."""
    text = (ROOT / ".deploy" / "by-hand.md").read_text()
    return [line for name, block in _FENCED.findall(text) if name == kind for line in block.splitlines()]


def by_hand_environment() -> dict[str, str]:
    """The variables that are set by hand."""
    return dict(line.split("=", 1) for line in by_hand("env"))


def printed(*host: str) -> dict[str, str]:
    """The .env that is made for a host, or for this computer."""
    done = subprocess.run([ROOT / ".deploy" / "new-env.sh", *host], capture_output=True, text=True, check=True)
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if not line.startswith("#"))


def compose() -> dict[str, Any]:
    """The services that are run in containers, by name."""
    services: dict[str, Any] = YAML(typ="safe").load((ROOT / "docker-compose.yml").read_text())["services"]
    return services


def filled(text: str, environment: Mapping[str, str]) -> str:
    """A value of `docker-compose.yml` with variables put in as compose does.

    Raises KeyError for one that has to be set and is not.
    """

    def value(found: re.Match[str]) -> str:
        name, sign, other = found[1], found[2] or "", found[3]
        known = environment.get(name)
        if known or (known is not None and not sign.startswith(":")):
            return known
        if sign.endswith("?"):
            raise KeyError(name)
        return other if sign else ""

    while _INNERMOST.search(text):
        text = _INNERMOST.sub(value, text)
    return text


def container_environment(service: str, environment: Mapping[str, str]) -> dict[str, str]:
    """What a container of a service has in its environment; *environment* is that of compose, with its .env."""
    asked: dict[str, str | None] = compose()[service]["environment"]
    passed = {name: environment[name] for name, text in asked.items() if text is None and name in environment}
    return passed | {name: filled(text, environment) for name, text in asked.items() if text is not None}


def image_command() -> list[str]:
    """What the image runs if nothing else is said."""
    [line] = re.findall(r"(?m)^CMD (\[.*\])$", (ROOT / "Dockerfile").read_text())
    command: list[str] = json.loads(line)
    return command
