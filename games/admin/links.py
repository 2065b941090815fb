"""Links between the pages of the desk, and from them to those of the site."""

from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from games.models import Game, Table

NONE = ""


def row_url(row: Model, what: str = "change") -> str:
    """Return where the desk shows a row."""
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{what}", args=[row.pk])  # noqa: SLF001


def row_link(row: Model | None, said: object = None) -> SafeString | str:
    """Return a link to where the desk shows a row, "" for none."""
    if row is None:
        return NONE
    return format_html('<a href="{}"><bdi>{}</bdi></a>', row_url(row), str(row) if said is None else said)


def rows_link(model: type[Model], said: str, **wanted: object) -> SafeString:
    """Return a link to the rows of a model that belong to another row."""
    meta = model._meta  # noqa: SLF001
    asked = "&".join(f"{name}={value}" for name, value in wanted.items())
    return format_html(
        '<a href="{}?{}">{}</a>', reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist"), asked, said
    )


def public_url(row: Model | None) -> str:
    """Return where the site shows a row to its people and to those who run the site, "" if it has no page there.

    A game that is played leads to its series there.
    """
    match row:
        case Table(started=None):
            # Only for those who may sit down.
            return NONE
        case Table():
            return reverse("series", args=[row.code])
        case Game():
            return reverse("table", args=[row.code])
        case User():
            return reverse("person", args=[row.code])
        case _:
            return NONE


def public_link(row: Model | None) -> SafeString | str:
    """Return a link to where the site shows a row, short enough for a list."""
    url = public_url(row)
    return format_html('<a href="{}">open</a>', url) if url else NONE
