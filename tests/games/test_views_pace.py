"""The pace of a new table: what the form takes, refuses and keeps, and what repeats it."""

import datetime as dt
from typing import Any

import pytest
from django.http import QueryDict

from accounts.models import User
from games.clocks.pace import NO_LIMIT, Pace, banked, each_card, live
from games.forms.new import NewTableForm
from games.forms.pace import pace_like
from games.models import Game, Table
from games.selectors.clocks import pace_of
from games.services.again import table_again
from games.services.pacing import Pacing, pacing_of
from tests.games.gathering import draft
from tests.games.pages import Page, client_of, page_of
from tests.games.stored import NOW, everything, game_of, over, person
from tests.games.test_views_home import new

pytestmark = pytest.mark.django_db

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
BANK = {"pace": "bank", "bank_start": "2", "bank_start_unit": "days"}
FULL = Pacing(
    pace=banked(5 * HOUR, HOUR, 2 * DAY, 90 * MINUTE),
    rest="46",
    zone="Asia/Karachi",
    missed="keep",
    vacations=False,
    next="once",
    rest_between=36 * HOUR,
)


def sent(asked: dict[str, Any]) -> NewTableForm:
    """The form for people as it comes, with other answers."""
    data = QueryDict(mutable=True)
    for name, field in NewTableForm().fields.items():
        value = asked.get(name, field.initial() if callable(field.initial) else field.initial)
        data.setlist(
            name, value if isinstance(value, list) else [] if value is None or value is False else [str(value)]
        )
    data["company"] = asked.get("company", "people")
    return NewTableForm(data)


def paced(**asked: Any) -> Pacing:
    """How time runs at the table that an answer asks for."""
    form = sent(asked)
    assert form.is_valid(), form.errors
    return form.plan(User(name="Roza", zone="Asia/Kolkata")).pacing


class TestAsked:
    def test_a_day_for_each_card_is_proposed(self) -> None:
        assert paced() == Pacing(pace=each_card(DAY), zone="Asia/Kolkata")

    @pytest.mark.parametrize(
        ("asked", "pace"),
        [
            ({"pace": "none"}, NO_LIMIT),
            ({"pace": None}, NO_LIMIT),
            ({"pace": "12h"}, each_card(12 * HOUR)),
            ({"pace": "48h"}, each_card(2 * DAY)),
            ({"pace": "3d"}, each_card(3 * DAY)),
            ({"pace": "other"}, each_card(8 * HOUR)),
            ({"pace": "other", "limit": "5", "limit_unit": "minutes"}, each_card(5 * MINUTE)),
            ({"pace": "other", "limit": " 7 ", "limit_unit": "days"}, each_card(7 * DAY)),
            ({"pace": "other", "limit": "٩", "limit_unit": "days", "company": "bots"}, NO_LIMIT),
            ({"pace": "other", "limit": "٦", "limit_unit": "days"}, each_card(6 * DAY)),
            ({"pace": "bank"}, banked(2 * DAY, HOUR, 3 * DAY, 10 * MINUTE)),
            (BANK | {"bank_grace": " ", "bank_cap": "2"}, banked(2 * DAY, HOUR, 2 * DAY)),
            ({"pace": "live"}, live(MINUTE)),
            ({"pace": "live", "live": "120"}, live(2 * MINUTE)),
            # What does not count is not looked at.
            ({"pace": "12h", "limit": "\0", "bank_start": "x", "bank_cap_unit": "years"}, each_card(12 * HOUR)),
        ],
    )
    def test_paces(self, asked: dict[str, str], pace: Pace) -> None:
        assert paced(**asked).pace == pace

    def test_the_rest_as_asked(self) -> None:
        found = paced(
            rest=["5", "4", "4"],
            missed="nudge",
            vacations=False,
            next="ask",
            rest_between="2",
            rest_between_unit="days",
        )
        assert found == Pacing(each_card(DAY), "45", "Asia/Kolkata", "nudge", False, "ask", 2 * DAY)

    def test_where_all_sit_together_nobody_rests(self) -> None:
        found = paced(pace="live", rest=["5"], missed="keep")
        assert (found.rest, found.vacations, found.missed) == ("", False, "keep")
        assert paced(pace="none", rest=["0", "1", "2", "3", "4", "5", "6"]).rest == ""

    @pytest.mark.parametrize(
        ("asked", "opening"),
        [
            ({}, "any_order"),
            ({"preset": "Strict table", "pace": "bank"}, "any_order"),
            ({"pace": "live"}, "in_turn"),
            ({"pace": "none"}, "in_turn"),
            ({"company": "bots"}, "in_turn"),
        ],
    )
    def test_the_first_trick_at_once_where_people_wait(self, asked: dict[str, str], opening: str) -> None:
        """R12."""
        form = sent(asked | {"all_at_once": "on"})
        assert form.is_valid(), form.errors
        assert form.cleaned_data["rules"].opening == opening
        assert sent({"preset": "Donkey (Kasaragod)", "all_at_once": "on"}).errors == {
            "__all__": ["In Donkey the opening must be played in turn."]
        }

    def test_among_bots_nothing_counts(self) -> None:
        assert paced(company="bots", pace="live", rest_between="x") == Pacing(next="ask")

    @pytest.mark.parametrize(
        ("asked", "at", "says"),
        [
            ({"pace": "soon"}, "pace", "Choose one of these paces."),
            ({"pace": "other", "limit": "4", "limit_unit": "minutes"}, "limit", "Choose from 5 minutes to 7 days."),
            ({"pace": "other", "limit": "169"}, "limit", "Choose from 5 minutes to 7 days."),
            ({"pace": "other", "limit": "8", "limit_unit": "years"}, "limit", "Choose from 5 minutes to 7 days."),
            *(
                ({"pace": "other", "limit": text}, "limit", "Choose from 5 minutes to 7 days.")
                for text in ("", "-8", "8.5", "²", "\0", "9" * 9999)
            ),
            ({"pace": "bank", "bank_start": "0"}, "bank_start", "Choose from 5 minutes to 30 days."),
            (
                {"pace": "bank", "bank_increment": "4", "bank_increment_unit": "minutes"},
                "bank_increment",
                "Choose from 5 minutes to 30 days.",
            ),
            ({"pace": "bank", "bank_cap": "31"}, "bank_cap", "Choose from 5 minutes to 30 days."),
            (
                BANK | {"bank_cap": "1"},
                "bank_cap",
                "Choose no less than what the bank begins with, and what a card brings.",
            ),
            (
                {"pace": "bank", "bank_grace": "8", "bank_grace_unit": "days"},
                "bank_grace",
                "Choose at most 7 days, or 0.",
            ),
            ({"pace": "live", "live": "31"}, "live", "Choose one of these answers."),
            ({"rest": ["7"]}, "rest", "Choose days of the week."),
            ({"rest": list("0123456")}, "rest", "Leave a day on which the clock runs."),
            ({"missed": "drop"}, "missed", "Choose one of these answers."),
            ({"next": "\0"}, "next", "Choose one of these answers."),
            (
                {"rest_between": "31", "rest_between_unit": "days"},
                "rest_between",
                "Choose at most 30 days, or 0.",
            ),
        ],
    )
    def test_what_cannot_be_is_told_where_it_is(self, asked: dict[str, Any], at: str, says: str) -> None:
        assert sent(asked).errors == {at: [says]}


