"""The lobby, and the lists of tables on the start page."""

import datetime as dt

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import Block, User
from games.clocks.pace import NO_LIMIT, banked, each_card, live
from games.models import Table
from games.rules.ruleset import Ruleset
from games.selectors.paces import pace_short
from games.services.again import table_again
from games.services.hosting import table_closed, table_start
from games.services.pacing import Pacing
from games.services.seats import seat_left, seat_removed
from tests.games.gathering import LATER, draft, invite, rows, sit
from tests.games.pages import client_of, page_of
from tests.games.stored import game_of, over, people, person

pytestmark = pytest.mark.django_db


def listed(user: User, query: str = "") -> list[str]:
    page = page_of(client_of(user), f"/lobby/{query}")
    return [each.attrs["data-table"] for each in page.all("li") if "data-table" in each.attrs]


class TestLobby:
    def test_lists_what_one_can_join_the_newest_first(self, roza: User) -> None:
        nani = person("Nani")
        first = draft(nani, 3)
        second = draft(nani, 2, bots=1)
        for joins in ("invited", "link"):
            draft(nani, joins=joins)
        mine = draft(roza)
        full = draft(nani, 2, starts="host")
        sit(full), sit(full)
        started = draft(nani, 2)
        sit(started), sit(started)
        table_closed(table_id=draft(person("Bilal")).pk, host=User.objects.get(name="Bilal"), now=LATER)
        there = draft(nani)
        sit(there, roza)
        kicked = draft(nani)
        seat_removed(table_id=kicked.pk, host=nani, seat=sit(kicked, roza).seat.number, now=LATER)
        nobodys = draft(nani)
        Table.objects.filter(pk=nobodys.pk).update(host=None)
        assert listed(roza) == [second.code, first.code]
        assert mine.code in listed(nani)

    def test_not_those_of_whom_one_keeps_away_or_is_kept_away_by(self, roza: User) -> None:
        nani, bilal, omana = person("Nani"), person("Bilal"), person("Omana")
        for each in (nani, bilal, omana):
            draft(each)
        Block.objects.create(owner=nani, other=roza)
        Block.objects.create(owner=roza, other=bilal)
        Block.objects.create(owner=nani, other=omana)
        assert listed(roza) == [Table.objects.get(host=omana).code]

    def test_is_searched_by_game_seats_and_pace(self, roza: User) -> None:
        nani = person("Nani")
        donkey, big = draft(nani, 3, rules=Ruleset(game="donkey")), draft(nani, 5)
        assert listed(roza, "?game=donkey") == [donkey.code]
        assert listed(roza, "?game=getaway") == [big.code]
        assert listed(roza, "?seats=6") == [big.code]
        assert listed(roza, "?seats=4&game=getaway") == []
        assert listed(roza, "?pace=none") == [big.code, donkey.code]
        page = page_of(client_of(roza), "/lobby/?seats=4&game=getaway")
        assert "No such table waits now." in page.one(id="nothing").text
        assert page.one("option", selected="", value="4").text == "4 seats"

    def test_is_searched_by_each_pace(self, roza: User) -> None:
        day, nani = dt.timedelta(days=1), person("Nani")
        paces = {
            "none": NO_LIMIT,
            "live": live(dt.timedelta(seconds=45)),
            "hours": banked(3 * day, day / 24, 5 * day),
            "days": each_card(day),
        }
        for name, pace in paces.items():
            draft(nani, name=name, pacing=Pacing(pace=pace))
        for name in paces:
            shown = page_of(client_of(roza), f"/lobby/?pace={name}").one("ul", id="lobby").text
            assert shown.startswith(f"{name} 3 of 4 free {pace_short(Table.objects.get(name=name)).capitalize()} ")

    @pytest.mark.parametrize("query", ["?seats=13", "?seats=a", "?game=%00", "?game=x&game=y", "?pace=" + "9" * 10_000])
    def test_passes_over_what_makes_no_sense(self, roza: User, query: str) -> None:
        table = draft(person("Nani"))
        assert listed(roza, query) == [table.code]

    def test_says_who_is_there_how_fast_and_what_they_left(self, roza: User) -> None:
        nani = person("Nani")
        before = draft(nani, 2)
        sit(before), sit(before)
        seat_left(table_id=before.pk, user=nani, now=LATER + dt.timedelta(minutes=1))
        draft(nani, 2, bots=1)
        text = page_of(client_of(roza), "/lobby/").one("ul", id="lobby").text
        assert "2 of 4 free" in text
        assert (
            "Getaway (Punjab), 1 deal, about 70 cards to play: about 18 minutes if all are there at once, about 9 days"
            in text
        )
        assert "Nani (host): no games with people lately, left 1 deal" in text

    def test_guests_are_told_what_they_lack(self) -> None:
        assert page_of(client_of(User.objects.create_guest("Guest")), "/lobby/").all("a", href="/accounts/email/")

    def test_is_for_people_who_are_signed_in(self, client: Client) -> None:
        assert client.get("/lobby/").status_code == 302

    def test_asks_as_little_of_many(self, roza: User, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
        client = client_of(roza)
        counts: list[int] = []
        for _ in range(2):
            for number in range(10 if counts else 1):
                sit(draft(person(f"H{number}"), 3))
            for path in ("/lobby/", "/"):
                with django_assert_max_num_queries(12) as found:
                    assert client.get(path).status_code == 200
                counts.append(len(found))
        assert counts[:2] == counts[2:]
        assert len(listed(roza)) == 11


class TestHome:
    def test_lists_tables_that_wait_and_invitations(self, roza: User) -> None:
        nani = person("Nani")
        mine, there = draft(roza, joins="invited"), draft(nani, 2, starts="host")
        sit(there, roza)
        asked = draft(nani, joins="invited", name="Sunday")
        address = roza.emailaddress_set.get()
        address.verified = True
        address.save()
        invite(asked, address.email)
        page = page_of(client_of(roza), "/")
        tables = [each.attrs["data-table"] for each in page.all("li") if each.within(id="tables")]
        assert tables == [there.code, mine.code]
        assert "1 of 4 seats taken" in page.one(id="tables").text
        assert [each.attrs["data-table"] for each in page.all("li") if each.within(id="invitations")] == [asked.code]
        sit(there)
        assert "The host deals the cards" in page_of(client_of(roza), "/").one(id="tables").text
        assert "Everybody is there: deal the cards" in page_of(client_of(nani), "/").one(id="tables").text
        table_start(table_id=there.pk, host=nani, now=LATER)
        assert there.code not in page_of(client_of(roza), "/").html.split('id="tables"')[1].split("</ul>")[0]

    def test_an_invitation_is_declined_where_it_stands(self, roza: User) -> None:
        roza.emailaddress_set.update(verified=True)
        address, nani = roza.emailaddress_set.get().email, person("Nani")
        asked, other = draft(nani, joins="invited"), draft(nani, joins="invited")
        first, second = invite(asked, address), invite(other, address)
        page, path = page_of(client := client_of(roza), "/"), f"/tables/{asked.code}/decline/"
        button = next(each for each in page.all("button") if each.attrs.get("formaction") == path)
        assert page.one("form", id=button.attrs["form"]).attrs["method"] == "post"
        stranger = client_of(person("Bilal"))
        before = rows()
        assert stranger.post(path).status_code == 404
        assert client.post("/tables/nowhere/decline/").status_code == 404
        assert rows() == before
        for _ in range(2):
            answer = client.post(path, follow=True)
            assert "You do not play at" in answer.content.decode()
        for each in (first, second):
            each.refresh_from_db()
        assert (first.declined is None, second.declined) == (False, None)
        page = page_of(client, "/")
        assert [each.attrs["data-table"] for each in page.all("li") if each.within(id="invitations")] == [other.code]

    def test_a_table_opened_again_asks_without_an_invitation_to_decline(self, roza: User) -> None:
        nani = person("Nani")
        over(game := game_of(persons=[nani, roza, person("Bilal")]))
        table_again(code=game.table.code, host=nani, key="", now=LATER)
        page = page_of(client_of(roza), "/")
        assert len([each for each in page.all("li") if each.within(id="invitations")]) == 1
        assert not [each for each in page.all("button") if "formaction" in each.attrs]

    def test_asks_as_little_of_many(self, roza: User, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
        client = client_of(roza)
        counts: list[int] = []
        others = people(3)
        for many in (1, 10):
            for number in range(many):
                sit(draft(person(f"N{number}{many}"), joins="lobby"), roza)
                draft(roza)
                game_of(persons=[roza, *others])
                over(game_of(persons=[roza, *others]))
            with django_assert_max_num_queries(12) as found:
                assert client.get("/").status_code == 200
            counts.append(len(found))
        assert counts[0] == counts[1]
