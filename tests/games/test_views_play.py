"""Posting a card or a taking: what is played, what is refused and how; a refusal changes nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from games.models import Game, Move
from tests.games.pages import Page
from tests.games.seats import HX, Seat, sentence, third_trick
from tests.games.stored import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return third_trick()


def test_a_card_is_played_at_once(game: Game) -> None:
    seat = Seat(game, awaited=True)
    version = game.version
    response = seat.post(card=seat.page.playable[0])
    assert (response.status_code, response["Location"]) == (303, f"/games/{game.code}/")
    game.refresh_from_db()
    assert game.version > version
    assert Move.objects.get(game=game, number=version + 1).card == seat.page.playable[0]


def test_htmx_gets_the_fresh_board(game: Game) -> None:
    seat = Seat(game, awaited=True)
    response = seat.post(HX, card=seat.page.playable[0])
    page = Page(response.content.decode())
    assert response.status_code == 200
    assert int(page.board.attrs["data-version"]) > game.version
    assert not page.all("html")
    assert not page.all(role="alert")


@pytest.mark.parametrize("headers", [None, HX])
def test_a_repeated_post_plays_once(game: Game, headers: dict[str, str] | None) -> None:
    seat = Seat(game, awaited=True)
    card = seat.page.playable[0]
    assert seat.post(headers, card=card).status_code < 400
    before = everything()
    for _ in range(3):
        assert seat.post(headers, card=card).status_code == (200 if headers else 303)
    assert everything() == before


def refuse(game: Game, act: Callable[[], Any], status: int, *, version: bool = True) -> str:
    before = everything()
    response = act()
    assert response.status_code == status
    assert everything() == before
    page = Page(response.content.decode())
    if version:
        game.refresh_from_db()
        assert page.board.attrs["data-version"] == str(game.version)
    return sentence(response)


@pytest.mark.parametrize("headers", [None, HX])
def test_refusals_bring_the_fresh_table(game: Game, headers: dict[str, str] | None) -> None:
    seat, other = Seat(game, awaited=True), Seat(game, awaited=False)
    follow = refuse(game, lambda: seat.post(headers, card=seat.refused), 422)
    assert follow.startswith("You hold ")
    wait = refuse(game, lambda: other.post(headers, card=other.refused), 422)
    assert wait == "It is not your turn: wait for the other seat."
    assert "do not hold" in refuse(game, lambda: seat.post(headers, card=other.refused), 422)
    assert "card lies on the table" in refuse(game, lambda: seat.post(headers, take=str(other.number)), 422)
    moved = "The game has moved on: look at the table and choose again."
    assert refuse(game, lambda: seat.post(headers, card=seat.page.playable[0], version="0"), 409) == moved
    assert refuse(game, lambda: seat.post(headers, card=seat.page.playable[0], version="999999999"), 409) == moved
    seat.post(card=seat.page.playable[0])
    again = refuse(game, lambda: seat.post(headers, card=seat.refused), 409)
    assert again == "This form was used for another card already: look at the table and choose again."


def test_a_foreign_key_is_refused(game: Game) -> None:
    seat, other = Seat(game, awaited=True), Seat(game, awaited=False)
    seat.post(card=seat.page.playable[0])
    taken = seat.page.form()["key"]
    refuse(game, lambda: other.post(card=other.refused, key=taken), 409)


NONSENSE: list[dict[str, Any]] = [
    {},
    {"card": ""},
    {"card": "1H"},
    {"card": "ZZ"},
    {"card": "qh"},
    {"card": "QH "},
    {"card": "Q\0"},
    {"card": "♥Q"},
    {"card": "Q" * 5000},
    {"card": ["QH", "KH"]},
    {"card": "QH", "take": "1"},
    {"take": ""},
    {"take": "-1"},
    {"take": "one"},
    {"take": "1.0"},
    {"take": "9" * 40},
    {"take": "\N{ARABIC-INDIC DIGIT ONE}"},
    {"card": "QH", "version": None},
    {"card": "QH", "version": "abc"},
    {"card": "QH", "version": "-1"},
    {"card": "QH", "version": "1" + "0" * 30},
    {"card": "QH", "version": "1.5"},
    {"card": "QH", "version": ["1", "2"]},
    {"card": "QH", "key": None},
    {"card": "QH", "key": ""},
    {"card": "QH", "key": "short"},
    {"card": "QH", "key": "k" * 65},
    {"card": "QH", "key": "k" * 20 + "\0"},
    {"card": "QH", "key": "'; drop table games_move --"},
]


@pytest.mark.parametrize("fields", NONSENSE, ids=str)
def test_a_form_that_makes_no_sense_is_told_so(game: Game, fields: dict[str, Any]) -> None:
    seat = Seat(game, awaited=True)
    for headers in (None, HX):
        refuse(game, lambda headers=headers: seat.post(headers, **fields), 400, version=False)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xff\xfe\x00\x01" * 100, "application/x-www-form-urlencoded"),
        (b'{"card": "QH"}', "application/json"),
        (b"", "application/x-www-form-urlencoded"),
        (b"card=%FF%00&version=1&key=aaaaaaaaaaaa", "application/x-www-form-urlencoded"),
        (b"--x\r\nnonsense", "multipart/form-data; boundary=x"),
        (b"--x\r\nnonsense", "multipart/form-data"),
        (b"a=1&" * 300, "application/x-www-form-urlencoded"),
        (b"card=" + b"Q" * 200_000, "application/x-www-form-urlencoded"),
    ],
)
def test_a_strange_body_is_no_fault_of_ours(game: Game, body: bytes, kind: str) -> None:
    seat = Seat(game, awaited=True)
    before = everything()
    response = seat.client.post(f"/games/{game.code}/play/", body, content_type=kind)
    assert response.status_code in {400, 413}
    assert b"<p" in response.content
    assert everything() == before
