"""What the people of a table ask each other on its board, and the page of one's days away."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.models import Extension, Holder, Table, Turn, Vacation, Vote
from tests.games.pacing import DAY, awaited, slow_game, turn_of
from tests.games.pages import Page, client_of, page_of
from tests.games.seats import HX, sentence
from tests.games.stored import NOW, everything, people, person

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _today() -> Any:
    """It is the day on which the games of tests begin."""
    with time_machine.travel(NOW, tick=False):
        yield


class Board:
    """A game of three people with a day for each card, and its page for each of them."""

    def __init__(self, **columns: Any) -> None:
        self.persons = people(3)
        self.game = slow_game(self.persons, **columns)
        self.clients = [client_of(each) for each in self.persons]

    def page(self, who: int = 0) -> Page:
        return page_of(self.clients[who], f"/games/{self.game.code}/")

    def post(self, who: int, act: str, form: dict[str, Any], headers: Any = None) -> Any:
        return self.clients[who].post(f"/games/{self.game.code}/{act}/", form, headers=headers)

    def pressed(self, who: int, form: str, button: str, **more: str) -> Any:
        """Press the button of a form as a browser without script does."""
        page = self.page(who)
        found = [each for each in page.all("form") if each.attrs.get("id") == form or each.within(id=form)]
        fields = {
            each.attrs["name"]: each.attrs["value"] for each in page.all("input") if set(each.inside) & set(found)
        }
        press = next(each for each in page.all("button") if set(each.inside) & set(found) and each.text == button)
        if "name" in press.attrs:
            fields[press.attrs["name"]] = press.attrs["value"]
        fields.pop("csrfmiddlewaretoken")
        return self.clients[who].post(found[0].attrs["action"], fields | more)


def test_a_pause_is_asked_for_agreed_on_and_ended_without_script() -> None:
    board = Board()
    asked = board.pressed(0, "ask", "Pause", days="4")
    assert (asked.status_code, asked["Location"]) == (303, f"/games/{board.game.code}/")
    assert [each.text for each in board.page(1).all("h2") if each.text.endswith("asks")] == ["P0 asks"]
    assert "Shall this table pause for 4 days?" in board.page(1).one(id="vote").text
    assert "You said yes." in board.page(0).one(id="vote").text
    assert board.pressed(1, "vote", "No").status_code == 303
    assert board.pressed(2, "vote", "Yes").status_code == 303
    page = board.page(2)
    assert page.one(id="paused").text.startswith("This table pauses until Wed 12:00 UTC (in 4 days).")
    assert page.all(id="vote") == []
    assert "Until Thu 12:00 UTC (in 5 days)" in page.one(id="banner").text
    board.pressed(0, "ask", "Pause longer", days="2")
    board.pressed(0, "vote", "No after all")
    board.pressed(1, "vote", "No")
    board.pressed(1, "ask", "End the pause")
    board.pressed(2, "vote", "Yes")
    assert board.page().all(id="paused") == []
    assert list(Vote.objects.order_by("pk").values_list("kind", "passed")) == [
        ("pause", True),
        ("extend", False),
        ("resume", True),
    ]


def test_more_time_is_one_tap() -> None:
    board = Board()
    assert board.page().one(id="extend").text.endswith("24 hours more for everybody 3 left in this deal")
    assert board.pressed(1, "extend", "24 hours more for everybody").status_code == 303
    assert turn_of(board.game).due_at == NOW + 2 * DAY
    # Who taps on an older page is shown the new one.
    late = board.post(2, "extend", {"given": "0"}, HX)
    assert (late.status_code, Extension.objects.count()) == (409, 1)
    assert sentence(late).startswith("The game has moved on")
    fresh = board.post(2, "extend", {"given": "1"}, HX)
    assert Page(fresh.content.decode()).one(id="extend").text.endswith("1 left in this deal")


def test_a_bot_is_asked_for_in_place_of_who_keeps_the_table_waiting() -> None:
    board = Board(missed="nudge")
    seat = awaited(board.game)
    other, third = [number for number in range(3) if number != seat]
    assert board.page(other).all(id="ask-bot") == []
    Turn.objects.update(nudges=1)
    assert board.page(seat).all(id="ask-bot") == []
    assert board.pressed(other, "ask-bot", "Ask the others for a bot").status_code == 303
    assert "This is about you: play, and the question is gone." in board.page(seat).one(id="vote").text
    board.pressed(third, "vote", "Yes")
    assert Holder.objects.get(user=board.persons[seat]).stand_in == "medium"
    assert board.page(seat).all(id="ask") == board.page(seat).all(id="extend") == []


def test_the_others_read_until_when_somebody_is_away() -> None:
    board = Board()
    seat = awaited(board.game)
    away = board.clients[seat].post("/me/away/", {"first": "2026-01-31", "last": "2026-02-03"})
    assert (away.status_code, away["Location"]) == (303, "/me/away/")
    text = board.page((seat + 1) % 3).one(id="board").text
    assert f"P{seat} is away until 3 February." in text
    assert turn_of(board.game).due_at == dt.datetime(2026, 2, 5, tzinfo=dt.UTC)


BAD: dict[str, tuple[str, dict[str, Any], int]] = {
    "nothing": ("pause", {}, 422),
    "no kind": ("pause", {"kind": "party", "days": "3"}, 422),
    "no days": ("pause", {"kind": "pause"}, 422),
    "too many days": ("pause", {"kind": "pause", "days": "15"}, 422),
    "odd days": ("pause", {"kind": "pause", "days": "\0"}, 422),
    "endless days": ("pause", {"kind": "pause", "days": "9" * 5000}, 422),
    "no pause to end": ("pause", {"kind": "resume", "days": "3"}, 409),
    "no pause to lengthen": ("pause", {"kind": "extend", "days": "3"}, 409),
    "no seat": ("pause", {"kind": "bot"}, 409),
    "seat far off": ("pause", {"kind": "bot", "seat": "99"}, 422),
    "no vote": ("vote", {"answer": "yes"}, 422),
    "no answer": ("vote", {"vote": "1"}, 422),
    "odd answer": ("vote", {"vote": "1", "answer": "perhaps"}, 422),
    "vote that is not": ("vote", {"vote": str(2**63 - 1), "answer": "yes"}, 404),
    "vote beyond": ("vote", {"vote": str(2**63), "answer": "yes"}, 422),
    "no count": ("extend", {}, 422),
    "another count": ("extend", {"given": "2"}, 409),
    "negative": ("extend", {"given": "-1"}, 422),
}


def rows() -> dict[str, Any]:
    return everything() | {"User": []}


@pytest.mark.parametrize("how", BAD)
def test_what_makes_no_sense_changes_nothing_and_shows_the_board(how: str) -> None:
    act, form, status = BAD[how]
    board = Board()
    before = rows()
    answer = board.post(0, act, form, HX)
    assert answer.status_code == status
    assert rows() == before
    if status != 404:
        assert sentence(answer)
        assert Page(answer.content.decode()).board.attrs["data-version"] == "0"


def test_only_for_those_who_sit_there() -> None:
    board = Board()
    Table.objects.update(watch="anyone")
    vote = Vote.objects.create(table=board.game.table, kind="resume", opened=NOW, closes=NOW + DAY)
    stranger, before = client_of(person("Roza")), rows()
    forms: dict[str, dict[str, Any]] = {
        "pause": {"kind": "pause", "days": "3"},
        "vote": {"vote": vote.pk, "answer": "yes"},
        "extend": {"given": "0"},
    }
    for act, form in forms.items():
        path = f"/games/{board.game.code}/{act}/"
        assert stranger.post(path, form).status_code == 404
        assert stranger.get(path).status_code == 405
        assert Client().post(path, form).status_code == 302
        assert Client(enforce_csrf_checks=True).post(path, form).status_code == 403
    assert rows() == before
    page = page_of(stranger, f"/games/{board.game.code}/")
    assert [each for each in ("ask", "vote", "extend") if page.all(id=each)] == []


class TestDaysAway:
    @pytest.fixture
    def nani(self) -> User:
        return person("Nani")

    def test_are_added_listed_and_taken_back(self, nani: User) -> None:
        client = client_of(nani)
        assert "/me/away/" in [each.attrs.get("href") for each in page_of(client, "/me/").all("a")]
        client.post("/me/away/", {"first": "2026-02-10", "last": "2026-02-12"})
        client.post("/me/away/", {"first": "2026-12-30", "last": "2027-01-02"})
        page = page_of(client, "/me/away/")
        assert [each.text.partition(" Take")[0] for each in page.all("li") if "data-days" in each.attrs] == [
            "10 February to 12 February 2026",
            "30 December 2026 to 2 January 2027",
        ]
        assert page.one(id="left").text.startswith("Left of your 30 days a year: 25 in 2026, 28 in 2027.")
        assert {"Your days away are kept: your clocks stand still then."} == {
            each.text for each in page.all(css="note")
        }
        ended = client.post(f"/me/away/{Vacation.objects.earliest('pk').pk}/end/")
        assert (ended.status_code, Vacation.objects.count()) == (303, 1)

    @pytest.mark.parametrize(
        ("first", "last", "fault"),
        [
            ("", "", "Write a day like 2026-06-12."),
            ("soon", "2026-02-12", "Write a day like 2026-06-12."),
            ("2026-02-30", "2026-02-12", "Write a day like 2026-06-12."),
            ("2026-02-12\0", "2026-02-12", "Write a day like 2026-06-12."),
            ("2026-01-30", "2026-02-12", "Days away begin today at the earliest."),
            ("2026-02-12", "2026-02-11", "The last day away must not be before the first."),
            ("2026-02-01", "2026-03-12", "You have 30 of 30 days left in 2026: choose fewer."),
            ("9999-12-31", "9999-12-31", "Days away begin within a year from today."),
        ],
    )
    def test_say_what_is_wrong_with_them(self, nani: User, first: str, last: str, fault: str) -> None:
        answer = client_of(nani).post("/me/away/", {"first": first, "last": last})
        assert (answer.status_code, Vacation.objects.count()) == (422, 0)
        page = Page(answer.content.decode())
        assert fault in [each.text for each in page.all("li")]
        # What was typed stays.
        assert page.one("input", name="last").attrs.get("value", "") == last

    def test_of_others_are_none_of_ones_business(self, nani: User) -> None:
        client_of(nani).post("/me/away/", {"first": "2026-02-10", "last": "2026-02-12"})
        before = rows()
        for pk in (Vacation.objects.get().pk, 0, 10**40):
            assert client_of(person("Roza")).post(f"/me/away/{pk}/end/").status_code == 404
        assert rows()["Vacation"] == before["Vacation"]
