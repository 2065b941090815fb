"""Who runs the site reads what is over on the pages of the site, and no card of what is played (decision 43)."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from accounts.roles import ROLES, role_given
from games.admin.links import public_url
from games.models import Game
from games.services.dealing import game_next
from tests.accounts.doors import sign_in
from tests.games.correcting import corrected
from tests.games.invitees import waiting
from tests.games.pages import Page
from tests.games.serial import series_of_losers
from tests.games.stored import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(four: list[User]) -> list[Game]:
    """Two deals that are over, and one that is played; nobody may watch."""
    over = series_of_losers([1, 2], persons=four, deals=5)
    return [*over, game_next(table_id=over[0].table_id, now=NOW + timedelta(days=1))]


def staff(role: str) -> User:
    user = User.objects.create_user(f"{role}@example.org", name="Boss", verified=True)
    role_given(user, role)
    return user


def desk(role: str = "operator") -> Client:
    return sign_in(Client(), staff(role))


def read(client: Client, path: str) -> int:
    return client.get(path).status_code


def finished(game: Game) -> list[str]:
    base = f"/games/{game.code}/"
    return [base, f"{base}board/", f"{base}replay/0/", f"{base}replay/{game.version}/", f"{base}record.json"]


@pytest.mark.parametrize("role", ROLES)
def test_what_is_over_lies_open_to_every_role(games: list[Game], four: list[User], role: str) -> None:
    client, table = desk(role), games[0].table
    corrected(games[0], 2, why="He slipped")
    page = Page(client.get(f"/tables/{table.code}/").content.decode())
    assert "You see this as one of those who run the site." in page.one(id="office").text
    assert "He slipped" in page.html
    assert {read(client, path) for game in games[:2] for path in finished(game)} == {200}
    pages = [path for each in four for path in (f"/people/{each.code}/", f"/people/{each.code}/ratings/")]
    assert {read(client, path) for path in pages} == {200}


def test_of_what_is_played_no_card_is_shown(games: list[Game]) -> None:
    client, game = desk(), games[2]
    answer = client.get(f"/games/{game.code}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/tables/{game.table.code}/")
    assert {read(client, path) for path in finished(game)[1:]} == {404}
    series = client.get(f"/tables/{game.table.code}/").content.decode()
    assert f"/games/{game.code}/" not in series


def test_without_the_second_factor_or_a_role_it_stays_shut(games: list[Game], four: list[User]) -> None:
    no_role = User.objects.create_user("s@example.org", name="Staff", verified=True, is_staff=True)
    clients = (sign_in(Client(), staff("operator"), second=False), sign_in(Client(), no_role))
    paths = [f"/tables/{games[0].table.code}/", f"/people/{four[0].code}/", *finished(games[0]), *finished(games[2])]
    assert {read(client, path) for client in clients for path in paths} == {404}


def test_they_do_nothing_there(games: list[Game], four: list[User]) -> None:
    client, table = desk(), games[0].table
    page = Page(client.get(f"/tables/{table.code}/").content.decode())
    mine = Page(client.get(f"/people/{four[0].code}/").content.decode())
    acts = {each.attrs["action"] for each in (*page.all("form"), *mine.all("form"))}
    assert not {each for each in acts if "/tables/" in each or "/people/" in each}
    for path in (f"/tables/{table.code}/deal/", f"/tables/{table.code}/report/", f"/people/{four[0].code}/block/"):
        assert client.post(path, {"what": "table", "way": "on"}).status_code == 404


def test_links_of_the_desk_lead_somewhere(games: list[Game], four: list[User]) -> None:
    client = desk()
    for row in (*games, games[0].table, *four):
        assert client.get(public_url(row), follow=True).status_code == 200
    # One that waits for people opens to those who may sit down.
    assert public_url(waiting(four[0])) == ""
