"""Dealing on at a table, as those see it who look at its games."""

import pytest

from games.services.tables import game_next, game_start
from tests.games.pages import Page, client_of
from tests.games.stored import NOW, everything, person, play_on, table_of

pytestmark = pytest.mark.django_db


def test_a_table_without_a_game_has_no_next_one() -> None:
    nani = person()
    table = table_of(persons=[nani], bots=3)
    client = client_of(nani)
    before = everything()
    response = client.post(f"/tables/{table.code}/deal/")
    assert response.status_code == 404
    assert b"No game has been dealt at this table yet." in response.content
    assert everything() == before


def test_who_looks_at_the_last_game_is_shown_the_next_one() -> None:
    nani = person()
    game = game_start(table_id=table_of(persons=[nani], bots=3, deals=2).pk, now=NOW)
    play_on(game, lambda state: state.result is not None)
    client, path = client_of(nani), f"/games/{game.code}/board/"
    since = {"since": f"{game.version}.{game.revision}"}
    assert client.get(path, since).status_code == 204
    following = game_next(table_id=game.table_id, now=NOW)
    response = client.get(path, since)
    assert response.status_code == 200
    assert Page(response.content.decode()).all("a", href=f"/games/{following.code}/")
