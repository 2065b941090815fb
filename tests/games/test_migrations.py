"""Migrations on a database that is in use."""

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.models import Holder
from games.services.dealing import game_next, game_start
from tests.games.stored import NOW, game_of, over, people, table_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def migrated(name: str) -> Any:
    """Bring games to a migration, and return its models."""
    executor = MigrationExecutor(connection)
    executor.migrate([("games", name)])
    return executor.loader.project_state([("games", name)]).apps


def test_tables_are_given_the_status_that_their_games_have() -> None:
    waiting = table_of(bots=3)
    running = game_of(persons=people(2), bots=2).table
    done = over(game_of(bots=3)).table
    between = game_start(table_id=table_of(bots=3, deals=2).pk, now=NOW).table
    over(between.game_set.get())
    second = game_start(table_id=table_of(bots=3, deals=2).pk, now=NOW).table
    over(second.game_set.get())
    game_next(table_id=second.pk, now=NOW)
    names = {each.pk: each.name for each in Holder.objects.all()}
    try:
        migrated("0002_guards")
        model = migrated("0005_statuses_agree").get_model
        found = {each.pk: (each.status, each.started) for each in model("games", "Table").objects.all()}
        assert found == {
            waiting.pk: ("open", None),
            running.pk: ("running", NOW),
            done.pk: ("over", NOW),
            between.pk: ("running", NOW),
            second.pk: ("running", NOW),
        }
        assert {each.pk: each.name for each in model("games", "Holder").objects.all()} == names
        assert not model("games", "Invite").objects.exists()
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
