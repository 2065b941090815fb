"""Write every playthrough anew."""

from pathlib import Path

from tests.playthroughs.cases import CASES
from tests.playthroughs.text import text

HERE = Path(__file__).parent

if __name__ == "__main__":
    for old in HERE.glob("*.txt"):
        old.unlink()
    for case in CASES:
        (HERE / f"{case.name}.txt").write_text(text(case), encoding="utf-8", newline="\n")
