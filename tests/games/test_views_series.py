"""A series of deals, and the same table again."""

from typing import Any

import pytest

from accounts.models import User
from games.models import Game, Holder, Table
from games.rules.ruleset import Ruleset
from games.services.dealing import game_next, game_start
from tests.games.pages import Page, client_of, page_of
from tests.games.stored import NOW, everything, game_of, over, people, person, table_of

pytestmark = pytest.mark.django_db


def test_a_table_without_a_game_has_no_next_one(nani: User) -> None:
    table = table_of(persons=[nani], bots=3)
    client = client_of(nani)
    before = everything()
    response = client.post(f"/tables/{table.code}/deal/")
    assert response.status_code == 404
    assert b"No game has been dealt at this table yet." in response.content
    assert everything() == before


def test_who_looks_at_the_last_game_is_shown_the_next_one(nani: User) -> None:
    game = game_start(table_id=table_of(persons=[nani], bots=3, deals=2).pk, now=NOW)
    over(game)
    client, path = client_of(nani), f"/games/{game.code}/board/"
    since = {"since": f"{game.version}.{game.revision}"}
    assert client.get(path, since).status_code == 204
    following = game_next(table_id=game.table_id, now=NOW)
    response = client.get(path, since)
    assert response.status_code == 200
    assert Page(response.content.decode()).all("a", href=f"/games/{following.code}/")


def series(nani: User, deals: int, persons: int = 3) -> Game:
    table = table_of(persons=[nani, *people(persons)], deals=deals)
    return game_start(table_id=table.pk, now=NOW)


def test_the_next_deal_is_a_button_at_the_end(nani: User) -> None:
    game = over(series(nani, 2))
    client = client_of(nani)
    deal = f"/tables/{game.table.code}/deal/"
    assert len(page_of(client, f"/games/{game.code}/").all("form", action=deal)) == 1
    response = client.post(deal)
    second = Game.objects.get(number=2)
    assert (response.status_code, response["Location"]) == (303, f"/games/{second.code}/")
    # Whoever comes second is led to the same game.
    assert client.post(deal)["Location"] == f"/games/{second.code}/"
    assert Game.objects.count() == 2
    page = page_of(client, f"/games/{game.code}/")
    assert not page.all("form", action=deal)
    # If it is their turn there, it is the next game that waits for them as well.
    links = [each.attrs["class"] for each in page.all("a", href=f"/games/{second.code}/")]
    assert links.count("button main") == 1
    over(second)
    response = client.post(deal)
    assert response.status_code == 409
    assert "All deals of this table have been played." in response.content.decode()
    assert not page_of(client, f"/games/{second.code}/").all("form", action=deal)


def test_between_two_deals_every_page_leads_on(nani: User) -> None:
    table = table_of(persons=[nani, *people(3)], deals=2)
    client, page = client_of(nani), f"/tables/{table.code}/"

    def lists() -> dict[str, int]:
        lines = page_of(client, "/").all("li")
        return {kind: sum(each.classes == {kind} for each in lines) for kind in ("mine", "between", "finished")}

    def deals() -> int:
        return len(page_of(client, page).all("form", action=f"{page}deal/"))

    first = over(game_start(table_id=table.pk, now=NOW))
    assert (lists(), deals()) == ({"mine": 0, "between": 1, "finished": 0}, 1)
    assert f"/games/{first.code}/" in page_of(client, "/").html
    second = game_next(table_id=table.pk, now=NOW)
    assert (lists()["between"], deals()) == (0, 0)
    over(second)
    assert (lists(), deals()) == ({"mine": 0, "between": 0, "finished": 2}, 0)


def test_the_standings_count_losses(nani: User) -> None:
    game = over(series(nani, 2))
    client = client_of(nani)
    client.post(f"/tables/{game.table.code}/deal/")
    page = page_of(client, f"/tables/{game.table.code}/")
    lines = [row for row in page.all("tr") if "why" not in row.classes]
    rows = [[cell.text for cell in page.elements if cell.inside and row is cell.inside[-1]] for row in lines]
    assert rows[0] == ["Place", "Name", "Losses"]
    assert sorted(row[2] for row in rows[1:]) == ["0", "0", "0", "1"]
    assert rows[-1][0] == "4"
    assert "In play" in page.html


