"""A table before its start, as its people and others see it, and what they can do there."""

import datetime as dt

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import Block, User
from games.models import Holder, Table
from games.rules.ruleset import Ruleset
from games.selectors.options import OPTION_WORDS
from games.selectors.paces import NO_HURRY, next_words
from games.services.hosting import table_closed
from games.services.seats import seat_removed
from tests.games.gathering import LATER, draft, holders, invite, page, post, sit
from tests.games.pages import Page, client_of, page_of
from tests.games.stored import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(nani: User) -> Table:
    """Nani's, in the lobby, with a bot and two free seats."""
    return draft(nani, 2, bots=1, deals=3, title="Samosa Hero")


class TestPage:
    def test_says_who_which_rules_what_pace_and_how_long(self, table: Table, nani: User) -> None:
        shown = page(person("Roza"), table)
        assert shown.one(id="table").attrs["data-status"] == "open"
        assert holders(shown) == ["person", "bot", "free", "free"]
        text = shown.one("main").text
        assert "2 of 4 seats are free" in text
        assert "Nani (host)" in text
        # 70 cards to play in each of 3 deals, three people of four at 4 hours a card.
        assert "3 deals, about 210 cards to play: about 52 minutes if all are there at once, about 26 days" in text
        assert NO_HURRY in text
        assert next_words(table) in text
        assert "The classic: follow suit" in text
        assert "Samosa Hero" in text
        assert all(values in text for option in OPTION_WORDS for values in [next(iter(option.values.values()))])

    def test_house_rules_are_told_first(self, nani: User) -> None:
        shown = page(nani, draft(nani, rules=Ruleset(power="escape", taking="leader")))
        text = shown.one("section", id="rules").text
        assert "Rules of its own" in text
        unusual = [each.text for each in shown.all("li") if each.within(id="rules")]
        assert unusual == ["You have got away, and the next seat leads.", "Only the seat that leads next may."]

    def test_is_the_same_for_a_preset_with_a_second_pack(self, nani: User) -> None:
        shown = page(nani, draft(nani, 8, rules=Ruleset(game="donkey", packs=2)))
        assert "Donkey (Kasaragod)" in shown.one("section", id="rules").text

    def test_the_host_has_tools_and_others_have_none(self, table: Table, nani: User) -> None:
        roza = person("Roza")
        sit(table, roza)
        mine, hers, theirs = page(nani, table), page(roza, table), page(person("Bilal"), table)
        forms = [{each.attrs.get("id", "") for each in shown.all("form")} - {""} for shown in (mine, hers, theirs)]
        assert forms[0] >= {"start", "rename", "close", "leave", "invites"}
        assert forms[1] == {"signout", "leave", "report-form"}
        assert forms[2] == {"signout", "join", "report-form"}
        assert holders(hers) == ["person", "bot", "me", "free"]

    def test_a_name_that_is_taken_comes_with_another(self, table: Table) -> None:
        assert page(person("nani"), table).one("input", id="name").attrs["value"] == "nani 2"

    def test_who_plays_how_fast_and_left_what(self, nani: User) -> None:
        before = draft(nani, 2)
        roza = person("Roza")
        sit(before, roza), sit(before)
        post(roza, before, "leave", sure="yes")
        table = draft(nani, 2)
        assert "left" not in page(person("Omana"), table).one("ol", id="seats").text
        sit(table, roza)
        assert "left 1 deal" in page(person("Omana"), table).one("ol", id="seats").text

    def test_asks_as_little_of_a_full_one(
        self, nani: User, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        """S35: the same at ten times the people and invitations."""
        counts = []
        for many in (1, 10):
            table = draft(nani, 11, starts="host", rules=Ruleset(packs=2))
            roza = person("Roza")
            sit(table, roza)
            for number in range(many):
                sit(table, invite=invite(table, f"a{number}@example.org"))
            for user in (nani, roza, person("Stranger")):
                client = client_of(user)
                with django_assert_max_num_queries(9) as found:
                    assert client.get(f"/tables/{table.code}/").status_code == 200
                counts.append(len(found))
        assert counts[:3] == counts[3:]


class TestWhoMayLook:
    def test_strangers_sign_in_first(self, table: Table, client: Client) -> None:
        response = client.get(f"/tables/{table.code}/")
        assert response.status_code == 302
        assert response["Location"] == f"/accounts/signin/?next=/tables/{table.code}/"

    @pytest.mark.parametrize("joins", ["invited", "link"])
    def test_nobody_else_does(self, nani: User, joins: str) -> None:
        table = draft(nani, joins=joins)
        for code in (table.code, "nosuch", "a\0b", "x" * 300):
            response = client_of(person()).get(f"/tables/{code}/")
            assert response.status_code == 404
        assert page(nani, table).all("ol", id="seats")

    def test_those_who_were_invited_do(self, nani: User) -> None:
        table, roza = (
            draft(nani, joins="invited"),
            User.objects.create_user("r@example.org", verified=True, name="Roza"),
        )
        invite(table, "r@example.org")
        assert page(roza, table).all("form", id="join")
        assert post(roza, table, "join").status_code == 303

    def test_not_if_the_address_is_not_theirs_yet(self, nani: User) -> None:
        table, roza = draft(nani, joins="invited"), person("Roza")
        invite(table, str(roza.email))
        assert client_of(roza).get(f"/tables/{table.code}/").status_code == 404
        assert post(roza, table, "join").status_code == 404

    def test_those_whose_browser_came_by_a_link_do(self, nani: User) -> None:
        table, roza = draft(nani, joins="link"), person("Roza")
        client, link = client_of(roza), invite(table)
        session = client.session
        session["invited"] = [link.pk]
        session.save()
        assert page_of(client, f"/tables/{table.code}/").all("form", id="join")
        assert client.post(f"/tables/{table.code}/join/").status_code == 303
        assert Holder.objects.get(user=roza).invite == link

    def test_whom_the_host_took_away_is_told_and_comes_back_by_an_invitation(self, table: Table, nani: User) -> None:
        roza = person("Roza")
        sit(table, roza)
        assert page(roza, table).one(id="table").attrs["data-as"] == "seated"
        seat_removed(table_id=table.pk, host=nani, seat=2, now=LATER)
        shown = page(roza, table)
        assert shown.one(id="table").attrs["data-as"] == "removed"
        assert "only a new invitation" in shown.one("p", id="removed").text
        assert not shown.all("form", id="join")
        # What was refused is not said twice.
        assert not Page(post(roza, table, "join").content.decode()).all("p", id="removed")
        client = client_of(roza)
        session = client.session
        session["invited"] = [invite(table, "roza@example.org", created=LATER + dt.timedelta(minutes=1)).pk]
        session.save()
        assert page_of(client, f"/tables/{table.code}/").all("form", id="join")

    def test_watchers_look_and_do_not_sit(self, nani: User) -> None:
        table, roza = draft(nani, joins="invited", watch="anyone"), person("Roza")
        assert not page(roza, table).all("form", id="join")
        assert post(roza, table, "join").status_code == 404

    def test_whom_the_host_keeps_away_does_not(self, table: Table, nani: User) -> None:
        roza, bilal = person("Roza"), person("Bilal")
        Block.objects.create(owner=nani, other=roza)
        Block.objects.create(owner=bilal, other=nani)
        for each in (roza, bilal):
            assert client_of(each).get(f"/tables/{table.code}/").status_code == 404

    def test_guests_are_asked_for_an_address(self, table: Table) -> None:
        guest = User.objects.create_guest("Guest")
        shown = page(guest, table)
        assert not shown.all("form", id="join")
        assert shown.all("a", href="/accounts/email/")
        assert post(guest, table, "join").status_code == 409

    def test_a_closed_one_is_seen_by_its_people(self, table: Table, nani: User) -> None:
        roza = person("Roza")
        sit(table, roza)
        table_closed(table_id=table.pk, host=nani, now=LATER)
        for each in (nani, roza):
            shown = page(each, table)
            assert shown.one(id="table").attrs["data-status"] == "closed"
            assert shown.all("a", href=f"/new/?like={table.code}")
        assert client_of(person()).get(f"/tables/{table.code}/").status_code == 404
