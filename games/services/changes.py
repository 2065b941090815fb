"""Rows that change with every move: added, changed and taken away by SQL that is written once a process."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, cast

from django.db import connection
from django.db.models import BigIntegerField, Model, QuerySet
from django.db.models.constants import OnConflict
from django.db.models.sql import DeleteQuery, InsertQuery, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

from games.selectors.prepared import Given, Statement, statement_cursor


class Changing(Statement):
    """A change of the rows that *build* finds: to these values, which may be `Given`; without any they are deleted."""

    def __init__(self, build: Callable[[], QuerySet[Any, Any]], **columns: Any) -> None:
        super().__init__(lambda: _change(build(), columns))

    def __call__(self, **values: Any) -> int:
        """Change them, and return how many were found."""
        with statement_cursor() as cursor:
            self.run(cursor, values)
            return int(cursor.rowcount)


def _change(rows: QuerySet[Any, Any], columns: dict[str, Any]) -> SQLCompiler:
    query: Any = rows.query.chain(UpdateQuery if columns else DeleteQuery)
    if columns:
        query.add_update_values(columns)
    return cast("SQLCompiler", query.get_compiler(connection=connection))


class Adding[Row: Model]:
    """New rows of a model, by one statement however many they are; they do not learn their numbers.

    Where there is one already that is the same in *unique*, its *update* is changed instead; without any it stays.
    """

    def __init__(self, model: type[Row], *, unique: Sequence[str] = (), update: Sequence[str] = ()) -> None:
        self._model, self._unique, self._update = model, unique, update
        self._fields: Final = [each for each in model._meta.concrete_fields if not each.primary_key]  # noqa: SLF001 - Django's own way to ask a model
        self._names: Final = [each.attname for each in self._fields]
        self._of: Final = lru_cache(maxsize=16)(lambda count: Statement(lambda: self._insert(count)))

    def __call__(self, rows: Sequence[Row]) -> int:
        """Add them, and return how many were added or changed."""
        if not rows:
            return 0
        values = {f"{name}_{at}": getattr(row, name) for at, row in enumerate(rows) for name in self._names}
        with statement_cursor() as cursor:
            self._of(len(rows)).run(cursor, values)
            return int(cursor.rowcount)

    def _insert(self, count: int) -> SQLCompiler:
        get = self._model._meta.get_field  # noqa: SLF001 - as above
        conflict = {
            "on_conflict": OnConflict.UPDATE if self._update else OnConflict.IGNORE,
            "update_fields": [get(each) for each in self._update],
            "unique_fields": [get(each) for each in self._unique],
        }
        query: Any = InsertQuery(self._model, **(conflict if self._unique else {}))
        query.insert_values(self._fields, [self._row(at) for at in range(count)])
        return cast("SQLCompiler", query.get_compiler(connection=connection))

    def _row(self, at: int) -> Row:
        return self._model(
            **{
                each.attname: Given(f"{each.attname}_{at}", BigIntegerField() if each.is_relation else each)
                for each in self._fields
            }
        )
