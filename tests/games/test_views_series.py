"""Dealing on at a table that has no game to deal on from."""

import pytest

from tests.games.pages import client_of
from tests.games.stored import everything, person, table_of

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
