"""Queries that are asked with every board and every move: written as SQL once a process, not each time.

To turn a query of ours into SQL takes Django several times as long as PostgreSQL takes to answer it. PostgreSQL, in
turn, keeps the plan of each (`games.selectors.plans`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import FETCH_ONE, FETCH_RAISE, Model, QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler


class Given(Value):
    """A value that a statement is given each time it is run: its name, and a field of the kind that it has."""

    def as_sql(self, _compiler: object, connection: Any) -> tuple[str, Any]:
        """Return a place, and itself as what stands there until it is asked."""
        if connection.vendor != "postgresql":
            return "%s", [self]
        # PostgreSQL must know of what kind it is before it comes; of what length it may be is the column's to say.
        kind = str(self.output_field.db_type(connection)).partition("(")[0]
        return f"%s::{kind}", [self]

    def bound(self, values: Mapping[str, Any]) -> Any:
        """Return what stands there now, as the database takes it."""
        return self.output_field.get_db_prep_value(values[cast("str", self.value)], connection, prepared=False)


class _Written(NamedTuple):
    """A statement as SQL; converters: of those columns that do not come as Python has them, by their place."""

    sql: str
    params: tuple[Any, ...]
    converters: Sequence[tuple[int, Sequence[Callable[..., Any]], Any]]


class Statement:
    """A statement that is written once: *compiler* returns what Django writes it with.

    What it is given stands in it as `Given`; it must not hang on anything else that changes.
    """

    def __init__(self, compiler: Callable[[], SQLCompiler]) -> None:
        self._compiler = compiler
        self._made: Final[dict[str, _Written]] = {}

    def run(self, cursor: CursorWrapper, values: Mapping[str, Any]) -> None:
        """Run it with these values."""
        written = self.written
        cursor.execute(
            written.sql, [each.bound(values) if isinstance(each, Given) else each for each in written.params]
        )

    @property
    def written(self) -> _Written:
        """It as SQL."""
        found = self._made.get(connection.vendor)
        if found is None:
            found = self._made[connection.vendor] = _written(self._compiler())
        return found


class Prepared(Statement):
    """A query that is written once: what it is given stands in it as `Given`, what it finds are tuples.

    *build* returns it, with `values_list`.
    """

    def __init__(self, build: Callable[[], QuerySet[Any, Any]]) -> None:
        super().__init__(lambda: build().query.get_compiler(connection=connection))

    def __call__(self, **values: Any) -> list[tuple[Any, ...]]:
        """Ask it, in one query."""
        with statement_cursor() as cursor:
            self.run(cursor, values)
            found = cursor.fetchall()
        written = self.written
        return [_converted(row, written) for row in found] if written.converters else found


def statement_cursor() -> CursorWrapper:
    """Return a cursor for statements that are written once."""
    if connection.vendor != "postgresql":
        return connection.cursor()
    # The embedded default has no PostgreSQL, and does not load its package.
    from games.selectors.plans import planned_cursor

    return planned_cursor()


def _written(compiler: SQLCompiler) -> _Written:
    found: Any = compiler.as_sql()
    # Of rows that are added Django makes a list of statements.
    sql, params = found[0] if isinstance(found, list) else found
    if connection.vendor == "postgresql":
        sql, params = _filled(sql, params)
    # What changes rows selects nothing.
    columns = [each[0] for each in compiler.select[: compiler.col_count]] if compiler.select else []
    converters = [(at, each, column) for at, (each, column) in compiler.get_converters(columns).items()]
    return _Written(sql, tuple(params), converters)


def _filled(sql: str, params: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """Write into a statement what never changes, and leave places for what it is given."""
    from games.selectors.plans import literal

    places = ["%s" if isinstance(each, Given) else literal(each).replace("%", "%%") for each in params]
    return sql.replace("%%", "%%%%") % tuple(places), [each for each in params if isinstance(each, Given)]


def _converted(row: Sequence[Any], written: _Written) -> tuple[Any, ...]:
    values = list(row)
    for at, converters, column in written.converters:
        for convert in converters:
            values[at] = convert(values[at], column, connection)
    return tuple(values)


class Columns[Row: Model]:
    """All columns of a model, to ask for them among others and to make its rows of what was found.

    Of *whole* rows nothing else is ever fetched: what they refer to is given to them.
    """

    def __init__(self, model: type[Row], path: str = "", *, whole: bool = False) -> None:
        self._model, self._mode = model, FETCH_RAISE if whole else FETCH_ONE
        self._fields = [each.attname for each in model._meta.concrete_fields]  # noqa: SLF001 - Django's own way to ask a model
        self.names: Final = [f"{path}{each}" for each in self._fields]

    def row(self, values: Sequence[Any]) -> Row:
        """Return a row of the model whose columns these are."""
        return self._model.from_db(connection.alias, self._fields, values, fetch_mode=self._mode)
