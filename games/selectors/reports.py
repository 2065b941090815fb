"""Reports as those see them who made one or whom one is about; and what somebody may report."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from games.models import Holder, Report, Table
from games.selectors.company import NotAtTable
from games.selectors.gather import gathering
from games.selectors.people import met
from games.selectors.sight import table_sight

SHOWN: Final = 50
"""How many reports are listed, the newest first."""

WHAT_WORDS: Final = {
    Report.Kind.NAME: "The name",
    Report.Kind.PERSON: "How somebody behaves, called",
    Report.Kind.TABLE: "The table\u2019s name",
}
_ABOUT_WORDS: Final = {
    Report.Kind.NAME: "Your name",
    Report.Kind.PERSON: "How you behave",
    Report.Kind.TABLE: "The name of your table",
}
EFFECT_WORDS: Final = {
    Report.Effect.NONE: "Nothing was changed.",
    Report.Effect.WARNED: "They were warned.",
    Report.Effect.RENAMED: "It was given another name.",
    Report.Effect.BANNED: "They may not sign in any more.",
}
_MINE_WORDS: Final = {
    Report.Effect.WARNED: "You are warned: the next time you may lose your account.",
    Report.Effect.RENAMED: "It was given another name.",
    Report.Effect.BANNED: "You may not sign in any more.",
}


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One report in words; `said` is the name as it was then, `words` what its maker wrote to it.

    before: how many are looked at sooner, None once it is answered.
    """

    what: str
    said: str
    words: str
    at: datetime
    before: int | None
    answer: str
    effect: str
    answered: datetime | None


@dataclass(frozen=True, slots=True)
class Reports:
    """What a person has reported, and what was decided of reports about them."""

    mine: tuple[ReportLine, ...]
    about: tuple[ReportLine, ...]


def reports_of(*, user: User) -> Reports:
    """Return the reports that a person may read of: their own, and those about them that had an effect."""
    sooner = Q(at__lt=OuterRef("at")) | Q(at=OuterRef("at"), pk__lt=OuterRef("pk"))
    queue = Report.objects.filter(sooner, state=Report.State.OPEN).values("state").annotate(count=Count("pk"))
    mine = Report.objects.filter(by=user).annotate(before=Coalesce(Subquery(queue.values("count")), 0))
    about = about_me(user).order_by("-answered", "-pk")[:SHOWN]
    return Reports(
        tuple(_mine(each, each.before) for each in mine.order_by("-at", "-pk")[:SHOWN]),
        tuple(_about(each) for each in about),
    )


def about_me(user: User) -> QuerySet[Report]:
    """Return the reports about a person, or a table of theirs, of which they may know: those that had an effect."""
    of_tables = Report.objects.filter(kind=Report.Kind.TABLE, table__host=user)
    theirs = Report.objects.filter(about=user).values("pk").union(of_tables.values("pk"))
    return Report.objects.filter(pk__in=theirs, state=Report.State.UPHELD).exclude(effect=Report.Effect.NONE)


def _mine(report: Report, before: int) -> ReportLine:
    return ReportLine(
        what=WHAT_WORDS[Report.Kind(report.kind)],
        said=report.said,
        words=report.words,
        at=report.at,
        before=None if report.answered else before,
        answer=report.answer,
        effect=EFFECT_WORDS[Report.Effect(report.effect)],
        answered=report.answered,
    )


def _about(report: Report) -> ReportLine:
    """Return a report for whom it is about: neither who made it, nor when, nor their words."""
    return ReportLine(
        what=_ABOUT_WORDS[Report.Kind(report.kind)],
        said=report.said,
        words="",
        at=report.answered or report.at,
        before=None,
        answer=report.answer,
        effect=_MINE_WORDS[Report.Effect(report.effect)],
        answered=report.answered,
    )


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at a table who may be reported there."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Reportable:
    """What somebody may report at a table: the other people there, and its name unless it is their `own`."""

    own: bool
    people: tuple[Sitter, ...]


def reportable(*, viewer: User, code: str) -> Reportable | None:
    """Return what somebody may report at a table that they look at; None if there is nothing."""
    sits = Holder.objects.filter(table__code=code, until=None, user__isnull=False).exclude(user=viewer)
    people = tuple(Sitter(*row) for row in sits.order_by("seat__number").values_list("seat__number", "name"))
    own = Table.objects.filter(code=code, host=viewer).exists()
    return Reportable(own, people) if people or not own else None


def may_report_person(*, viewer: User, person: User) -> bool:
    """Tell whether somebody may report a person: they have met them, or see them at a table that is open to both."""
    return met(viewer, person)


def may_report_table(*, viewer: User, table: Table, invited: Collection[int], now: datetime) -> bool:
    """Tell whether somebody may report a table, or who is at it: they may look at its page."""
    try:
        if gathering(viewer=viewer, code=table.code, invited=invited, now=now) is None:
            table_sight(viewer=viewer, code=table.code, invited=invited)
    except NotAtTable:
        return False
    return True
