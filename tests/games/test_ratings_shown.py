"""Ratings as people read them: who sees whose, what is behind a number, and leaderboards."""

from typing import Any

import pytest

from accounts.models import User
from games.models import RatedDeal, Rating, RatingPool, Table
from games.selectors.exports import export_files
from games.selectors.ratings import leaderboard, standings_of
from games.services.erasing import person_erased
from games.services.ratings import ratings_kept
from games.services.tables import plan_like
from tests.games.gathering import draft
from tests.games.pages import Page, client_of, page_of
from tests.games.rating import HOUR, deal, rated_table
from tests.games.stored import NOW, people, person

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


def choose(user: User, **switches: bool) -> None:
    user.notices = switches
    user.save(update_fields=["notices"])


def rating(name: str, mu: float, deals: int = 30, **switches: bool) -> User:
    """Somebody of a rating, in the pool of Getaway with four seats."""
    pool, _ = RatingPool.objects.get_or_create(kind="getaway", seats=4)
    user = person(name)
    choose(user, **{"listed": True} | switches)
    Rating.objects.create(pool=pool, user=user, mu=mu, sigma=2.0, deals=deals)
    return user


class TestLeaderboard:
    def test_lists_those_who_want_it_and_have_thirty_deals(self) -> None:
        best, good = rating("Best", 30.0), rating("Good", 28.0)
        shy, new = rating("Shy", 29.0, listed=False), rating("New", 40.0, deals=29)
        User.objects.filter(pk=rating("Banned", 50.0).pk).update(is_active=False)
        found = leaderboard(viewer=good, kind="getaway", seats="4")
        assert [(each.place, each.name, each.you) for each in found.places] == [(1, "Best", False), (2, "Good", True)]
        assert (found.my_place, found.listed) == (2, True)
        # Cautious: the estimate less three times what it is unsure by, in points.
        assert found.places[0].now.about == 1000 + 40 * (30 - 6)
        assert found.places[0].now.unsure == 240
        assert leaderboard(viewer=best, kind="", seats="x").pool == "Getaway, 4 seats"
        page = page_of(client_of(shy), "/leaderboards/")
        assert "That would be place 2: you are not listed" in page.one(id="mine").text
        assert "provisional" in page_of(client_of(new), "/leaderboards/").one(id="mine").text
        assert "Shy" not in page.one("table", id="places").text

    def test_equal_ratings_share_the_place(self) -> None:
        rating("Best", 30.0)
        one, other = rating("One", 28.0), rating("Other", 28.0)
        rating("Last", 20.0)
        for viewer in (one, other):
            found = leaderboard(viewer=viewer, kind="getaway", seats="4")
            assert [(each.place, each.name) for each in found.places] == [
                (1, "Best"),
                (2, "One"),
                (2, "Other"),
                (4, "Last"),
            ]
            assert found.my_place == 2

    def test_asks_as_little_of_many(self, django_assert_max_num_queries: Any) -> None:
        viewer = rating("Viewer", 25.0)
        for at in range(20):
            rating(f"P{at}", 20.0 + at)
        with django_assert_max_num_queries(5):
            assert len(leaderboard(viewer=viewer, kind="getaway", seats="4").places) == 21

    def test_before_any_deal(self) -> None:
        assert page_of(client_of(person()), "/leaderboards/").all(id="nobody")


