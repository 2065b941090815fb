"""How far a person has seen a game: only what was shown, only forwards, only told by a POST."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from games.clocks.pace import live
from games.models import Game, Seen, Table
from games.services.seen import seen_set
from tests.games.pacing import paced
from tests.games.pages import client_of, clients, page_of
from tests.games.stored import everything, game_of, people, person, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    found = game_of(persons=people(4))
    play_on(found, lambda state: state.entries >= 12)
    return found


def told(client: Client, game: Game, number: object, **headers: str) -> int:
    return client.post(f"/games/{game.code}/seen/", {"number": number}, headers=headers).status_code


def sitter(game: Game) -> User:
    return User.objects.filter(holder__table=game.table).order_by("holder__seat__number")[0]


def number_of(game: Game) -> list[int]:
    return list(Seen.objects.filter(game=game).values_list("number", flat=True))


def test_it_only_grows(game: Game) -> None:
    client = clients(game)[1]
    assert told(client, game, 7, HX_Request="true") == 204
    assert told(client, game, 3) == 303
    assert number_of(game) == [7]
    assert told(client, game, game.version) == 303
    assert number_of(game) == [game.version]


@pytest.mark.parametrize("number", ["", "-1", "x", "9" * 30, "13.5", "\0"])
def test_what_makes_no_sense_changes_nothing(game: Game, number: str) -> None:
    client, before = clients(game)[0], everything()
    assert told(client, game, number) == 400
    assert told(client, game, game.version + 1) == 400
    assert everything() == before


def test_only_who_sits_there_can_tell(game: Game) -> None:
    other, strict = client_of(person("Other")), Client(enforce_csrf_checks=True)
    strict.force_login(sitter(game))
    before = everything()
    assert told(other, game, 3) == 404
    assert told(Client(), game, 3) == 302
    assert told(strict, game, 3) == 403
    assert strict.get(f"/games/{game.code}/seen/").status_code == 405
    assert everything() == before


def test_looking_is_not_seeing_but_playing_is(game: Game) -> None:
    seat = game.turn_set.get().seat
    client = clients(game)[seat]
    for path in ("", "board/", "board/?since=0.0", f"replay/{game.version}/"):
        assert client.get(f"/games/{game.code}/{path}").status_code == 200
    assert number_of(game) == []
    page = page_of(client, f"/games/{game.code}/")
    form = page.form(card=page.playable[0])
    for version, number in ((game.version - 1, []), (game.version, [game.version])):
        client.post(f"/games/{game.code}/play/", form | {"version": str(version)})
        assert number_of(game) == number
    # The same once more says nothing of what came later.
    client.post(f"/games/{game.code}/play/", form | {"version": "999"})
    assert number_of(game)[0] <= game.version + 2


def test_who_comes_back_reads_what_happened_and_who_is_there_does_not(game: Game) -> None:
    seat = game.turn_set.get().seat
    client, other = clients(game)[seat], clients(game)[(seat + 1) % 4]
    path = f"/games/{game.code}/"
    assert page_of(client, path).one(id="away").attrs["open"] == ""
    # Where seconds count the hand comes first.
    paced(game, live(timedelta(minutes=1)))
    assert "open" not in page_of(client, path).one(id="away").attrs
    assert "open" in page_of(other, path).one(id="away").attrs
    told(client, game, game.version - 3)
    box = page_of(client, path).all("a")
    last = range(game.version - 2, game.version + 1)
    steps = {each.attrs["href"] for each in box if each.within(id="away")}
    assert f"{path}replay/{game.version - 2}/?play=1" in steps
    assert steps <= {f"{path}replay/{step}/{play}" for step in last for play in ("", "?play=1")}
    # A tab that nobody sees gets the box anew, one that is looked at does not.
    assert page_of(client, f"{path}board/?since=0.0").all(id="away")
    assert not page_of(client, f"{path}board/?since=0.0&visible=1").all(id="away")
    told(client, game, game.version)
    assert not page_of(client, path).all(id="away")
    assert page_of(client, path).one(id="seen").attrs["data-number"] == str(game.version)
    assert page_of(other, path).one(id="seen").attrs["data-number"] == "0"
    Table.objects.filter(pk=game.table_id).update(watch="anyone")
    watched = page_of(client_of(person("Watcher")), path)
    assert not watched.all(id="away")
    assert not watched.all(id="seen")


def test_a_second_of_two_at_once_loses_nothing(game: Game) -> None:
    user = sitter(game)
    seen_set(user_id=user.pk, game_id=game.pk, number=5)
    seen_set(user_id=user.pk, game_id=game.pk, number=4)
    assert number_of(game) == [5]
