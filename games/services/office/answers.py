"""Answers to reports: what was decided, why, and what was done, which both whom it concerns may read."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from games.models import Audit
from games.models.office import Report
from games.services.letters.office import PERSON
from games.services.locks import writing
from games.services.office.acting import audited, history, reason, told
from games.services.office.errors import AboveYou, Changed, EffectUnfit, NotYourself, OwnReport
from games.services.office.holding import Held, held
from games.services.office.people import banned, person_named, tables_of
from games.services.office.rights import RIGHTS
from games.services.office.seen import check_seen
from games.services.office.tables import table_named
from games.services.report_errors import ReportGone


def report_answer(  # noqa: PLR0913 - what an answer is, every part named
    *,
    report_id: int,
    by: User,
    why: str,
    upheld: bool,
    effect: str = Report.Effect.NONE,
    name: str = "",
    seen: str,
    now: datetime,
) -> Audit:
    """Answer a report, or answer it otherwise, and do what the answer says, all or nothing; *why* is read by both.

    A *name* is for whom or what is renamed.

    Raises:
        ReportGone: there is no such report.
        Changed: it, or whom or what it is about, is not as the operator's page showed it.
        EffectUnfit: a report that is dismissed has no effect, and only a person can be kept out.
        NotYourself, OwnReport: it is about the operator, or a table of theirs, or made by them.
        AboveYou: it is about somebody of the staff, or a table of theirs, and the operator is no superuser.
        UserGone, BannedAlready, NameUnfit: what is wrong with what shall be done.
        ReasonNeeded: no answer was given.
    """
    why = reason(why)
    if effect not in Report.Effect.values or (not upheld and effect != Report.Effect.NONE):
        raise EffectUnfit
    with writing():
        report, holding = _held(report_id)
        check_seen(report, seen)
        _check_answers(report, holding, by)
        before = {"state": report.state, "effect": report.effect}
        with history(report, by=by, why=why):
            report.state = Report.State.UPHELD if upheld else Report.State.DISMISSED
            report.effect, report.answer, report.answered, report.answered_by = effect, why, now, by
            report.save(update_fields=["state", "effect", "answer", "answered", "answered_by"])
        _done(report, holding, name=name, by=by, why=why, now=now)
        return _written_down(report, before, by=by, why=why, now=now)


def _written_down(report: Report, before: Mapping[str, str], *, by: User, why: str, now: datetime) -> Audit:
    """Write down an answer that was given, and word to those whom it concerns."""
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
    warned = Report.Effect.WARNED in (before["effect"], report.effect)
    told(audit=audit, kind=PERSON, people=_concerned(report, warned=warned), now=now)
    return audit


def _held(report_id: int) -> tuple[Report, Held]:
    """Return a report, and whom and what it is about, as this transaction holds them: the report last.

    Who is erased or becomes part of an account is held before their reports, too.

    Raises:
        ReportGone: there is no such report.
        UserGone, Changed: whom it names has gone, or is somebody else, or has just sat down somewhere.
    """
    rows = Report.objects.select_related("about", "table")
    found = rows.filter(pk=report_id).first()
    if found is None:
        raise ReportGone
    people = _named(found)

    def which(_people: Collection[int]) -> Q:
        mine = tables_of([] if found.about_id is None else [found.about_id])
        return Q(pk=found.table_id) if found.kind == Report.Kind.TABLE else mine

    holding = held(people, which)
    report = rows.select_for_update(no_key=True, of=("self",)).filter(pk=report_id).first()
    if report is None:
        raise ReportGone
    if _named(report) != people or report.table_id != found.table_id:
        raise Changed
    return report, holding


def _named(report: Report) -> set[int]:
    """Return the ids of the people whom it concerns."""
    return {each for each in (report.by_id, report.about_id, _host_of(report)) if each is not None}


def _host_of(report: Report) -> int | None:
    """Return the id of the host of a table whose name is reported."""
    return report.table.host_id if report.table is not None and report.kind == Report.Kind.TABLE else None


def _check_answers(report: Report, holding: Held, by: User) -> None:
    """Check that an operator is neither who reported nor whom it is about, nor below them.

    A superuser answers what they reported if nobody else may: it would wait for ever.

    Raises:
        NotYourself, OwnReport, AboveYou: they are.
    """
    about = {each for each in (report.about_id, _host_of(report)) if each is not None}
    staff = any(each.is_staff and each.pk in about for each in holding.people)
    if by.pk in about:
        raise NotYourself
    if by.pk == report.by_id and not (by.is_superuser and _alone(by, about, staff)):
        raise OwnReport
    if staff and not by.is_superuser:
        raise AboveYou


def _alone(by: User, about: Collection[int], staff: bool) -> bool:  # noqa: FBT001
    """Tell whether nobody else may answer a report about these people, who are of the *staff* or not."""
    others = User.objects.filter(is_staff=True, is_active=True).exclude(pk__in=[by.pk, *about])
    may = Q(is_superuser=True)
    return not others.filter(may if staff else may | Q(groups__name__in=RIGHTS[Audit.Action.ANSWER])).exists()


def _done(report: Report, holding: Held, *, name: str, by: User, why: str, now: datetime) -> None:
    """Do what the answer says."""
    about = next((each for each in holding.people if each.pk == report.about_id), None)
    match report.effect:
        case Report.Effect.RENAMED if report.kind == Report.Kind.TABLE and holding.tables:
            table_named(table=holding.tables[0], by=by, why=why, name=name, now=now)
        case Report.Effect.RENAMED if about is not None:
            person_named(user=about, tables=holding.tables, by=by, why=why, name=name, now=now)
        case Report.Effect.BANNED if about is not None:
            banned(user=about, tables=holding.tables, by=by, why=why, now=now)
        case Report.Effect.RENAMED | Report.Effect.BANNED:
            raise EffectUnfit
        case _:
            pass


def _concerned(report: Report, *, warned: bool) -> list[int | None]:
    """Return who is told: whoever reported, and whom it is about if they are *warned*, or are so no more.

    Of all else they are told as such.
    """
    return [report.by_id, report.about_id, _host_of(report)] if warned else [report.by_id]