class TestWhoReads:
    def test_who_has_met_them_unless_they_hide(self) -> None:
        nani, roza, third = people(3)
        deal(rated_table([nani, roza, third]), 0, NOW)
        ratings_kept()
        assert standings_of(viewer=roza, code=nani.code) == standings_of(viewer=nani, code=nani.code) != ()
        choose(nani, rating=False)
        assert standings_of(viewer=roza, code=nani.code) is None
        assert standings_of(viewer=nani, code=nani.code) != ()
        client, path = client_of(roza), f"/people/{nani.code}/ratings/"
        page = page_of(client, path)
        assert page.all(id="hidden")
        assert not page.all(id="deals")
        assert not page_of(client, f"/people/{nani.code}/").all(id="ratings")
        assert client_of(person()).get(path).status_code == 404

    def test_the_deals_behind_it(self) -> None:
        nani, roza, third = people(3)
        table = rated_table([nani, roza, third])
        deal(table, 0, NOW), deal(table, None, NOW + HOUR)
        elsewhere = rated_table([nani, *people(2)])
        deal(elsewhere, 1, NOW + 2 * HOUR)
        Table.objects.filter(pk=elsewhere.pk).update(name="A secret table")
        ratings_kept()
        mine = page_of(client_of(nani), f"/people/{nani.code}/ratings/").one(id="deals").text
        assert "Lost: from about 1000 (likely 2000)" in mine
        assert "Does not count. Nobody lost this deal" in mine
        assert "A secret table" in mine
        theirs = page_of(client_of(roza), f"/people/{nani.code}/ratings/").one(id="deals").text
        assert "Did not lose" in theirs
        assert "Rated" in theirs
        assert "A secret table" not in theirs
        assert "Does not count" not in theirs

    def test_all_of_it_is_in_ones_archive(self) -> None:
        users = people(3)
        game = deal(rated_table(users), 0, NOW)
        ratings_kept()
        found = next(data for path, data in export_files(user=users[0], now=NOW) if path == "ratings.json")
        assert isinstance(found, dict)
        assert [(each["game"], each["seats"], each["deals"]) for each in found["now"]] == [("getaway", 3, 1)]
        assert [(each["game_code"], each["mu_before"]) for each in found["deals"]] == [(game.code, 25.0)]

    def test_whoever_is_erased_has_none(self) -> None:
        users = people(3)
        deal(rated_table(users), 0, NOW)
        ratings_kept()
        person_erased(user_id=users[0].pk, now=NOW + HOUR, due=False)
        assert set(Rating.objects.values_list("user__name", flat=True)) == {"P1", "P2"}


class TestTables:
    def test_say_so_before_anybody_sits_down(self) -> None:
        nani, other = people(2)
        yes, no = draft(nani, rated=True), draft(nani)
        for table, words in ((yes, "Its deals count for the ratings"), (no, "Its deals do not count")):
            assert words in page_of(client_of(other), f"/tables/{table.code}/").one(id="rules").text
        lobby = page_of(client_of(other), "/lobby/")
        rows = [each for each in lobby.all("li") if "data-table" in each.attrs]
        said = {each.attrs["data-table"]: "counts for ratings" in each.text for each in rows}
        assert said == {yes.code: True, no.code: False}
        assert plan_like(yes, nani).rated
        like = page_of(client_of(nani), f"/new/?like={yes.code}").one("input", name="rated")
        assert "checked" in like.attrs

    @pytest.mark.parametrize("rated", [False, True])
    def test_are_asked_for_in_the_form(self, rated: bool) -> None:
        nani = User.objects.create_user("nani@example.org", name="Nani", verified=True)
        client = client_of(nani)
        page = page_of(client, "/new/?with=people")
        assert "checked" not in page.one("input", name="rated").attrs
        form = {"company": "people", "preset": "Getaway (Punjab)", "seats": "4", "name": "X", "deals": "1"}
        form |= {"title": "Last Hand", "key": "k", "pace": "none"} | ({"rated": "on"} if rated else {})
        answer = client.post("/new/", form)
        assert answer.status_code == 303, Page(answer.content.decode()).all(id="fault")
        assert Table.objects.get().rated is rated

    def test_say_of_each_deal_what_became_of_it(self) -> None:
        users = people(3)
        table = rated_table(users)
        plain, endless = deal(table, 0, NOW), deal(table, None, NOW + HOUR)
        client = client_of(users[0])
        path = f"/tables/{table.code}/"
        ratings_kept()
        page = page_of(client, path)
        assert page.one(id="rated").text == "Its deals count for the ratings of those who play them."
        assert "Deal 2 does not count. Nobody lost this deal" in page.one(id="not-rated").text
        assert RatedDeal.objects.get(game=plain).why == ""
        assert RatedDeal.objects.get(game=endless).why
