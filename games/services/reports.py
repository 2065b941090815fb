"""Reports: what a person tells the operators of a name or of somebody."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from accounts.models import User
from accounts.names import name_cleaned, name_problem
from games.models import Holder, Report, Table
from games.selectors.reports import may_report_person, may_report_table
from games.services.errors import PersonGone
from games.services.locks import writing
from games.services.report_errors import NothingToReport, ReportLimit, ReportUnfit

MOST_A_DAY: Final = 10
"""How much one person may report in a day."""

MOST_WORDS: Final = 500
"""The most characters of the words to a report."""

_DAY: Final = timedelta(days=1)
_ERASED: Final = "They have deleted their account."


def report_made(
    *,
    by: User,
    kind: Report.Kind,
    about: User | None = None,
    table: Table | None = None,
    words: str = "",
    invited: Collection[int] = (),
    now: datetime,
) -> Report:
    """Let a person report what somebody is called, how they behave, or what a table is called.

    A name may be reported as it is at a `table`. What the person has reported already, and nobody has answered yet, is
    not reported again. *invited* are the invitations by which they came.

    Raises:
        NothingToReport: there is no such thing, or they may not see it.
        ReportUnfit: it is themselves or their own table, or the words cannot be read.
        ReportLimit: they have reported ten times in a day.
        PersonGone: one of the two is being erased.
    """
    words = _words(words)
    said = _said(by, kind, about, table, invited, now)
    with writing():
        _held(by, about)
        mine = Report.objects.filter(by=by)
        same = mine.filter(kind=kind, state=Report.State.OPEN)
        same = same.filter(table=table) if kind == Report.Kind.TABLE else same.filter(about=about)
        there = same.first()
        if there is not None:
            return there
        if mine.filter(at__gt=now - _DAY).count() >= MOST_A_DAY:
            raise ReportLimit
        return Report.objects.create(kind=kind, by=by, about=about, table=table, said=said, words=words, at=now)


def _words(text: str) -> str:
    """Return the words to a report, in one line.

    Raises:
        ReportUnfit: they are too many, or hold what cannot be seen.
    """
    words = name_cleaned(" ".join(text.split()))
    fault = name_problem(words, most=MOST_WORDS) if words else None
    if fault is None and len(words) > MOST_WORDS:
        fault = f"Use at most {MOST_WORDS} characters; these are {len(words)}."
    if fault:
        raise ReportUnfit(fault)
    return words


def _said(
    by: User,
    kind: Report.Kind,
    about: User | None,
    table: Table | None,
    invited: Collection[int],
    now: datetime,
) -> str:
    """Return what is called how, if this person may report it."""
    if about == by or (about is None and table is not None and table.host_id == by.pk):
        raise ReportUnfit("That is yours: give it another name, if you like.")
    seen = table is not None and may_report_table(viewer=by, table=table, invited=invited, now=now)
    if kind == Report.Kind.TABLE:
        if table is None or about is not None or not seen:
            raise NothingToReport
        return table.name
    if about is None or (table is not None and not seen):
        raise NothingToReport
    called = _called(about, table)
    if not called and not may_report_person(viewer=by, person=about):
        raise NothingToReport
    return called or about.name


def _called(about: User, table: Table | None) -> str:
    """Return what somebody is called at a table, "" if they never sat there."""
    if table is None:
        return ""
    sat = Holder.objects.filter(table=table, user=about).order_by("-since", "-pk")
    return sat.values_list("name", flat=True).first() or ""


def _held(by: User, about: User | None) -> None:
    """Hold the rows of both, so that neither is erased meanwhile, and whoever reports does one thing at a time."""
    people = {each.pk for each in (by, about) if each is not None}
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk")
    if len(rows.values_list("pk")) < len(people):
        raise PersonGone


def reports_forgotten(*, user: User, former: str, now: datetime) -> None:
    """Take a person who is being erased out of all reports, in the transaction that is open; open ones about them end.

    *former* is what they are called from now on.
    """
    Report.objects.filter(by=user).update(words="", by=None)
    mine = Report.objects.filter(about=user)
    mine.filter(state=Report.State.OPEN).update(state=Report.State.DISMISSED, answered=now, answer=_ERASED)
    mine.exclude(answer=_ERASED).update(answer="")
    mine.update(said=former, words="", about=None)