def test_the_same_table_again(nani: User) -> None:
    table = table_of(Ruleset(game="donkey"), persons=[nani], bots=3, level="medium")
    game = over(game_start(table_id=table.pk, now=NOW))
    client = client_of(nani)
    again = f"/tables/{table.code}/again/"
    assert len(page_of(client, f"/games/{game.code}/").all("form", action=again)) == 1
    form = page_of(client, f"/games/{game.code}/").form()
    response = client.post(again, form)
    fresh = Game.objects.latest("pk")
    assert (response.status_code, response["Location"]) == (303, f"/games/{fresh.code}/")
    assert fresh.table_id != table.pk
    assert fresh.table.rules == table.rules
    names = [seated(each) for each in (table, fresh.table)]
    assert names[0] == names[1]
    # A second click asks for the same table; another look at the page, for another.
    assert client.post(again, form)["Location"] == response["Location"]
    assert Table.objects.count() == 2
    assert client.post(again, page_of(client, f"/games/{game.code}/").form())["Location"] != response["Location"]


def test_a_series_that_goes_on_is_not_opened_again(nani: User) -> None:
    table = table_of(persons=[nani], bots=3, deals=2)
    client, again = client_of(nani), f"/tables/{table.code}/repeat/"
    game_start(table_id=table.pk, now=NOW)
    for _ in range(2):
        before = everything()
        response = client.post(again)
        assert response.status_code == 409
        assert "This table has deals left to play" in response.content.decode()
        assert everything() == before
        over(Game.objects.latest("pk"))
    client.post(f"/tables/{table.code}/deal/")
    over(Game.objects.latest("pk"))
    assert client.post(again).status_code == 303


def seated(table: Table) -> list[Any]:
    rows = Holder.objects.filter(table=table).order_by("seat__number")
    return list(rows.values_list("name", "bot", "user"))


def test_people_are_asked_whether_they_play_again(nani: User) -> None:
    game = over(game_of(persons=[nani, *people(3)]))
    client, again = client_of(nani), f"/tables/{game.table.code}/again/"
    for path in (f"/games/{game.code}/", f"/tables/{game.table.code}/"):
        assert len(page_of(client, path).all("form", action=again)) == 1
    response = client.post(again)
    fresh = Table.objects.latest("pk")
    assert (response.status_code, response["Location"]) == (303, f"/tables/{fresh.code}/")
    assert [each[0] for each in seated(fresh)] == ["Nani"]
    # The address of before leads there as well.
    assert client.post(f"/tables/{game.table.code}/repeat/")["Location"] == response["Location"]
    asked = User.objects.get(name="P2")
    assert page_of(client_of(asked), "/").all("a", href=f"/tables/{fresh.code}/")
    assert client_of(asked).post(again)["Location"] == response["Location"]
    for each in User.objects.exclude(name="Nani"):
        response = client_of(each).post(f"/tables/{fresh.code}/join/")
    assert response["Location"] == f"/games/{Game.objects.latest('pk').code}/"


def test_leaving_is_asked_once_more_and_seen_in_the_standings(nani: User) -> None:
    game = series(nani, 2)
    client, leave = client_of(nani), f"/tables/{game.table.code}/leave/"
    page = page_of(client, f"/tables/{game.table.code}/")
    assert page.one("form", id="leave").attrs["action"] == leave
    before = everything()
    response = client.post(leave)
    assert response.status_code == 422
    assert "A bot plays on at your seat" in response.content.decode()
    assert everything() == before
    response = client.post(leave, {"sure": "yes"})
    assert (response.status_code, response["Location"]) == (303, f"/tables/{game.table.code}/")
    page = page_of(client_of(User.objects.get(name="P0")), f"/tables/{game.table.code}/")
    bot = Holder.objects.get(table=game.table, bot="medium")
    assert f"{bot.name}, for Nani" in [each.text for each in page.all("th")]
    page = page_of(client, f"/tables/{game.table.code}/")
    assert "You have left this table" in page.one(id="left").text
    assert not page.all("form", id="leave")
    assert client.post(leave, {"sure": "yes"}).status_code == 404


def test_whoever_plays_there_finds_the_pages_of_the_others(nani: User) -> None:
    game = series(nani, 2)
    Table.objects.update(watch=Table.Watch.ANYONE)
    others = {
        f"/people/{each.user.code}/"
        for each in Holder.objects.filter(table=game.table)
        if each.user not in (None, nani)
    }
    path = f"/tables/{game.table.code}/"

    def led_to(user: User) -> set[str]:
        links = page_of(client_of(user), path).all("a")
        return {each.attrs["href"] for each in links if each.attrs["href"].startswith("/people/")}

    assert led_to(nani) == others
    assert others
    assert all(client_of(nani).get(each).status_code == 200 for each in others)
    assert led_to(person("Watcher")) == set()
