"""What the PostgreSQL of a stack can do at most: transactions that write two rows, as a move does at the least."""

import re
import subprocess
from pathlib import Path
from typing import Final

import psycopg

from tests.load.stack import Stack, postgres_program

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS load_game (id int PRIMARY KEY, version int NOT NULL);
CREATE TABLE IF NOT EXISTS load_move (game int NOT NULL, number int NOT NULL, card text NOT NULL);
TRUNCATE load_game, load_move;
INSERT INTO load_game SELECT n, 0 FROM generate_series(1, 200) n;
"""
_SCRIPT: Final = r"""
\set game random(1, 200)
BEGIN;
UPDATE load_game SET version = version + 1 WHERE id = :game;
INSERT INTO load_move VALUES (:game, 1, 'AS');
COMMIT;
"""


def pgbench(site: Stack, folder: Path, *, clients: int = 4, seconds: int = 5) -> float:
    """Return how many such transactions a second it does for so many clients."""
    with psycopg.connect(site.database) as line:
        line.execute(_TABLES)
    script = folder / "two_rows.sql"
    script.write_text(_SCRIPT)
    how = ["--no-vacuum", "--file", str(script), "--client", str(clients), "--time", str(seconds)]
    done = subprocess.run(
        [postgres_program("pgbench"), *how, site.database], capture_output=True, text=True, check=False
    )
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    assert found, done.stderr
    return float(found[1])