class TestPage:
    def test_a_refused_form_comes_back_as_it_was_sent(self, roza: User) -> None:
        client, before = client_of(roza), everything()
        fields = {"pace": "bank", "bank_cap": "1<", "bank_cap_unit": "minutes", "rest": ["0", "6"], "vacations": None}
        answer = new(client, company="people", missed="keep", next="x", **fields)
        assert (answer.status_code, everything()) == (422, before)
        page = Page(answer.content.decode())
        assert page.one("input", name="bank_cap").attrs["value"] == "1<"
        assert page.one("input", name="bank_cap").attrs["aria-describedby"] == "id_bank_cap_error"
        assert page.one("ul", id="id_bank_cap_error").text == "Choose from 5 minutes to 30 days."
        assert page.one("input", name="pace", checked="").attrs["value"] == "bank"
        assert [each.attrs["value"] for each in page.all("input", name="rest", checked="")] == ["0", "6"]
        assert not page.all("input", name="vacations", checked="")
        units = [each for each in page.all("option", selected="") if each.within(name="bank_cap_unit")]
        assert [each.attrs["value"] for each in units] == ["minutes"]
        assert "open" in page.one("details", id="clocks").attrs

    def test_a_table_is_as_asked(self, roza: User) -> None:
        User.objects.filter(pk=roza.pk).update(zone="Asia/Dhaka")
        client = client_of(roza)
        assert "in Asia/Dhaka, your time zone" in page_of(client, "/new/?with=people").one(id="rest-hint").text
        new(client, company="people", rest=["4"], deals="3")
        table = Table.objects.get()
        assert pacing_of(table) == Pacing(each_card(DAY), "4", "Asia/Dhaka")
        facts = page_of(client, f"/tables/{table.code}/").one("section", id="rules").text
        assert "24 hours for each card; the clock rests on Friday (Asia/Dhaka)." in facts
        assert "If the time passes, a bot plays that turn." in facts

    def test_who_has_no_zone_reads_that_it_is_utc(self, roza: User) -> None:
        assert "in UTC." in page_of(client_of(roza), "/new/").one(id="rest-hint").text
        new(client_of(roza), company="people", rest=["4"])
        assert Table.objects.get().zone == "UTC"

    def test_one_like_another(self, roza: User) -> None:
        table = draft(person("Nani"), pacing=FULL)
        client = client_of(roza)
        page = page_of(client, f"/new/?like={table.code}")
        fields = {each.attrs["name"]: each.attrs.get("value", "on") for each in page.all("input", checked="")}
        assert (fields["pace"], fields["missed"], fields["next"]) == ("bank", "keep", "once")
        assert page.one("input", name="rest_between").attrs["value"] == "36"


@pytest.mark.parametrize(
    "pace",
    [NO_LIMIT, each_card(DAY), each_card(7 * HOUR), each_card(61 * MINUTE), live(45 * MINUTE / 60), FULL.pace],
)
def test_what_one_like_another_says_is_what_it_is(pace: Pace) -> None:
    pacing = Pacing(pace=pace, vacations=pace.kind != "live", zone="Asia/Kolkata", rest_between=90 * MINUTE)
    table = Table(**pacing.columns())
    assert pace_of(table) == pace
    assert paced(**pace_like(table)) == pacing


def test_the_same_people_again_have_the_same_clocks(roza: User) -> None:
    for persons, bots in (([roza, person()], 1), ([roza], 2)):
        game = over(game_of(persons=persons, bots=bots))
        Table.objects.filter(pk=game.table_id).update(**FULL.columns())
        made = table_again(code=game.table.code, host=roza, now=NOW)
        table = made.table if isinstance(made, Game) else made
        assert table.pk != game.table_id
        assert pacing_of(Table.objects.get(pk=table.pk)) == FULL
