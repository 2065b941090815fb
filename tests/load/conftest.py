import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest


@dataclass
class Figures:
    """What the benches have found, for the README: each row says what, how much, and how that compares."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, what: str, found: str, ratio: str = "") -> None:
        print(f"{what}: {found}{'; ' if ratio else ''}{ratio}", flush=True)
        self.rows.append((what, found, ratio))


def machine() -> str:
    with open("/proc/cpuinfo") as file:  # noqa: PTH123 - no file, but what the system says
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{os.cpu_count()} cores ({names[0] if names else platform.machine()}), Python {platform.python_version()}"


@pytest.fixture(scope="session")
def figures(pytestconfig: pytest.Config) -> Iterator[Figures]:
    """What was found; the whole table is printed when all benches are done."""
    found = Figures()
    yield found
    print(f"\n\nOn {machine()}, which the clients use as well; load when done {os.getloadavg()[0]:.1f}:\n")
    print("| what | found | compared |\n| --- | --- | --- |")
    for row in found.rows:
        print(f"| {' | '.join(row)} |")
