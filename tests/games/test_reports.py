"""Reporting a name, a person or a table: who may, what comes of a second tap, and who is told what."""

import datetime as dt
from contextlib import suppress
from typing import Any

import pytest

from accounts.models import Block, User
from games.models import Report, Table
from games.selectors.reports import reports_of
from games.services.erasing import person_erased
from games.services.errors import PersonGone, ServiceError
from games.services.report_errors import NothingToReport, ReportLimit, ReportUnfit
from games.services.reports import MOST_A_DAY, report_made
from tests.games.gathering import LATER, draft, sit
from tests.games.pages import client_of, page_of
from tests.games.stored import NOW, everything, game_of, in_threads, people, person
from tests.hostile import HOSTILE

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

NAME, PERSON, TABLE = Report.Kind.NAME, Report.Kind.PERSON, Report.Kind.TABLE
THANKS = "Reported. You will be told what comes of it."


def made(by: User, about: User | None = None, kind: Report.Kind = NAME, **options: Any) -> Report:
    return report_made(by=by, kind=kind, about=about, **{"now": LATER} | options)


def refused(error: type[ServiceError], *args: Any, **options: Any) -> None:
    before = everything()
    with pytest.raises(error):
        made(*args, **options)
    assert everything() == before


class TestWhoMay:
    def test_who_has_met_them(self, pair: tuple[User, User]) -> None:
        row = made(*pair, words=" Look \n at it ")
        assert (row.by, row.about, row.said, row.words, row.state) == (*pair, "P1", "Look at it", "open")

    def test_guests_do(self) -> None:
        golu, other = User.objects.create_guest("Golu"), person()
        game_of(persons=[golu, other], bots=1)
        assert made(golu, other, PERSON).kind == "person"
        assert made(other, golu).said == "Golu"

    def test_strangers_do_not(self) -> None:
        refused(NothingToReport, person(), person())

    def test_nobody_reports_themselves(self, pair: tuple[User, User]) -> None:
        refused(ReportUnfit, pair[0], pair[0])

    def test_a_name_as_it_is_at_a_table_that_one_may_see(self) -> None:
        nani, roza, other = people(3)
        table = draft(nani)
        sit(table, roza, name="Rozalia")
        assert made(other, roza, table=table).said == "Rozalia"
        Table.objects.update(joins="invited")
        refused(NothingToReport, person(), roza, table=table)
        # Whom they have met, but not there.
        refused(NothingToReport, nani, person(), table=table)

    def test_a_tables_name(self) -> None:
        nani, other = people(2)
        table = draft(nani, name="A bad name")
        row = made(other, kind=TABLE, table=table)
        assert (row.about, row.table, row.said) == (None, table, "A bad name")
        refused(ReportUnfit, nani, kind=TABLE, table=table)
        refused(NothingToReport, other, kind=TABLE)
        refused(NothingToReport, other, nani, TABLE, table=table)
        Block.objects.create(owner=nani, other=other)
        Report.objects.all().delete()
        refused(NothingToReport, other, kind=TABLE, table=table)

    def test_of_a_game_that_they_may_watch(self) -> None:
        game = game_of(persons=people(2), bots=1)
        about, watcher = User.objects.get(name="P0"), person("Watcher")
        refused(NothingToReport, watcher, about, table=game.table)
        Table.objects.update(watch="anyone")
        game.table.refresh_from_db()
        assert made(watcher, about, table=game.table).said == "P0"


