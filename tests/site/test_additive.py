"""Old code runs on the new schema while a version comes in: migrations of one version only add."""

from collections.abc import Hashable, Iterable
from typing import Any, Final

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.models.fields import NOT_PROVIDED

RELEASED: Final = {"accounts": 5, "games": 8}
"""The last migrations of the version that runs somewhere: set these when the next one has come in everywhere. What
takes away (a field that no code reads since then) belongs into the version after that."""

_ADDS: Final = (migrations.CreateModel, migrations.AddIndex)


def breaks(operations: Iterable[Any]) -> list[str]:
    """What of it code that does not know of it could fail at."""
    operations = list(operations)
    made = {each.name_lower for each in operations if isinstance(each, migrations.CreateModel)}
    added = {
        (each.model_name_lower, each.name, each.field.db_default)
        for each in operations
        if isinstance(each, migrations.AddField) and isinstance(each.field.db_default, Hashable)
    }
    return [each.describe() for each in operations if not _is_additive(each, made) and not _lets_be(each, added)]


def _lets_be(operation: Any, added: set[tuple[str, str, Any]]) -> bool:
    """Whether it is a rule that a row keeps as long as an added field is what the database makes of it."""
    rule = getattr(operation, "constraint", None)
    either = rule.condition if isinstance(rule, models.CheckConstraint) else None
    if not isinstance(either, models.Q) or either.connector != models.Q.OR:
        return False
    children = [each for each in either.children if isinstance(each, tuple)]
    return any((operation.model_name_lower, *each) in added for each in children)


def _is_additive(operation: Any, made: set[str]) -> bool:
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        # What Django calls things, and the database does not.
        return not operation.database_operations
    if isinstance(operation, _ADDS) or getattr(operation, "model_name_lower", "") in made:
        return True
    if isinstance(operation, migrations.AddField):
        # The old code says nothing of it when it writes a row.
        field = operation.field
        return bool(field.null or field.many_to_many or field.db_default is not NOT_PROVIDED)
    # What is filled in by a migration is only ever of a field that one has added.
    return isinstance(operation, migrations.RunPython)


@pytest.mark.parametrize("app", RELEASED)
def test_every_migration_after_the_release_only_adds(app: str) -> None:
    loader = MigrationLoader(None, ignore_no_migrations=True)
    found = {key[1]: migration for key, migration in loader.disk_migrations.items() if key[0] == app}
    numbers = {name: int(name[:4]) for name in found}
    assert max(numbers.values()) >= RELEASED[app]
    fresh = [each for name in sorted(found) if numbers[name] > RELEASED[app] for each in found[name].operations]
    assert breaks(fresh) == []


def _said(database: list[Any]) -> Any:
    return migrations.SeparateDatabaseAndState(database, [migrations.AlterModelOptions("game", {"verbose_name": "go"})])


_TEXT: Final = models.CharField(max_length=9, default="")


@pytest.mark.parametrize(
    ("operation", "fits"),
    [
        (migrations.AddField("game", "word", models.CharField(max_length=9, null=True)), True),
        (migrations.AddField("game", "word", models.CharField(max_length=9, db_default="")), True),
        (migrations.AddField("game", "word", _TEXT), False),
        (migrations.AlterField("game", "word", _TEXT), False),
        (migrations.RemoveField("game", "word"), False),
        (migrations.RenameField("game", "word", "phrase"), False),
        (migrations.DeleteModel("game"), False),
        (migrations.AddConstraint("game", models.UniqueConstraint(fields=["word"], name="one_word")), False),
        (migrations.RunSQL("ALTER TABLE games_game DROP COLUMN word"), False),
        (migrations.CreateModel("word", [("id", models.BigAutoField(primary_key=True))]), True),
        (_said([]), True),
        (_said([migrations.RemoveField("game", "word")]), False),
    ],
    ids=lambda each: each.describe() if hasattr(each, "describe") else "",
)
def test_it_is_known_what_adds(operation: Any, fits: bool) -> None:
    assert (breaks([operation]) == []) is fits


def test_a_new_table_may_have_any_rule() -> None:
    word = migrations.CreateModel("word", [("id", models.BigAutoField(primary_key=True)), ("text", _TEXT)])
    rule = migrations.AddConstraint("word", models.UniqueConstraint(fields=["text"], name="one_word"))
    assert breaks([word, rule]) == []


@pytest.mark.parametrize(("stopped", "fits"), [(False, True), (True, False)])
def test_a_rule_about_a_new_field_lets_rows_be_that_say_nothing_of_it(stopped: bool, fits: bool) -> None:
    field = migrations.AddField("game", "stopped", models.BooleanField(db_default=False))
    rule = models.CheckConstraint(condition=models.Q(stopped=stopped) | models.Q(void=True), name="stopped_is_void")
    assert (breaks([field, migrations.AddConstraint("game", rule)]) == []) is fits
    assert breaks([migrations.AddConstraint("game", rule)]) != []
