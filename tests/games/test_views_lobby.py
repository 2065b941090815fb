"""The lobby, the lists of tables on the start page, and a new table for people."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Block, User
from games.models import Game, Table
from games.rules.ruleset import PRESETS, Ruleset
from games.selectors.estimate import UNKNOWN, cards_to_play, deals_left_by, estimate_words, usual_responses
from games.selectors.games import game_state
from games.services.hosting import table_closed, table_start
from games.services.seats import seat_left, seat_removed
from tests.games.gathering import LATER, draft, invite, seated, sit
from tests.games.pages import Page, client_of, page_of
from tests.games.stored import NOW, chosen, everything, game_of, over, people, person, play, play_on
from tests.games.test_views_home import new

pytestmark = pytest.mark.django_db


@pytest.fixture
def roza() -> User:
    return person("Roza")


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
        assert "Getaway (Punjab), 1 deal, about 70 cards to play, about 9 days" in text
        assert "Nani (host): has not played among people lately, left 1 deal" in text

    def test_guests_are_told_what_they_lack(self) -> None:
        assert page_of(client_of(User.objects.create_guest("Guest")), "/lobby/").all("a", href="/accounts/email/")

    def test_is_for_people_who_are_signed_in(self, client: Client) -> None:
        assert client.get("/lobby/").status_code == 302

    def test_asks_as_little_of_many(self, roza: User, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
        client, counts = client_of(roza), []
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

    def test_asks_as_little_of_many(self, roza: User, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
        client, counts = client_of(roza), []
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

    @pytest.mark.parametrize("preset", PRESETS)
    def test_one_like_another(self, roza: User, preset: str) -> None:
        table = draft(person("Nani"), 5, rules=PRESETS[preset], deals=7, title="Chai Boy", name="Sunday")
        page = page_of(client_of(roza), f"/new/?like={table.code}")
        chosen = {
            each.attrs["name"]: each.attrs["value"] for each in page.all("input", checked="") if "value" in each.attrs
        }
        assert (chosen["company"], chosen["preset"], chosen["title"]) == ("people", preset, "own")
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


class TestEstimate:
    def test_the_median_of_ones_own_cards_among_people(self) -> None:
        nani, roza = person("Nani"), person("Roza")
        game = game_of(persons=[nani, roza], bots=1)
        now = timezone.now() - dt.timedelta(days=1)
        state = play_on(game, lambda state: state.tricks >= 1)
        Game.objects.filter(pk=game.pk).update(created=now)
        spans = {0: 2, 1: 30, 2: 0}
        for _ in range(20):
            seat = state.awaited[0]
            now += dt.timedelta(minutes=spans[seat])
            play(game, chosen(state, seat), version=state.entries, now=now)
            state = game_state(game)
        found = usual_responses([nani.pk, roza.pk, person().pk], now)
        assert set(found) <= {nani.pk, roza.pk}
        assert found[nani.pk] == dt.timedelta(minutes=2)
        assert found[roza.pk] == dt.timedelta(minutes=30)
        assert usual_responses([nani.pk], now + dt.timedelta(days=91)) == {}

    def test_not_of_cards_among_bots(self) -> None:
        nani = person("Nani")
        game = game_of(persons=[nani], bots=2)
        play_on(game, lambda state: state.tricks >= 3)
        assert usual_responses([nani.pk], NOW) == {}

    def test_is_one_query(self, django_assert_num_queries: Any) -> None:
        persons = people(3)
        over(game_of(persons=persons))
        with django_assert_num_queries(2):
            assert len(usual_responses([each.pk for each in persons], NOW)) == 3
            assert deals_left_by([each.pk for each in persons]) == {}

    @pytest.mark.parametrize(
        ("rules", "seats", "people", "deals", "says"),
        [
            (Ruleset(), 4, [UNKNOWN] * 4, 1, "about 70 cards to play, about 12 days"),
            (Ruleset(), 5, [None] * 5, 1, "about 80 cards to play, about 13 days"),
            (Ruleset(), 4, [dt.timedelta(seconds=30)], 1, "about 70 cards to play, about 9 minutes"),
            (Ruleset(), 4, [dt.timedelta(seconds=30)] * 4, 10, "about 700 cards to play, about 6 hours"),
            (Ruleset(game="donkey"), 4, [UNKNOWN] * 2, 1, "about 60 cards to play, about 5 days"),
        ],
    )
    def test_in_words(self, rules: Ruleset, seats: int, people: Any, deals: int, says: str) -> None:
        assert estimate_words(rules=rules, deals=deals, seats=seats, people=people) == says

    def test_more_seats_are_more_cards(self) -> None:
        for rules in (Ruleset(), Ruleset(packs=2), Ruleset(game="donkey"), Ruleset(game="donkey", packs=2)):
            counts = [cards_to_play(rules, seats) for seats in rules.seats]
            assert counts == sorted(counts)
            assert counts[0] >= 50
