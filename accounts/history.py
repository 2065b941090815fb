"""What operators change of a row, kept beside it: django-simple-history, written by the desk alone.

What people change themselves is theirs, and costs no row. The newest row says how it is, those before how it was.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from django.db import models
from django.utils import timezone
from simple_history.models import HistoricalRecords

WHY_LENGTH: Final = 300
ADDED, CHANGED = "+", "~"


class DeskHistory(HistoricalRecords):
    """Keeps some columns of a row, and no others: neither addresses nor passwords."""

    def __init__(self, *tracked: str, bases: Sequence[type[models.Model]] = (models.Model,)) -> None:
        why = models.CharField(max_length=WHY_LENGTH, blank=True, default="")
        super().__init__(bases=tuple(bases), history_change_reason_field=why)  # type: ignore[no-untyped-call]
        self.tracked = tracked

    def fields_included(self, model: type[models.Model]) -> list[Any]:
        """Return the columns that are kept."""
        meta = model._meta  # noqa: SLF001 - as the library asks for them
        return [each for each in meta.fields if each.primary_key or each.name in self.tracked]

    def post_save(self, *_args: Any, **_kwargs: Any) -> None:
        """Keep nothing by itself."""

    def post_delete(self, *_args: Any, **_kwargs: Any) -> None:
        """Keep nothing by itself."""

    def pre_delete(self, *_args: Any, **_kwargs: Any) -> None:
        """Keep nothing by itself."""


def history_kept(row: Any, *, by: models.Model | None = None, why: str = "") -> bool:
    """Keep a row as it is now, if it is not as it was last kept; tell whether it was not.

    Once before a change, so that it is known what was changed, and once after it, with who and why.
    """
    rows = type(row).history.filter(id=row.pk)
    now, last = _facts(row), rows.order_by("-history_id").first()
    if last is not None and all(getattr(last, name) == value for name, value in now.items()):
        return False
    kind = ADDED if last is None else CHANGED
    type(row).history.model.objects.create(
        **now, history_date=timezone.now(), history_type=kind, history_user=by, history_change_reason=why
    )
    return True


def history_of(model: Any, pk: object) -> list[dict[str, Any]]:
    """Return what was changed of a row, the newest first: when, by whom, why, and each column's value before and after.

    How it was kept first is no change.
    """
    kept = list(model.history.filter(id=pk).order_by("history_id"))
    names = [each.attname for each in model.history.model.tracked_fields if not each.primary_key]
    names += ["role"] if hasattr(model.history.model, "role") else []
    found = []
    for before, after in pairwise(kept):
        values = [(name, getattr(before, name), getattr(after, name)) for name in names]
        changes = [(name.removesuffix("_id"), _said(was), _said(now)) for name, was, now in values if was != now]
        row = {"at": after.history_date, "by": after.history_user, "why": after.history_change_reason}
        found.append(row | {"changes": changes})
    return found[::-1]


def _said(value: Any) -> Any:
    return ("no", "yes")[value] if isinstance(value, bool) else value


def _facts(row: Any) -> dict[str, Any]:
    facts = {each.attname: getattr(row, each.attname) for each in type(row).history.model.tracked_fields}
    return facts | (row.history_extra() if hasattr(row, "history_extra") else {})
