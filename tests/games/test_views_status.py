"""Every address answers with the right status and one clear sentence, whatever is asked of it by whom."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, resolve

from games.models import Game
from tests.games.pages import Page, client_of, clients
from tests.games.seats import HX, Seat, sentence, third_trick
from tests.games.stored import everything, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return third_trick()


def test_an_outsider_does_not_even_learn_that_there_is_a_game(game: Game) -> None:
    seat = Seat(game, awaited=True)
    outsider = client_of(person("Outsider"))
    for path in paths(game):
        response = outsider.get(path)
        assert response.status_code == 404, path
        assert "no such" in sentence(response)
    for method in ("play", "lie", "deal", "repeat", *sorted(ACTS)):
        kind, code = ("games", game.code) if method in {"play", "lie", *ACTS} else ("tables", game.table.code)
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


ACTS = {"seen", "back", "wait", "object", "pause", "vote", "extend"}

WRONG = [
    ("post", "/", "GET, HEAD"),
    ("post", "/help/", "GET, HEAD"),
    ("post", "/list/", "GET, HEAD"),
    ("delete", "/new/", "GET, POST, HEAD"),
    ("post", "/games/{game}/", "GET, HEAD"),
    ("put", "/games/{game}/board/", "GET, HEAD"),
    ("get", "/games/{game}/play/", "POST"),
    ("head", "/games/{game}/play/", "POST"),
    ("get", "/games/{game}/lie/", "POST"),
    *(("get", f"/games/{{game}}/{act}/", "POST") for act in sorted(ACTS)),
    ("post", "/games/{game}/replay/0/", "GET, HEAD"),
    ("post", "/games/{game}/record.json", "GET, HEAD"),
    ("post", "/tables/{table}/", "GET, HEAD"),
    ("get", "/tables/{table}/deal/", "POST"),
    ("get", "/tables/{table}/repeat/", "POST"),
    ("post", "/lobby/", "GET, HEAD"),
    *(("get", f"/tables/{{table}}/{act}/", "POST") for act in ("again", "join", "leave", "decline", "start")),
    *(("get", f"/tables/{{table}}/{act}/", "POST") for act in ("rename", "host", "remove", "close")),
    ("put", "/tables/{table}/invites/", "GET, POST, HEAD"),
    ("get", "/tables/{table}/invites/act/", "POST"),
    ("put", "/i/unknown/", "GET, POST, HEAD"),
    ("get", "/i/unknown/watch/", "POST"),
    ("get", "/i/unknown/decline/", "POST"),
    ("put", "/nomail/unknown/", "GET, POST, HEAD"),
    ("post", "/people/bbbbbbbbbb/", "GET, HEAD"),
    ("get", "/people/bbbbbbbbbb/block/", "POST"),
    ("get", "/people/bbbbbbbbbb/report/", "POST"),
    ("post", "/people/bbbbbbbbbb/ratings/", "GET, HEAD"),
    ("post", "/leaderboards/", "GET, HEAD"),
    ("post", "/me/reports/", "GET, HEAD"),
    ("get", "/tables/{table}/report/", "POST"),
    ("post", "/me/", "GET, HEAD"),
    ("get", "/me/name/", "POST"),
    ("get", "/me/export/", "POST"),
    ("put", "/me/delete/", "GET, POST, HEAD"),
    ("get", "/me/keep/", "POST"),
    ("put", "/me/push/", "GET, POST, HEAD"),
    ("get", "/me/push/remove/", "POST"),
    ("put", "/me/away/", "GET, POST, HEAD"),
    ("get", "/me/away/1/end/", "POST"),
    ("put", "/stop/unknown/", "GET, POST, HEAD"),
    ("get", "/hooks/mail/postmark/", "POST, HEAD"),
    ("post", "/manifest.webmanifest", "GET, HEAD"),
    ("post", "/sw.js", "GET, HEAD"),
    ("post", "/gone/", "GET, HEAD"),
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


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/games/{game}/play/", "/games/{game}/"),
        ("/tables/{table}/join/", "/tables/{table}/"),
        ("/me/export/", "/me/"),
        ("/accounts/zone/", "/"),
        ("/accounts/signout/", "/"),
    ],
)
def test_a_phone_that_opens_what_it_sent_last_is_led_to_the_page(game: Game, path: str, page: str) -> None:
    codes = {"game": game.code, "table": game.table.code}
    client = Seat(game, awaited=True).client
    shown = Page(client.get(path.format(**codes)).content.decode())
    assert shown.one("a", css="button").attrs["href"] == page.format(**codes)


def test_every_address_is_in_these_tests() -> None:
    """S11: an address that is added must be looked at here."""
    ours = {str(each.pattern) for each in get_resolver("games.urls").url_patterns}
    looked_at = {resolve(path.format(game="b" * 10, table="b" * 8)).route for _, path, _ in WRONG}
    assert ours - looked_at == set()


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
