"""A person's page, their name, and whom they keep away."""

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Block, User
from games.models import Game, Holder, Result, Table
from games.selectors.estimate import Reliability, span_words
from games.selectors.people import NoSuchPerson, Profile, profile
from games.services.errors import NameUnfit
from games.services.people import person_renamed
from games.services.seats import seat_left
from tests.games.answers import answered, missed
from tests.games.gathering import LATER, draft, invite, seated, sit
from tests.games.pages import Page, client_of, page_of
from tests.games.seats import sentence
from tests.games.stored import NOW, everything, game_of, over, people, person, play_on

pytestmark = pytest.mark.django_db


def seen(viewer: User, person: User) -> Profile:
    return profile(viewer=viewer, code=person.code, now=LATER)


def met(viewer: User, person: User) -> bool:
    try:
        seen(viewer, person)
    except NoSuchPerson:
        return False
    return True


class TestWhoMayLook:
    def test_oneself(self, nani: User) -> None:
        assert seen(nani, nani).you

    @pytest.mark.parametrize("code", ["", "x", "a\0b", "z" * 5000])
    def test_nobody_is_nobody(self, nani: User, code: str) -> None:
        with pytest.raises(NoSuchPerson):
            profile(viewer=nani, code=code, now=LATER)

    def test_strangers_do_not(self, nani: User) -> None:
        other = person("Roza")
        game_of(persons=[nani, *people(2)])
        game_of(persons=[other, *people(2)])
        draft(other, joins="invited")
        assert not met(nani, other)
        assert not met(other, nani)

    def test_who_shares_or_shared_a_table(self, nani: User) -> None:
        other, third = people(2)
        game = game_of(persons=[nani, other, third])
        assert met(nani, other)
        seat_left(table_id=game.table.pk, user=other, now=LATER)
        assert met(nani, other)
        assert met(other, nani)

    @pytest.mark.parametrize(
        ("plan", "expected"),
        [
            ({"joins": "lobby"}, True),
            ({"joins": "link"}, False),
            ({"joins": "invited", "watch": "anyone"}, True),
            ({"joins": "invited", "watch": "link"}, False),
        ],
    )
    def test_who_sees_them_at_an_open_table(self, nani: User, plan: dict[str, Any], expected: bool) -> None:
        other = person("Roza")
        table = draft(other, **plan)
        assert met(nani, other) is expected
        assert not met(other, nani)
        Table.objects.filter(pk=table.pk).update(status="closed", closed=NOW)
        assert not met(nani, other)

    def test_who_is_invited_to_their_table(self, nani: User) -> None:
        other = person("Roza")
        sent = invite(draft(other, joins="invited"), nani.email or "")
        assert met(nani, other)
        type(sent).objects.update(revoked=LATER)
        assert not met(nani, other)

    def test_a_guest_is_invited_by_no_address(self) -> None:
        other = person("Roza")
        invite(draft(other, joins="invited"))
        assert not met(User.objects.create_guest("Golu"), other)

    def test_not_who_was_blocked(self, nani: User) -> None:
        other = person("Roza")
        draft(other)
        Block.objects.create(owner=other, other=nani)
        assert not met(nani, other)
        Block.objects.all().delete()
        Block.objects.create(owner=nani, other=other)
        # To take it back.
        assert met(nani, other)


