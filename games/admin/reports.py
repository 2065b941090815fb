"""What people reported: the queue, each with its answer."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model, Q
from django.http import HttpRequest

from games.admin.base import ReadAdmin
from games.admin.deeds import Deed, DeedForm
from games.admin.filters import among
from games.admin.finding import people_found, tables_found
from games.admin.links import public_link, row_link
from games.models import Audit
from games.models.office import Report
from games.services.office.answers import report_answer
from games.services.office.seen import seen_of


class _AnswerForm(DeedForm):
    upheld = forms.TypedChoiceField(
        label="Answer",
        choices=[("yes", "It is right"), ("no", "It is dismissed")],
        coerce=lambda value: value == "yes",
        initial="no",
    )
    effect = forms.ChoiceField(
        label="What is done",
        choices=[
            ("none", "Nothing"),
            ("warned", "They are warned"),
            ("renamed", "It gets the name below"),
            ("banned", "They are kept out"),
        ],
        initial="none",
    )
    name = forms.CharField(label="The new name", max_length=240, required=False)


def _answer(row: Report, **given: Any) -> None:
    report_answer(report_id=row.pk, **given)


@admin.register(Report)
class ReportAdmin(ReadAdmin):
    """Reports of names and of people."""

    fields = (
        *("kind", "said", "words", "about_link", "by_link", "table_link", "at", "state", "effect", "answer"),
        *("who", "answered"),
    )
    readonly_fields = ("about_link", "by_link", "table_link", "who")
    list_display = ("kind", "said", "state", "effect", "about_link", "by_link", "at", "page")
    list_filter = (among("state", Report.State),)
    list_select_related = ("about", "by", "table", "answered_by")
    search_fields = ("said",)
    finds = "A person's or a table's code, or how a name begins."
    narrowed = ("about__id__exact", "by__id__exact", "table__id__exact")
    deeds = (
        Deed(
            name="answer",
            right=Audit.Action.ANSWER,
            label="Answer",
            says="Whoever reported reads the answer; whom it is about reads it if something is done.",
            act=_answer,
            seen=seen_of,
            form=_AnswerForm,
        ),
    )

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by whom it is about, who made it, or the table."""
        people = people_found(term, request.user)
        return Q(about__in=people) | Q(by__in=people) | Q(table__in=tables_found(term))

    def related(self, request: HttpRequest, row: Report) -> Iterable[Any]:
        """Lead to whom it is about, where they are renamed or kept out, and to other reports."""
        if row.about is not None:
            yield row_link(row.about, "Whom it is about")
            yield self.rows(request, Report, "All reports about them", about__id__exact=row.about_id)
        yield row_link(row.table, "Table")

    def public(self, row: Report) -> Model | None:
        """The page of whom or what it is about."""
        return row.about or row.table

    @admin.display(description="about")
    def about_link(self, row: Report) -> str:
        """Lead to whom it is about."""
        return row_link(row.about)

    @admin.display(description="by")
    def by_link(self, row: Report) -> str:
        """Lead to who made it."""
        return row_link(row.by)

    @admin.display(description="table")
    def table_link(self, row: Report) -> str:
        """Lead to the table."""
        return row_link(row.table)

    @admin.display(description="answered by")
    def who(self, row: Report) -> str:
        """Lead to who answered."""
        return row_link(row.answered_by)

    @admin.display(description="on the site")
    def page(self, row: Report) -> str:
        """Lead to the page of whom or what it is about."""
        return public_link(self.public(row))
