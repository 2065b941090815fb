"""Every answer has its right status and one clear sentence, whatever is sent; a refusal changes nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from games.models import Game, Move
from tests.games.pages import Page, client_of, clients, page_of
from tests.games.stored import everything, game_of, people, person, play_on

pytestmark = pytest.mark.django_db

HX = {"HX-Request": "true"}


@pytest.fixture
def game() -> Game:
    """A game of four people in its third trick, where somebody must follow suit and could not play everything."""
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.tricks >= 2 and len(state.trick) == 1)
    return game


class Seat:
    """Somebody at a game, with the page before them."""

    def __init__(self, game: Game, *, awaited: bool) -> None:
        self.game = game
        for self.number, self.client in clients(game).items():
            self.page = page_of(self.client, f"/games/{game.code}/")
            if (self.page.state == "my-turn") == awaited:
                return
        raise AssertionError("nobody such")

    def post(self, headers: Any = None, **fields: Any) -> Any:
        form: dict[str, Any] = self.page.form() | fields
        data = {name: value for name, value in form.items() if value is not None}
        return self.client.post(f"/games/{self.game.code}/play/", data, headers=headers)

    @property
    def refused(self) -> str:
        """A card of the hand that may not be played."""
        found = next(each for each in self.page.all("button", css="no"))
        return found.attrs["id"].split("-")[1]


def sentence(response: Any) -> str:
    """The one sentence that an answer says, by which a reader knows what is wrong."""
    alerts = [each.text for each in Page(response.content.decode()).all(role="alert")]
    assert len(alerts) == 1, alerts
    assert alerts[0].endswith(".")
    return alerts[0]


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


def test_an_outsider_does_not_even_learn_that_there_is_a_game(game: Game) -> None:
    seat = Seat(game, awaited=True)
    outsider = client_of(person("Outsider"))
    for path in paths(game):
        response = outsider.get(path)
        assert response.status_code == 404, path
        assert "no such" in sentence(response)
    for method in ("play", "deal", "repeat"):
        kind, code = ("games", game.code) if method == "play" else ("tables", game.table.code)
        response = outsider.post(f"/{kind}/{code}/{method}/", seat.page.form(card=seat.page.playable[0]))
        assert response.status_code == 404
        unknown = outsider.post(f"/{kind}/{'b' * len(code)}/{method}/", seat.page.form(card="QH"))
        assert unknown.status_code == 404
        assert sentence(unknown) == sentence(response)


def paths(game: Game) -> list[str]:
    base = f"/games/{game.code}/"
    ends = ("", "board/", "board/?since=0.0", "replay/0/", "replay/1/", "record.json")
    return [*(base + end for end in ends), f"/tables/{game.table.code}/"]


@pytest.mark.parametrize(
    "code", ["bbbbbbbbbb", "BBBBBBBBBB", "%00", "b%00b", "..", "%2e%2e", "x" * 3000, "'", "%F0%9F%82%A1", "%FF", "<b>"]
)
def test_unknown_codes_are_not_found(game: Game, code: str) -> None:
    client = next(iter(clients(game).values()))
    for path in (f"/games/{code}/", f"/games/{code}/board/", f"/games/{code}/replay/0/", f"/tables/{code}/"):
        response = client.get(path)
        assert response.status_code in {404, 400}, path
        assert b"<p" in response.content
    assert client.post(f"/games/{code}/play/", {"card": "QH"}).status_code in {404, 400}


@pytest.mark.parametrize(
    "since",
    ["abc", "1", "1.", ".1", "1.2.3", "-1.0", "1" * 30 + ".0", "", "0x1.0", "1.0\0", "\N{FULLWIDTH DIGIT ONE}.0"],
)
def test_a_garbled_since_is_told_so(game: Game, since: str) -> None:
    client = next(iter(clients(game).values()))
    response = client.get(f"/games/{game.code}/board/", {"since": since})
    assert response.status_code == 400
    assert sentence(response)


def test_since_tells_news_from_none(game: Game) -> None:
    client = next(iter(clients(game).values()))
    path = f"/games/{game.code}/board/"
    now = f"{game.version}.{game.revision}"
    response = client.get(path, {"since": now}, headers=HX)
    assert (response.status_code, response.content) == (204, b"")
    for other in ("0.0", f"{game.version}.{game.revision + 1}", f"{game.version + 5}.0"):
        assert client.get(path, {"since": other}).status_code == 200
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("step", ["-1", "abc", "1.5", "9999", "9" * 40, "%00"])
def test_a_step_that_is_not_there_is_not_found(game: Game, step: str) -> None:
    client = next(iter(clients(game).values()))
    assert client.get(f"/games/{game.code}/replay/{step}/").status_code == 404
    assert client.get(f"/games/{game.code}/replay/{game.version + 1}/").status_code == 404


def test_a_running_game_has_no_record(game: Game) -> None:
    client = next(iter(clients(game).values()))
    response = client.get(f"/games/{game.code}/record.json")
    assert response.status_code == 404
    assert sentence(response) == "This game is not over yet: its record comes with the end."


def test_strangers_sign_in_first(game: Game) -> None:
    anonymous = Client()
    for path in (*paths(game), "/new/"):
        response = anonymous.get(path)
        assert response.status_code == 302, path
        assert response["Location"].startswith("/accounts/signin/?next=/")
    for path in (f"/games/{game.code}/play/", f"/tables/{game.table.code}/deal/", f"/tables/{game.table.code}/repeat/"):
        response = anonymous.post(path, {"card": "QH"})
        assert (response.status_code, response["Location"]) == (302, "/accounts/signin/?next=/")
    page = f"http://testserver/games/{game.code}/"
    for response in (
        anonymous.get(f"/games/{game.code}/board/?since=0.0", headers=HX | {"HX-Current-URL": page}),
        anonymous.post(f"/games/{game.code}/play/", headers=HX | {"HX-Current-URL": page}),
    ):
        assert response.status_code == 401
        assert response["HX-Redirect"] == f"/accounts/signin/?next=%2Fgames%2F{game.code}%2F"
    elsewhere = anonymous.get(f"/games/{game.code}/board/", headers=HX | {"HX-Current-URL": "https://evil.example/a"})
    assert elsewhere["HX-Redirect"] == "/accounts/signin/?next=%2Fa"


WRONG = [
    ("post", "/", "GET, HEAD"),
    ("post", "/help/", "GET, HEAD"),
    ("delete", "/new/", "GET, POST, HEAD"),
    ("post", "/games/{game}/", "GET, HEAD"),
    ("put", "/games/{game}/board/", "GET, HEAD"),
    ("get", "/games/{game}/play/", "POST"),
    ("head", "/games/{game}/play/", "POST"),
    ("post", "/games/{game}/replay/0/", "GET, HEAD"),
    ("post", "/games/{game}/record.json", "GET, HEAD"),
    ("post", "/tables/{table}/", "GET, HEAD"),
    ("get", "/tables/{table}/deal/", "POST"),
    ("get", "/tables/{table}/repeat/", "POST"),
    ("get", "/accounts/signout/", "POST"),
    ("delete", "/accounts/signin/", "GET, POST, HEAD"),
    ("patch", "/accounts/signup/", "GET, POST, HEAD"),
]


@pytest.mark.parametrize(("method", "path", "allowed"), WRONG, ids=str)
def test_wrong_methods_are_told_which_are_right(game: Game, method: str, path: str, allowed: str) -> None:
    for client in (Seat(game, awaited=True).client, Client()):
        before = everything()
        response = getattr(client, method)(path.format(game=game.code, table=game.table.code))
        assert (response.status_code, response["Allow"]) == (405, allowed)
        if method != "head":
            assert "does not answer" in sentence(response)
        assert everything() == before


def test_every_address_is_in_these_tests() -> None:
    """S11: an address that is added must be looked at here."""
    ours = {str(each.pattern) for each in get_resolver("games.urls").url_patterns}
    assert ours == {
        "",
        "help/",
        "new/",
        "games/<str:code>/",
        "games/<str:code>/board/",
        "games/<str:code>/play/",
        "games/<str:code>/replay/<int:step>/",
        "games/<str:code>/record.json",
        "tables/<str:code>/",
        "tables/<str:code>/deal/",
        "tables/<str:code>/repeat/",
    }


def test_looking_changes_nothing_and_is_kept_by_nobody(game: Game) -> None:
    """S6, S28."""
    client = next(iter(clients(game).values()))
    before = everything()
    for path in (*paths(game), "/", "/help/", "/new/", "/accounts/signup/"):
        answers = [client.get(path), client.get(path), client.head(path)]
        assert len({each.status_code for each in answers}) == 1
        for response in answers:
            assert {"private", "no-store"} <= set(response["Cache-Control"].split(", ")), path
            assert "Cookie" in response["Vary"]
    assert everything() == before


def test_forms_from_elsewhere_are_refused(game: Game) -> None:
    seat = Seat(game, awaited=True)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[settings.SESSION_COOKIE_NAME] = seat.client.cookies[settings.SESSION_COOKIE_NAME].value
    before = everything()
    for path in (
        f"/games/{game.code}/play/",
        f"/tables/{game.table.code}/deal/",
        "/new/",
        "/accounts/signout/",
        "/accounts/signin/",
        "/accounts/signup/",
    ):
        fields = {"card": seat.page.playable[0], "version": str(game.version), "key": "k" * 16}
        assert strict.post(path, fields).status_code == 403
    assert everything() == before