class TestFigures:
    def test_finished_deals(self, nani: User) -> None:
        others = people(2)
        for dealer in range(3):
            over(game_of(persons=[nani, *others], dealer=dealer))
        game_of(persons=[nani, *others])
        results = list(Result.objects.all())
        found = seen(others[0], nani)
        assert found.games == 3
        assert found.lost == sum(each.loser == 0 for each in results)
        assert found.first == sum(each.away[0] == 0 for each in results)
        assert sum(seen(nani, each).first for each in (nani, *others)) == 3
        assert sum(seen(nani, each).lost for each in (nani, *others)) == 3

    def test_a_deal_that_was_left_counts(self, nani: User) -> None:
        game = game_of(persons=[nani, *people(2)])
        play_on(game, lambda state: state.tricks >= 1)
        Game.objects.filter(pk=game.pk).update(created=NOW - dt.timedelta(hours=1))
        seat_left(table_id=game.table.pk, user=nani, now=NOW)
        assert seen(nani, nani).left == 1
        game.refresh_from_db()
        over(game)
        Game.objects.filter(pk=game.pk).update(ended=LATER)
        loser = Result.objects.get().loser
        found = seen(nani, nani)
        # Who has left is charged with the loss, and gets away no more.
        assert (found.games, found.left, found.lost, found.first) == (1, 1, int(loser == 0), 0)

    def test_tables_that_were_left_in_time_do_not(self, nani: User) -> None:
        table = draft(person("Roza"))
        sit(table, nani)
        seat_left(table_id=table.pk, user=nani, now=LATER)
        over(game_of(persons=[nani, *people(2)]))
        Holder.objects.filter(user=nani).update(until=LATER)
        assert seen(nani, nani).left == 0

    def test_how_fast_and_how_reliably(self, nani: User) -> None:
        assert (seen(nani, nani).response, seen(nani, nani).reliability) == ("", Reliability(0, 0))
        game = game_of(persons=[nani, *people(2)])
        answered(game, nani, dt.timedelta(hours=2))
        assert seen(nani, nani).response == "about 2 hours"
        missed(game, nani)
        assert seen(nani, nani).reliability == Reliability(1, 0)

    @pytest.mark.parametrize(
        ("minutes", "words"),
        [
            (0, "about a minute"),
            (2.4, "about 2 minutes"),
            (61, "about 61 minutes"),
            (100, "about 2 hours"),
            (34 * 60, "about 34 hours"),
            (48 * 60, "about 2 days"),
        ],
    )
    def test_times_in_words(self, minutes: float, words: str) -> None:
        assert span_words(dt.timedelta(minutes=minutes)) == words

    def test_tables_in_common(self, nani: User) -> None:
        other, third = people(2)
        one, _ = game_of(persons=[nani, other, third]), game_of(persons=[other, third, person()])
        two = game_of(persons=[third, other, nani])
        seat_left(table_id=two.table.pk, user=nani, now=LATER)
        assert [each.code for each in seen(nani, other).tables] == ["", one.table.code]
        assert seen(nani, nani).tables == ()

    def test_queries_do_not_grow(self, nani: User) -> None:
        other, third = people(2)
        counts = []
        for _ in range(2):
            for dealer in range(3):
                over(game_of(persons=[nani, other, third], dealer=dealer))
            with CaptureQueriesContext(
                connection,
            ) as queries:
                seen(other, nani)
            counts.append(len(queries))
        assert counts[0] == counts[1] <= 9


