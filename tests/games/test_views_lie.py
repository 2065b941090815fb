"""R3: a hand keeps its order whatever comes into it, marks what is new, and lies as its owner likes."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.rules.cards import Card, card
from games.rules.deal import start
from games.rules.events import CardDrawn, Fouled, HandTaken, PickedUp, Played
from games.rules.record import parse_record
from games.rules.replay import steps
from games.rules.state import GameState
from games.selectors.board import board_of
from games.selectors.cast import Cast
from games.selectors.updates import _new_cards
from tests.e2e.boards import my_turn
from tests.games.pages import Page, client_of, clients, page_of
from tests.games.rendered import FRAME, board, with_hand
from tests.games.seats import third_trick
from tests.games.stored import RECORDS, chosen, everything, game_of, people, person, play, play_on


def came(state: GameState, before: GameState, seat: int) -> list[Card]:
    """What the events of an entry bring into a hand."""
    cards: list[Card] = []
    for event in state.events:
        match event:
            case PickedUp(seat=taker, cards=taken) if taker == seat:
                cards += taken
            case HandTaken(seat=taker, victim=victim) if taker == seat:
                cards += before.hands[victim]
            case CardDrawn(seat=drawer, card=drawn) if drawer == seat and drawn is not None:
                cards.append(drawn)
    return cards


@pytest.mark.parametrize("name", ["getaway", "big_family", "strict", "donkey", "pagat", "mixed"])
def test_cards_are_new_from_when_they_come_until_the_next_play(name: str) -> None:
    marked = 0
    for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()[::9]:
        record = parse_record(line)
        seats = range(len(record.hands))
        expected: list[Counter[Card]] = [Counter() for _ in seats]
        new: list[Any] = [{} for _ in seats]
        for before, state in pairwise(steps(start(record.rules, record.dealer, record.hands), record.moves)):
            for seat in seats:
                plays = [each for each in state.events if isinstance(each, Played | Fouled) and each.seat == seat]
                kept = Counter() if plays else expected[seat]
                # A card that somebody draws from this hand, or takes with all of it, is new here no more.
                expected[seat] = (kept + Counter(came(state, before, seat))) & Counter(state.hands[seat])
                new[seat] = _new_cards(state, before, seat, new[seat])
                assert +Counter(new[seat]) == expected[seat]
                marked += len(expected[seat])
    assert marked


def codes(page: Page) -> list[str]:
    return [each.attrs["id"].split("-", 1)[1] for each in page.all("button", css="card")]


def new_on(page: Page) -> set[str]:
    found = page.all("button", css="new")
    assert all(", new, " in each.text for each in found)
    assert len(found) == page.one("form", id="hand").text.count(", new, ")
    return {each.attrs["id"].split("-")[1] for each in found}


@pytest.mark.django_db
def test_a_pick_up_moves_no_card_and_marks_what_came() -> None:
    game = game_of(persons=people(4))
    everybody = clients(game)
    picked: list[PickedUp] = []
    before: dict[int, Page] = {}
    while not picked:
        before = {seat: page_of(each, f"/games/{game.code}/") for seat, each in everybody.items()}
        state = play_on(game, lambda state: state.entries > game.version)
        picked = [each for each in state.events if isinstance(each, PickedUp)]
    taker = picked[0].seat
    client = everybody[taker]
    after = page_of(client, f"/games/{game.code}/")
    assert new_on(before[taker]) == set()
    assert new_on(after) == {each.code for each in picked[0].cards}
    old = codes(before[taker])
    assert [each for each in codes(after) if each in old] == [each for each in old if each in codes(after)]
    # The taker leads next; at their own card the marks are gone.
    state = play_on(game, lambda state: taker in state.awaited)
    play(game, chosen(state, taker))
    assert new_on(page_of(client, f"/games/{game.code}/")) == set()


def test_of_a_card_held_twice_the_last_copy_is_new() -> None:
    view = my_turn()
    rows = board(view).hand
    assert not any(each.new for row in rows for each in row.cards)
    twice = with_hand(view, (*view.hand, card("QH")))
    shown = board_of(twice, Cast(("A", "B", "C", "D"), 0), FRAME, [], {}, {card("QH"): 1})
    assert [(each.id, each.new) for row in shown.hand for each in row.cards if each.face.code == "QH"] == [
        ("card-QH-1", False),
        ("card-QH-2", True),
    ]


@pytest.fixture
def game(db: None) -> Game:
    return third_trick()


def lay(client: Client, game: Game, **fields: str) -> Any:
    return client.post(f"/games/{game.code}/lie/", fields)


def ranks(page: Page) -> dict[str, str]:
    rows: dict[str, str] = {}
    for each in codes(page):
        rows[each[1]] = rows.get(each[1], "") + each[0]
    return rows


def test_the_order_and_the_edge_are_as_asked_for_a_year(game: Game) -> None:
    client = clients(game)[0]
    usual = page_of(client, f"/games/{game.code}/")
    assert usual.one("form", id="hand").classes == {"hand"}
    assert list(ranks(usual)) == [suit for suit in "SHCD" if suit in ranks(usual)]
    response = lay(client, game, first="two", edge="right")
    assert (response.status_code, response["Location"]) == (303, f"/games/{game.code}/")
    cookie = client.cookies["lie"]
    kept = (cookie.value, cookie["max-age"], cookie["httponly"], cookie["samesite"], cookie["path"])
    assert kept == ("two.right", 365 * 24 * 60 * 60, True, "Lax", "/")
    flipped = page_of(client, f"/games/{game.code}/")
    assert flipped.one("form", id="hand").classes == {"hand", "at-right"}
    assert ranks(flipped) == {suit: row[::-1] for suit, row in ranks(usual).items()}
    assert codes(page_of(client, f"/games/{game.code}/board/")) == codes(flipped)
    chosen = {each.attrs["value"] for each in flipped.all("input", type="radio", checked="")}
    assert chosen == {"two", "right"}
    lay(client, game, first="ace", edge="left")
    again = page_of(client, f"/games/{game.code}/")
    assert (codes(again), again.one("form", id="hand").classes) == (codes(usual), {"hand", "at-left"})


@pytest.mark.parametrize(
    "fields", [{}, {"first": "two"}, {"first": "up", "edge": "left"}, {"first": "\0", "edge": "x"}]
)
def test_nonsense_is_refused_and_changes_nothing(game: Game, fields: dict[str, str]) -> None:
    client = clients(game)[0]
    before = everything()
    response = lay(client, game, **fields)
    assert response.status_code == 400
    assert b"Choose one order and one edge" in response.content
    assert "lie" not in client.cookies
    assert everything() == before


def test_only_who_sits_there_may_lay_cards(game: Game) -> None:
    assert lay(client_of(person()), game, first="two", edge="left").status_code == 404
    assert lay(Client(), game, first="two", edge="left")["Location"].startswith("/accounts/signin/")
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"/games/{game.code}/lie/", {"first": "two", "edge": "left"}).status_code == 403


@pytest.mark.parametrize("value", ["nonsense", "two", "two.right.x", "<b>", ""])
def test_a_cookie_that_is_not_ours_is_the_usual_way(game: Game, value: str) -> None:
    client = clients(game)[0]
    usual = codes(page_of(client, f"/games/{game.code}/"))
    client.cookies["lie"] = value
    assert codes(page_of(client, f"/games/{game.code}/")) == usual


def test_the_replay_lays_the_hands_so_too(game: Game) -> None:
    client = clients(game)[0]
    path = f"/games/{game.code}/replay/1/"

    def rows() -> list[list[str]]:
        page = page_of(client, path)
        return [[each.text for each in page.all("li") if row in each.inside] for row in page.all("ul", css="mini")]

    usual = rows()
    client.cookies["lie"] = "two.left"
    assert rows() == [row[::-1] for row in usual]
