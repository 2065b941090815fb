"""A new table for people."""

import pytest

from accounts.models import User
from games.models import Game, Table
from games.rules.ruleset import PRESETS, Ruleset
from tests.games.gathering import draft, seated
from tests.games.pages import Page, client_of, page_of
from tests.games.stored import everything, person
from tests.games.test_views_home import new

pytestmark = pytest.mark.django_db


def marked(page: Page) -> dict[str, str]:
    """The answers that are chosen as a page comes."""
    return {each.attrs["name"]: each.attrs.get("value", "on") for each in page.all("input", checked="")}


class TestNewTableForPeople:
    def test_the_form_as_it_comes_waits_for_three(self, roza: User) -> None:
        response = new(client_of(roza), company="people")
        table = Table.objects.get()
        assert (response.status_code, response["Location"]) == (303, f"/tables/{table.code}/")
        assert (table.status, table.joins, table.watch, table.starts) == ("open", "invited", "nobody", "full")
        assert seated(table) == [(0, "Roza", "")]
        assert not Game.objects.exists()

    def test_as_asked(self, roza: User) -> None:
        fields = {"joins": "lobby", "watch": "link", "starts": "host", "who_3": "medium", "bot_2": "random"}
        new(client_of(roza), company="people", seats="5", **fields)
        table = Table.objects.get()
        assert (table.joins, table.watch, table.starts, table.seats) == ("lobby", "link", "host", 5)
        assert [(seat, bot) for seat, _, bot in seated(table)] == [(0, ""), (2, "medium")]

    def test_with_bots_at_every_seat_it_is_dealt_at_once(self, roza: User) -> None:
        new(client_of(roza), company="people", seats="3", who_2="easy", who_3="easy", watch="anyone")
        assert Game.objects.get().table.watch == "anyone"

    def test_answers_for_people_do_not_count_for_bots(self, roza: User) -> None:
        new(client_of(roza), joins="lobby", watch="anyone", who_2="medium")
        table = Game.objects.get().table
        assert (table.joins, table.watch) == ("invited", "nobody")
        assert [bot for _, _, bot in seated(table)] == ["", "easy", "easy", "easy"]

    def test_sent_twice_it_is_one(self, roza: User) -> None:
        client, fields = client_of(roza), {"company": "people", "key": "k" * 16}
        assert new(client, **fields)["Location"] == new(client, **fields)["Location"]
        assert Table.objects.count() == 1

    def test_a_guest_is_told_what_they_lack(self) -> None:
        client = client_of(User.objects.create_guest("Guest"))
        # Before they fill in the form, too.
        assert page_of(client, "/new/").all("a", href="/accounts/email/")
        before = everything()
        response = new(client, company="people")
        assert response.status_code == 409
        assert "Add an email address first" in Page(response.content.decode()).one(role="alert").text
        assert everything() == before
        assert new(client).status_code == 303

    @pytest.mark.parametrize(
        "fields",
        [
            {"company": "cats"},
            {"joins": "all"},
            {"watch": "\0"},
            {"starts": "now"},
            {"who_2": "hard"},
            {"tie_break": "luck"},
        ],
    )
    def test_nonsense_is_told(self, roza: User, fields: dict[str, str]) -> None:
        client = client_of(roza)
        before = everything()
        response = new(client, **{"company": "people"} | fields)
        assert response.status_code == 422
        assert Page(response.content.decode()).all("ul", css="errorlist")
        assert everything() == before

    def test_friends_are_one_tap_away(self, roza: User) -> None:
        client = client_of(roza)
        assert page_of(client, "/").all("a", href="/new/?with=people")
        assert "checked" in page_of(client, "/new/?with=people").one(id="with-people").attrs
        assert "checked" not in page_of(client, "/new/").one(id="with-people").attrs

    def test_what_breaks_a_tie_is_chosen_and_told(self, roza: User) -> None:
        client = client_of(roza)
        for chosen, told in (("longest", "Whoever lost longest ago is ahead."), ("", "They share the place.")):
            path = new(client, company="people", deals="3", tie_break=chosen)["Location"]
            table = Table.objects.latest("pk")
            assert (path, table.tie_break) == (f"/tables/{table.code}/", chosen)
            assert told in [each.text for each in page_of(client, path).all("dd")]

    @pytest.mark.parametrize("preset", PRESETS)
    def test_one_like_another(self, roza: User, preset: str) -> None:
        table = draft(
            person("Nani"), 5, rules=PRESETS[preset], deals=7, title="Chai Boy", name="Sunday", tie_break="first"
        )
        page = page_of(client_of(roza), f"/new/?like={table.code}")
        chosen = {
            each.attrs["name"]: each.attrs["value"] for each in page.all("input", checked="") if "value" in each.attrs
        }
        assert (chosen["company"], chosen["preset"], chosen["title"]) == ("people", preset, "own")
        assert chosen["tie_break"] == "first"
        assert page.one("input", name="own_title").attrs["value"] == "Chai Boy"
        assert page.one("input", name="deals").attrs["value"] == "7"

    def test_by_hand_too(self, roza: User) -> None:
        rules = Ruleset(power="escape", taking="leader")
        table = draft(person("Nani"), 3, rules=rules)
        page = page_of(client_of(roza), f"/new/?like={table.code}")
        chosen = {
            each.attrs["name"]: each.attrs["value"] for each in page.all("input", checked="") if "value" in each.attrs
        }
        assert chosen["preset"] == "custom"
        assert {name: chosen[name] for name in rules.as_dict()} == {k: str(v) for k, v in rules.as_dict().items()}

    def test_not_like_one_that_is_not_theirs_to_see(self, roza: User) -> None:
        table = draft(person("Nani"), 3, name="Secret", joins="invited")
        for code in (table.code, "nosuch", "%00"):
            page = page_of(client_of(roza), f"/new/?like={code}")
            assert "Secret" not in page.html
            assert "checked" not in page.one(id="with-people").attrs
