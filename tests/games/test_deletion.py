"""The way out: shown to be oneself again, after two weeks or at once, and kept after all."""

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.services.people import erase_asked
from tests.accounts.doors import mailed_code, sign_in
from tests.games.pages import Page, page_of
from tests.games.stored import NOW, everything, game_of, people

pytestmark = pytest.mark.django_db

DELETE = "/me/delete/"
LATER = {"when": "later"}
NOW_AT_ONCE = {"when": "now", "confirm": " Delete "}


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True)


@pytest.fixture
def client(nani: User) -> Client:
    return sign_in(Client(), nani)


def proved(client: Client, data: dict[str, str]) -> Client:
    """A client that was asked who it is when it posted, and has shown it: then what it posted is done."""
    asked = client.post(DELETE, data)
    assert asked.status_code in (302, 303)
    assert asked.headers["Location"].startswith("/accounts/again/")
    page = client.get(asked.headers["Location"], follow=True)
    path = page.redirect_chain[-1][0] if page.redirect_chain else asked.headers["Location"]
    form = Page(page.content.decode()).form()
    answer = client.post(path, form, follow=True)
    path = answer.redirect_chain[-1][0]
    form = Page(answer.content.decode()).form() | {"code": mailed_code()}
    done = client.post(path, form, follow=True)
    assert done.status_code == 200
    return client


def test_the_page_says_what_happens(client: Client) -> None:
    page = page_of(client, DELETE)
    assert "14 days" in page.one("form", id="delete").text
    assert not page.all(id="erasing")


def test_who_is_not_fresh_shows_who_they_are_first(client: Client, nani: User) -> None:
    before = everything()["User"]
    for data in (LATER, NOW_AT_ONCE):
        client.post(DELETE, data)
        assert everything()["User"] == before
    assert mail.outbox == []


def test_in_two_weeks(client: Client, nani: User) -> None:
    proved(client, LATER)
    nani.refresh_from_db()
    assert nani.erase_at is not None
    assert mail.outbox[-1].subject == "Your Getaway account will be deleted"
    for path in ("/", "/me/", DELETE, "/help/"):
        assert "will be deleted on" in page_of(client, path).one(id="erasing").text
    page = page_of(client, DELETE)
    assert page.one("form", id="keep").attrs["action"] == "/me/keep/"
    assert client.post("/me/keep/").status_code == 303
    assert User.objects.get(pk=nani.pk).erase_at is None
    assert not page_of(client, "/").all(id="erasing")


def test_at_once(client: Client, nani: User) -> None:
    game_of(persons=[nani, *people(2)])
    proved(client, NOW_AT_ONCE)
    assert not User.objects.filter(pk=nani.pk).exists()
    assert mail.outbox[-1].subject == "Your Getaway account is deleted"
    assert mail.outbox[-1].to == ["nani@example.org"]
    assert client.get("/me/").status_code == 302
    assert "Goodbye" in page_of(client, "/gone/").one("h1").text


@pytest.mark.parametrize("word", ["", "yes", "delete me", "x" * 5000])
def test_at_once_wants_the_word(client: Client, nani: User, word: str) -> None:
    proved(client, LATER)
    answer = client.post(DELETE, {"when": "now", "confirm": word})
    assert answer.status_code == 422
    assert Page(answer.content.decode()).one(id="id_confirm_error").text.endswith(".")
    assert User.objects.filter(pk=nani.pk, is_active=True).exists()


def test_a_guest_has_nothing_to_show() -> None:
    guest = User.objects.create_guest("Golu")
    client = sign_in(Client(), guest)
    assert client.post(DELETE, {"when": "now", "confirm": "no"}).status_code == 422
    answer = client.post(DELETE, NOW_AT_ONCE)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/gone/")
    assert not User.objects.filter(pk=guest.pk).exists()


def test_a_session_elsewhere_is_dead(client: Client, nani: User) -> None:
    other = sign_in(Client(), nani)
    proved(client, NOW_AT_ONCE)
    assert other.get("/me/").status_code == 302


def test_keeping_what_was_not_asked_for_does_no_harm(client: Client, nani: User) -> None:
    assert client.post("/me/keep/").status_code == 303
    erase_asked(user=nani, now=NOW)
    assert client.get("/me/keep/").status_code == 405
    nani.refresh_from_db()
    assert nani.erase_at is not None
