"""Answers to reports: the answer and what it does stand or fall together, and of two operators one gives it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from accounts.history import history_of
from accounts.models import User
from accounts.roles import role_given
from games.models import Audit, Notice, Report, Table
from games.services.erasing import person_erased
from games.services.errors import NameUnfit, ServiceError
from games.services.office.answers import report_answer
from games.services.office.errors import AboveYou, BannedAlready, Changed, EffectUnfit, NotYourself, OwnReport
from games.services.office.people import guest_merge, person_ban, person_rename
from games.services.office.seen import seen_of
from games.services.people import person_renamed
from tests.games.gathering import draft
from tests.games.office import WHY, boss, refused, told
from tests.games.stored import NOW, game_of, in_threads, people, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def reported(about: User | None = None, **options: Any) -> Report:
    given = {"kind": "person" if about else "table", "by": person("Teller"), "said": "Rude", "at": NOW}
    return Report.objects.create(about=about, **given | options)


def asked(report: Report, by: User, **options: Any) -> dict[str, Any]:
    seen = seen_of(Report.objects.get(pk=report.pk))
    given = {"report_id": report.pk, "by": by, "why": WHY, "upheld": True, "seen": seen, "now": NOW}
    return given | options


def test_of_two_who_answer_one_does_and_nothing_of_the_other_stands() -> None:
    rude, *others = people(3)
    game_of(persons=[rude, *others])
    report = reported(rude)
    mine = asked(report, boss("Ann"), effect="banned")
    theirs = asked(report, boss("Ben"), effect="renamed", name="Kind")
    results = in_threads(2, lambda at: report_answer(**(mine, theirs)[at]))
    assert Counter(type(each).__name__ for each in results) == {"Audit": 1, "Changed": 1}
    rude.refresh_from_db()
    report.refresh_from_db()
    done = ("banned", False, "P0") if report.effect == "banned" else ("renamed", True, "Kind")
    assert (report.effect, rude.is_active, rude.name) == done
    # What was done, and the answer; both by the same.
    assert Audit.objects.count() == 2
    assert set(Audit.objects.values_list("by", flat=True)) == {report.answered_by_id}
    # Each of the two hears of it once.
    rows = Notice.objects.filter(kind__startswith="office").order_by("user")
    assert list(rows.values_list("user", flat=True)) == sorted([rude.pk, report.by_id or 0])


REFUSED: dict[str, tuple[type[ServiceError], dict[str, Any]]] = {
    "no name": (NameUnfit, {"effect": "renamed"}),
    "the name they have": (NameUnfit, {"effect": "renamed", "name": "Rude"}),
    "dismissed": (EffectUnfit, {"effect": "banned", "upheld": False}),
    "no such effect": (EffectUnfit, {"effect": "beheaded"}),
    "not as shown": (Changed, {"effect": "banned", "seen": "0"}),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_done_is_no_answer(why: str) -> None:
    error, given = REFUSED[why]
    report, by = reported(person("Rude")), boss()
    with refused(error):
        report_answer(**asked(report, by, **given))


def test_whom_an_operator_may_not_act_upon() -> None:
    by = boss()
    report = reported(boss("Another"))
    for effect in ({"effect": "banned"}, {"effect": "renamed", "name": "Kind"}):
        with refused(AboveYou):
            report_answer(**asked(report, by, **effect))
    out = person("Out")
    person_ban(user_id=out.pk, by=by, why=WHY, seen=seen_of(out), now=NOW)
    report = reported(User.objects.get(pk=out.pk))
    with refused(BannedAlready):
        report_answer(**asked(report, by, effect="banned"))


def test_nobody_answers_what_is_said_of_themselves() -> None:
    by = boss()
    for report in (reported(by), reported(table=draft(by))):
        for given in ({"upheld": False}, {"effect": "warned"}):
            with refused(NotYourself):
                report_answer(**asked(report, by, **given))


def chief(name: str = "Chief") -> User:
    return User.objects.create_superuser(f"{name.lower()}@example.org", name=name)


def test_nobody_answers_their_own_report() -> None:
    """Nor a superuser, unless nobody else may: it would wait for ever."""
    by, root, rude = boss(), chief(), person("Rude")
    for report in (reported(rude, by=by), reported(table=draft(person("Host")), by=by)):
        for given in ({"upheld": False}, {"effect": "warned"}):
            with refused(OwnReport):
                report_answer(**asked(report, by, **given))
    mine, staffs = reported(rude, by=root), reported(by, by=root)
    report_answer(**asked(mine, root, effect="warned"))
    role_given(by, "moderator")
    with refused(OwnReport):
        report_answer(**asked(mine, root, upheld=False))
    # Whom the moderator may not judge nobody else does.
    report_answer(**asked(staffs, root, effect="warned"))
    other = chief("Other")
    with refused(OwnReport):
        report_answer(**asked(staffs, root, upheld=False))
    report_answer(**asked(staffs, other, upheld=False))


def test_what_is_said_of_the_staff_is_answered_by_superusers() -> None:
    by, colleague, root = boss(), boss("Another"), chief()
    about = (colleague, root)
    reports = [reported(each) for each in about] + [reported(table=draft(each)) for each in about]
    for report in reports:
        for given in ({"upheld": False}, {"effect": "warned"}):
            with refused(AboveYou):
                report_answer(**asked(report, by, **given))
    report_answer(**asked(reports[0], root, effect="warned"))
    with refused(NotYourself):
        report_answer(**asked(reports[1], root, upheld=False))
    report_answer(**asked(reports[1], chief("Other"), effect="warned"))


def test_of_a_warning_both_hear() -> None:
    rude, by = person("Rude"), boss()
    report = reported(rude)
    audit = report_answer(**asked(report, by, effect="warned"))
    assert told(audit) == ["Rude", "Teller"]
    audit = report_answer(**asked(report, by, upheld=False))
    assert told(audit) == ["Rude", "Teller"]
    audit = report_answer(**asked(report, by))
    assert told(audit) == ["Teller"]


def test_a_tables_name_is_changed_and_nobody_is_kept_out_for_it() -> None:
    table, by = draft(person("Host"), name="Rude"), boss()
    report = reported(table=table)
    with refused(EffectUnfit):
        report_answer(**asked(report, by, effect="banned"))
    report_answer(**asked(report, by, effect="renamed", name="Kind"))
    assert Table.objects.get().name == "Kind"
    assert [each["changes"] for each in history_of(Table, table.pk)] == [[("name", "Rude", "Kind")]]


def test_what_was_done_meanwhile_is_looked_at_again() -> None:
    """By another operator, of another report about them, or by themselves."""
    rude, by = person("Rude"), boss()
    report = reported(rude)
    given = asked(report, by, effect="banned")
    person_rename(user_id=rude.pk, by=boss("Ann"), why=WHY, name="Kind", seen=seen_of(rude), now=NOW)
    with refused(Changed):
        report_answer(**given)
    given = asked(report, by, effect="banned")
    person_renamed(user=User.objects.get(pk=rude.pk), name="Kinder", now=NOW)
    with refused(Changed):
        report_answer(**given)
    report_answer(**asked(report, by, effect="banned"))
    assert not User.objects.get(pk=rude.pk).is_active
    changes = [change for each in history_of(User, rude.pk) for change in each["changes"]]
    assert ("is_active", "yes", "no") in changes


@pytest.mark.parametrize("_again", range(3))
def test_who_is_erased_or_becomes_part_of_an_account_while_they_are_answered(_again: int) -> None:
    """None of them waits for another for ever."""
    by, guest, nani = boss(), User.objects.create_guest("Golu"), person("Nani")
    report = reported(guest)
    given = asked(report, by, effect="warned")
    merge: dict[str, Any] = {"guest_id": guest.pk, "into_id": nani.pk, "by": by, "why": WHY, "seen": seen_of(guest)}
    acts: list[Callable[[], object]] = [
        lambda: report_answer(**given),
        lambda: person_erased(user_id=guest.pk, now=NOW, due=False),
        lambda: guest_merge(**merge, now=NOW),
    ]
    results = in_threads(3, lambda at: acts[at]())
    assert all(isinstance(each, Audit | bool | ServiceError) for each in results), results
    report.refresh_from_db()
    assert report.about_id in (None, nani.pk)


def test_whoever_reported_and_is_erased_goes_out_of_the_answer() -> None:
    teller, rude, by = person("Zebulon"), person("Rude"), boss()
    report = reported(rude, by=teller)
    report_answer(**asked(report, by, effect="renamed", name="Kind", why="Zebulon is right."))
    assert User.history.filter(history_change_reason="Zebulon is right.").exists()
    assert person_erased(user_id=teller.pk, now=NOW, due=False)
    report.refresh_from_db()
    assert (report.by, report.answer, report.effect) == (None, "Former player is right.", "renamed")
    assert set(Audit.objects.values_list("why", flat=True)) == {"Former player is right."}
    assert not User.history.filter(history_change_reason__contains="Zebulon").exists()
