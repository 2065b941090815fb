"""Filters of lists: by a few values, each of which an index finds or most rows have."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Choices, Q, QuerySet
from django.http import HttpRequest


def among(name: str, choices: type[Choices], title: str = "") -> type[SimpleListFilter]:
    """Return a filter by a column of known values."""
    wanted = [(str(value), str(label), Q(**{name: value})) for value, label in choices.choices]
    return by(name, title or name.replace("_", " "), wanted)


def by(name: str, title: str, wanted: Sequence[tuple[str, str, Q]]) -> type[SimpleListFilter]:
    """Return a filter by conditions, each with a word for its address and one to be read."""

    def lookups(_self: Any, _request: HttpRequest, _desk: ModelAdmin[Any]) -> list[tuple[str, str]]:
        return [(key, said) for key, said, _ in wanted]

    def queryset(self: Any, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = [condition for key, _, condition in wanted if key == self.value()]
        return rows.filter(chosen[0]) if chosen else rows

    parts: dict[str, str | Callable[..., Any]] = {"lookups": lookups, "queryset": queryset}
    return type(f"By{name.title()}", (SimpleListFilter,), {"title": title, "parameter_name": name, **parts})
