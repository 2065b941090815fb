"""How PostgreSQL answers what a page asks."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection

_SMALL: Final = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")
"""What pays where tables are small: with so many rows that it would not, the same indexes are walked."""


@dataclass(frozen=True)
class Node:
    """A step of a plan that reads a table: how, by which index, and how many rows, those included that it left out."""

    kind: str
    table: str
    index: str
    rows: int


@dataclass(frozen=True)
class Plan:
    """A statement, and the steps of its plan that read tables."""

    sql: str
    nodes: tuple[Node, ...]

    def __str__(self) -> str:
        return f"{self.sql}\n  " + "\n  ".join(map(str, self.nodes))


def explaining(plans: list[Plan], *, as_if_large: bool = False) -> AbstractContextManager[None]:
    """Explain whatever is selected while this lasts."""

    def explained(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if sql.startswith("SELECT"):
            plans.append(Plan(sql, tuple(_nodes(_explained(sql, params, as_if_large=as_if_large)))))
        return execute(sql, params, many, context)

    return connection.execute_wrapper(explained)


def _explained(sql: str, params: Any, *, as_if_large: bool) -> dict[str, Any]:
    with connection.connection.cursor() as cursor:
        for each in _SMALL if as_if_large else ():
            cursor.execute(f"SET {each} = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
        [[[found]]] = cursor.fetchall()
        for each in _SMALL if as_if_large else ():
            cursor.execute(f"RESET {each}")
    step: dict[str, Any] = found["Plan"]
    return step


def _nodes(step: dict[str, Any]) -> Iterator[Node]:
    if "Relation Name" in step:
        left_out = step.get("Rows Removed by Filter", 0) + step.get("Rows Removed by Index Recheck", 0)
        rows = round(step["Actual Loops"] * (step["Actual Rows"] + left_out))
        yield Node(step["Node Type"], step["Relation Name"], step.get("Index Name", ""), rows)
    for each in step.get("Plans", ()):
        yield from _nodes(each)
