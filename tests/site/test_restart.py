"""The whole site is killed in the middle of a turn and starts again: nothing is lost, nobody told without need."""

import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from tests.site.commands import manage
from tests.site.test_serve import serving

# Whoever is to lead shall be told of it by and by.
DEAL = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from games.clocks.pace import each_card
from games.models import Notice, Turn
from games.rules.ruleset import Ruleset
from games.services.pacing import Pacing
from games.services.tables import SeatPlan, TablePlan, table_open
people = [User.objects.create_user(f"p{n}@example.org", name=f"P{n}", verified=True) for n in range(4)]
plan = TablePlan(people[0], "Ours", Ruleset(), pacing=Pacing(pace=each_card(timedelta(days=1))))
table_open(plan=plan, seats=[SeatPlan(user=each) for each in people], now=timezone.now())
Notice.objects.update(due=timezone.now() + timedelta(hours=1))
print(Turn.objects.exclude(due_at=None).count(), Notice.objects.filter(kind="your_turn").count())
"""
KEPT = ("games_turn", "games_move", "games_bank", "games_answer", "games_missedturn", "games_notice", "games_halt")


def asked(data: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(data / "getaway.sqlite3", timeout=20)) as line:
        rows: list[tuple[object, ...]] = line.execute(query).fetchall()
        line.commit()
        return rows


def everything(data: Path) -> dict[str, list[tuple[object, ...]]]:
    return {table: asked(data, f"SELECT * FROM {table} ORDER BY id") for table in KEPT}


def mails(data: Path) -> int:
    return len(list((data / "mail").glob("*.eml")))


def test_killed_in_the_middle_of_a_turn_it_goes_on_where_it_was(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "22000") as site:
        done = manage("shell", "-v", "0", "-c", DEAL, GETAWAY_DATA=str(tmp_path))
        assert done.stdout == "1 1\n", done.stderr
        before = everything(tmp_path)
        assert site.get("/healthz")[0] == 200
        site.stop(signal.SIGKILL)
    assert (everything(tmp_path), mails(tmp_path)) == (before, 0)
    asked(tmp_path, "UPDATE games_notice SET due = created")
    with serving(tmp_path, "--port", "22000"):
        until = time.monotonic() + 40
        while asked(tmp_path, "SELECT count(*) FROM games_notice WHERE sent IS NOT NULL") == [(0,)]:
            assert time.monotonic() < until
            time.sleep(0.1)
    after = everything(tmp_path)
    assert mails(tmp_path) == 1
    assert {table: rows for table, rows in after.items() if rows != before[table]}.keys() == {"games_notice"}
