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
    # By chance of the deal they have played their last one, too.
    held = bool(state.result.cards_left)
    mine, theirs, last = ("hold", "holds", "the last cards") if held else ("are", "is", "the last one left")
    for seat, client in clients(game).items():
        says = f"You {mine} {last}: you lose this deal."
        if seat != loser:
            says = f"P{loser} {theirs} {last} and loses this deal."
        page = page_of(client, f"/games/{game.code}/")
        assert page.one(id="banner").text == f"Over {says}"
        assert f"{last}." in page.one("ol", css="log").text
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
    assert page.one(id="banner").text == "Over The deal was endless: nobody loses it."
