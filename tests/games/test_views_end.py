"""The end of a deal is plain: everybody reads who has lost, whatever brought it about."""

from dataclasses import replace

import pytest

from games.models import Game
from games.rules.moves import Take
from games.rules.outcome import Result
from games.rules.state import GameState
from tests.e2e.boards import my_turn
from tests.games import rendered
from tests.games.pages import Page, clients, page_of
from tests.games.stored import game_of, people, play, play_on


def told(game: Game, state: GameState) -> None:
    """Check what each person reads: on the board, on the start page and in the standings."""
    assert state.result is not None
    loser = state.result.loser
    for seat, client in clients(game).items():
        says = (
            "You hold the last cards: you lose this deal."
            if seat == loser
            else f"P{loser} holds the last cards and loses this deal."
        )
        page = page_of(client, f"/games/{game.code}/")
        assert page.one(id="banner").text == f"Over {says}"
        assert "the last cards." in page.one("ol", css="log").text
        assert [each.text for each in page.all(css="badge")] == ["First away", "Last Hand"]
        assert page_of(client, "/").one("span", css="now").text == says
        assert page_of(client, f"/tables/{game.table.code}/").one("span", css="now").text == says


@pytest.mark.django_db
def test_whoever_holds_the_last_cards_reads_that_they_lose() -> None:
    game = game_of(persons=people(3))
    told(game, play_on(game, lambda state: state.result is not None))


@pytest.mark.django_db
def test_whoever_concedes_loses() -> None:
    game = game_of(persons=people(3))
    state = play_on(game, lambda state: len(state.away) == 1 and not state.trick)
    play(game, Take(state.power, state.next_seat(state.power)))
    game.refresh_from_db()
    state = play_on(game, lambda state: state.result is not None)
    told(game, state)


def test_a_void_deal_has_no_loser() -> None:
    view = replace(my_turn(), result=Result((1,), None, True, None), awaited=(), legal=())
    page = Page(rendered.html(view))
    assert page.one(id="banner").text == "Over The game is stopped. Nobody loses this deal."
