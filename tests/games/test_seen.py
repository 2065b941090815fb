"""How far a person has seen a game: only what was shown, only forwards, only told by a POST."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, Seen
from games.services.seen import seen_set
from tests.games.pages import client_of, clients
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


def test_a_second_of_two_at_once_loses_nothing(game: Game) -> None:
    user = sitter(game)
    seen_set(user_id=user.pk, game_id=game.pk, number=5)
    seen_set(user_id=user.pk, game_id=game.pk, number=4)
    assert number_of(game) == [5]
