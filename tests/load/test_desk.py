"""Lists of the desk with a hundred thousand and a million games stored: `make bench`, on PostgreSQL."""

from typing import Final

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from games.models import Game, Holder, Notice, Result, Table
from tests.accounts.doors import sign_in
from tests.games.stored import NOW, game_of, over, people
from tests.load.conftest import Figures
from tests.load.test_games import timed
from tests.load.test_stored import FAR, filled
from tests.load.test_sweep import copies

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]

FEW, MANY = 100_000, 1_000_000
MOST_MS: Final = 300.0
LISTS: Final = {
    "games": "/admin/games/game/",
    "games that run": "/admin/games/game/?status=running",
    "games set aside": "/admin/games/game/?aside=yes",
    "games by a table's name": "/admin/games/game/?q=A+table+nobody+has",
    "a game by its code": "/admin/games/game/?q=x000001000",
    "the last page of games": "/admin/games/game/?p=20",
    "tables": "/admin/games/table/",
    "tables that run": "/admin/games/table/?status=running",
    "tables by name": "/admin/games/table/?q=A+tab",
    "seats": "/admin/games/holder/",
    "seats of a person": "/admin/games/holder/?q=P1",
    "results": "/admin/games/result/",
    "notices": "/admin/games/notice/",
    "notices that wait": "/admin/games/notice/?state=waiting",
    "people": "/admin/accounts/user/",
    "people kept out": "/admin/accounts/user/?out=yes",
    "the audit": "/admin/games/audit/",
    "how the site is": "/admin/health/",
}


def more(start: int, stop: int) -> None:
    """Add so many games, each with its table, somebody who sat there, its result and a notice."""
    filled(start, stop)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        copies(Result, start, stop, id=f"{FAR} + n", game_id=f"{FAR} + n")
        copies(Notice, start, stop, id=f"{FAR} + n", key="'copy' || n", game_id=f"{FAR} + n", table_id=f"{FAR} + n")
        who = {"id": f"{FAR} + n", "email": "'copy' || n || '@example.org'", "code": "lpad(to_hex(n), 10, 'z')"}
        copies(User, start // 10, stop // 10, **who)
        cursor.execute("SET session_replication_role = DEFAULT")


def measured(client: Client) -> dict[str, float]:
    def look(path: str) -> None:
        assert client.get(path).status_code == 200

    found = {}
    for name, path in LISTS.items():
        look(path)
        # The best of some: neighbours only ever add to it.
        found[name] = timed(lambda path=path: look(path), times=9)[0]  # type: ignore[misc]
    return found


def test_lists_of_a_million_games(figures: Figures) -> None:
    if connection.vendor != "postgresql":
        pytest.fail("A million games are made by PostgreSQL: run `make bench`.")
    game = over(game_of(persons=people(3)))
    Notice.objects.create(kind="over", game=game, table=game.table, key="first", due=NOW, created=NOW, sent=NOW)
    running = [game_of(persons=people(3)) for _ in range(3)]
    Game.objects.filter(pk=running[0].pk).update(aside=NOW)
    client = sign_in(Client(), User.objects.create_superuser("root@example.org", name="Root", verified=True))
    times = {}
    for start, stop in ((0, FEW), (FEW, MANY)):
        more(start, stop)
        times[stop] = measured(client)
    assert Table.objects.count() > MANY
    assert Holder.objects.count() > MANY
    for what, few in times[FEW].items():
        many = times[MANY][what]
        figures.add(
            f"the desk: {what}, {FEW:,} to {MANY:,}", f"{few:.0f} ms to {many:.0f} ms", f"{many / few:.2f} times"
        )
    assert max(times[MANY].values()) < MOST_MS, times[MANY]
