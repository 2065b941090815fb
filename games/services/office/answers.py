"""Answers to reports: what was decided, why, and what was done, which both whom it concerns may read."""

import hashlib
from datetime import datetime

from accounts.models import User
from games.models import Audit
from games.models.office import Report
from games.services.letters.office import PERSON
from games.services.locks import writing
from games.services.office.acting import audited, reason, told
from games.services.office.errors import Changed, EffectUnfit
from games.services.report_errors import ReportGone


def report_seen(report: Report) -> str:
    """Return what an operator's page showed of a report, as a short text."""
    facts = (report.pk, report.state, report.effect, report.answer, report.answered_by_id)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def report_answer(
    *, report_id: int, by: User, why: str, upheld: bool, effect: str = Report.Effect.NONE, seen: str, now: datetime
) -> Audit:
    """Answer a report, or answer it otherwise; *effect* says what was done, *why* is read by both.

    Raises:
        ReportGone: there is no such report.
        Changed: it is not as the operator's page showed it.
        EffectUnfit: a report that is dismissed has no effect.
        ReasonNeeded: no answer was given.
    """
    why = reason(why)
    if effect not in Report.Effect.values or (not upheld and effect != Report.Effect.NONE):
        raise EffectUnfit
    with writing():
        rows = Report.objects.select_for_update(no_key=True, of=("self",))
        report = rows.select_related("about", "table").filter(pk=report_id).first()
        if report is None:
            raise ReportGone
        if report_seen(report) != seen:
            raise Changed
        before = {"state": report.state, "effect": report.effect}
        report.state = Report.State.UPHELD if upheld else Report.State.DISMISSED
        report.effect, report.answer, report.answered, report.answered_by = effect, why, now, by
        report.save(update_fields=["state", "effect", "answer", "answered", "answered_by"])
        audit = audited(
            action=Audit.Action.ANSWER,
            by=by,
            why=why,
            # Not the table: its people read what was done there, and who reported is nobody's business.
            person=report.about,
            before=before,
            after={"state": report.state, "effect": report.effect, "report": report.pk},
            now=now,
        )
        told(audit=audit, kind=PERSON, people=_concerned(report), now=now)
        return audit


def _concerned(report: Report) -> list[int | None]:
    """Return who is told: whoever reported, and of an effect whom it is about."""
    if report.effect == Report.Effect.NONE:
        return [report.by_id]
    host = report.table.host_id if report.table is not None and report.kind == Report.Kind.TABLE else None
    return [report.by_id, report.about_id, host]