class TestPages:
    def test_a_page(self, nani: User) -> None:
        other = person("Roza")
        game = over(game_of(persons=[nani, other], bots=1))
        page = page_of(client_of(other), f"/people/{nani.code}/")
        assert page.one("h1").text.endswith("Nani")
        assert page.one("dd", data_figure="games").text == "1"
        assert [each.attrs["href"] for each in page.all("a") if each.within(id="common")] == [
            f"/tables/{game.table.code}/"
        ]
        assert str(nani.email) not in page.html

    def test_nobody(self, nani: User) -> None:
        answer = client_of(nani).get(f"/people/{person('Roza').code}/")
        assert answer.status_code == 404
        assert sentence(answer) == "There is no such person, or you have not met them at a table."
        assert sentence(answer) == sentence(client_of(nani).get("/people/zzzz/"))

    def test_keeping_away_and_back(self, nani: User) -> None:
        other = person("Roza")
        game_of(persons=[nani, other], bots=1)
        client, path = client_of(nani), f"/people/{other.code}/"
        for way, expected in (("on", True), ("on", True), ("off", False), ("off", False)):
            answer = client.post(f"{path}block/", {"way": way})
            assert (answer.status_code, answer.headers["Location"]) == (303, path)
            assert Block.objects.filter(owner=nani, other=other).exists() is expected
            assert page_of(client, path).one("button", name="way").attrs["value"] == ("off" if expected else "on")

    @pytest.mark.parametrize("way", ["", "maybe", "on\0", "x" * 5000])
    def test_keeping_away_makes_sense(self, nani: User, way: str) -> None:
        other = person("Roza")
        game_of(persons=[nani, other], bots=1)
        before = everything()
        assert client_of(nani).post(f"/people/{other.code}/block/", {"way": way}).status_code == 400
        assert client_of(nani).post(f"/people/{nani.code}/block/", {"way": "on"}).status_code == 400
        assert client_of(nani).post(f"/people/{person().code}/block/", {"way": "on"}).status_code == 404
        after = everything()
        assert after["Block"] == before["Block"]

    def test_my_own_page(self, nani: User) -> None:
        page = page_of(client_of(nani), "/me/")
        assert {"/accounts/settings/", "/accounts/sessions/", "/accounts/passkeys/"} <= {
            each.attrs["href"] for each in page.all("a") if each.within(id="ways")
        }
        guest = page_of(client_of(User.objects.create_guest("Golu")), "/me/")
        ways = {each.attrs["href"] for each in guest.all("a") if each.within(id="ways")}
        assert "/accounts/passkeys/" not in ways
        assert "/accounts/email/" in ways

    @pytest.mark.parametrize("path", ["/me/", "/me/delete/", "/people/zzzz/"])
    def test_strangers_sign_in_first(self, client: Client, path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/accounts/signin/")


class TestAnotherName:
    def test_everywhere_they_sit(self, nani: User) -> None:
        game, left = game_of(persons=[nani, *people(2)]), game_of(persons=[nani, *people(2)])
        waits = draft(nani)
        seat_left(table_id=left.table.pk, user=nani, now=LATER)
        revision = Game.objects.get(pk=game.pk).revision
        answer = client_of(nani).post("/me/name/", {"name": "  Amma\u3000 Ji "})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/me/")
        nani.refresh_from_db()
        assert nani.name == "Amma Ji"
        assert seated(game.table)[0][1] == seated(waits)[0][1] == "Amma Ji"
        # The past stays as it was, and boards are told.
        assert Holder.objects.get(table=left.table, user=nani).name == "Nani"
        assert Game.objects.get(pk=game.pk).revision == revision + 1

    def test_not_where_somebody_looks_called_that(self, nani: User) -> None:
        game = game_of(persons=[nani, person("R\u043ez\u0430"), person()])
        other = game_of(persons=[nani, *people(2)])
        Table.objects.filter(pk=game.table.pk).update(name="Sunday")
        answer = client_of(nani).post("/me/name/", {"name": "ROZA"})
        assert answer.status_code == 200
        assert sentence(answer) == "Somebody looks called that, so your old name stays at Sunday."
        assert seated(game.table)[0][1] == "Nani"
        assert seated(other.table)[0][1] == "ROZA"

    @pytest.mark.parametrize("name", ["", "   ", "a\u202eb", "x" * 41, "\0", "\n", "x" * 20000])
    def test_not_one_that_is_unfit(self, nani: User, name: str) -> None:
        game_of(persons=[nani, *people(2)])
        before = everything()
        with pytest.raises(NameUnfit):
            person_renamed(user=nani, name=name, now=NOW)
        answer = client_of(nani).post("/me/name/", {"name": name})
        if len(name) < 1000 and "\0" not in name:
            assert answer.status_code == 422
            page = Page(answer.content.decode())
            assert page.one(id="id_name").attrs["aria-invalid"] == "true"
            assert page.one(id="id_name_error").text.endswith(".")
        assert 400 <= answer.status_code < 500
        after = everything()
        assert after["Holder"] == before["Holder"]
        nani.refresh_from_db()
        assert nani.name == "Nani"