class TestOnce:
    def test_what_is_open_is_not_reported_again(self, pair: tuple[User, User]) -> None:
        first = made(*pair)
        assert made(*pair, words="Again") == first
        assert made(pair[0], pair[1], PERSON) != first
        Report.objects.filter(pk=first.pk).update(state="dismissed", answered=LATER)
        assert made(*pair) != first
        assert Report.objects.count() == 3

    def test_so_many_a_day(self) -> None:
        nani, *others, one_more = people(MOST_A_DAY + 2)
        for other in (*others, one_more):
            game_of(persons=[nani, other], bots=1)
        first, *_ = [made(nani, other) for other in others]
        refused(ReportLimit, nani, one_more)
        # What is open already is no report more.
        assert made(nani, others[0]) == first
        assert made(nani, one_more, now=LATER + dt.timedelta(days=1)).about == one_more

    @pytest.mark.parametrize("words", ["x" * 501, "a\u202eb", "\u0301\u0301"])
    def test_words_that_nobody_can_read(self, pair: tuple[User, User], words: str) -> None:
        refused(ReportUnfit, *pair, words=words)

    def test_hostile_words_are_refused_or_kept_as_text(self, pair: tuple[User, User]) -> None:
        kept = 0
        for text in HOSTILE:
            Report.objects.all().delete()
            with suppress(ReportUnfit):
                row = made(*pair, words=text)
                row.refresh_from_db()
                assert row.words == reports_of(user=pair[0]).mine[0].words
                kept += 1
        assert 150 < kept < len(HOSTILE)


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_taps_are_one_report(self) -> None:
        by, about = people(2)
        table = game_of(persons=[by, about], bots=1).table
        found = in_threads(6, lambda _: made(by, about).pk)
        assert len(set(found)) == 1
        assert len(set(in_threads(6, lambda _: made(by, kind=TABLE, table=table).pk))) == 1
        assert Report.objects.count() == 2

    def test_nor_more_than_the_most(self) -> None:
        by, others = person(), people(MOST_A_DAY + 4)
        for other in others:
            game_of(persons=[by, other], bots=1)
        found = in_threads(len(others), lambda at: made(by, others[at]))
        assert [type(each) for each in found].count(Report) == MOST_A_DAY
        assert [type(each) for each in found].count(ReportLimit) == 4

    def test_of_whom_is_erased_meanwhile(self) -> None:
        by, about = people(2)
        game_of(persons=[by, about], bots=1)

        def act(number: int) -> object:
            return made(by, about) if number else person_erased(user_id=about.pk, now=LATER, due=False)

        done, report = in_threads(2, act)
        assert done is True
        assert isinstance(report, Report | PersonGone | NothingToReport)
        assert not Report.objects.exclude(about=None).exists()


class TestErased:
    def test_whose_reports_they_are(self, pair: tuple[User, User]) -> None:
        by, about = pair
        made(by, about, words="He called me Zeb")
        assert person_erased(user_id=by.pk, now=LATER, due=False)
        row = Report.objects.get()
        assert (row.by, row.words, row.about, row.state) == (None, "", about, "open")

    def test_whom_they_are_about(self, pair: tuple[User, User]) -> None:
        by, about = pair
        made(by, about, words="P1 is rude")
        made(by, about, PERSON)
        Report.objects.filter(kind="person").update(state="upheld", effect="warned", answer="P1 knows", answered=NOW)
        assert person_erased(user_id=about.pk, now=LATER, due=False)
        for row in Report.objects.all():
            assert (row.by, row.about, row.said, row.words) == (by, None, "Former player", "")
            assert "P1" not in row.answer
        assert [each.answer for each in reports_of(user=by).mine] == ["", "They have deleted their account."]

    def test_a_tables_name_that_names_them(self) -> None:
        by, zeb = person(), person("Zeb")
        table = draft(zeb, name="With Zeb")
        sit(table, by)
        made(by, kind=TABLE, table=table)
        assert person_erased(user_id=zeb.pk, now=LATER, due=False)
        assert Report.objects.get().said == "With Former player 1"


class TestWhoSees:
    def test_the_queue(self) -> None:
        others = people(3)
        game_of(persons=others)
        for minutes, by in enumerate(others):
            made(by, others[minutes - 1], now=LATER + dt.timedelta(minutes=minutes))
        assert [reports_of(user=each).mine[0].before for each in others] == [0, 1, 2]
        Report.objects.filter(by=others[0]).update(state="dismissed", answered=LATER)
        assert [reports_of(user=each).mine[0].before for each in others] == [None, 0, 1]
        page = page_of(client_of(others[2]), "/me/reports/")
        assert "1 before yours" in page.one(id="reported").text

    def test_the_answer(self, pair: tuple[User, User]) -> None:
        """Who is reported reads what was decided once something was done, and not by whom or in what words."""
        by, about = pair
        third = person("Third")
        made(by, about, words="A secret word")
        for each in (about, third):
            assert page_of(client_of(each), "/me/reports/").all(id="about") == []
        answer = {"state": "upheld", "effect": "warned", "answer": "Be kind", "answered": NOW}
        Report.objects.update(**answer | {"state": "dismissed", "effect": "none"})
        assert reports_of(user=about).about == ()
        Report.objects.update(**answer)
        mine = page_of(client_of(by), "/me/reports/")
        assert "They were warned. Be kind" in mine.one(id="reported").text
        theirs = page_of(client_of(about), "/me/reports/")
        assert "You are warned" in theirs.one(id="about").text
        assert "Be kind" in theirs.one(id="about").text
        assert "secret" not in theirs.html
        assert by.name not in theirs.html
        assert reports_of(user=third) == type(reports_of(user=third))((), ())

    def test_the_host_of_a_table(self) -> None:
        nani, other = people(2)
        made(other, kind=TABLE, table=draft(nani))
        Report.objects.update(state="upheld", effect="renamed", answer="Find a kinder one", answered=NOW)
        (line,) = reports_of(user=nani).about
        assert (line.what, line.said, line.words) == ("The name of your table", "Chai", "")
