"""When no mail goes out, or Redis is down: a sentence and no fault, and no address in the log."""

import smtplib
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.core.mail.backends import locmem
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.accounts.doors import by_door, sign_in
from tests.accounts.test_mine import fresh
from tests.games.invitees import host, path_of, shared, waiting
from tests.games.seats import sentence

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

SENTENCE = "We could not send you a mail: wait a few minutes and try again."
type Down = Callable[[], None]


class Gone(locmem.EmailBackend):
    def send_messages(self, messages: Sequence[Any]) -> int:
        raise smtplib.SMTPConnectError(421, b"closed")


class Refusing(locmem.EmailBackend):
    def send_messages(self, messages: Sequence[Any]) -> int:
        raise smtplib.SMTPRecipientsRefused({messages[0].to[0]: (550, b"nobody of that name")})


class Odd(locmem.EmailBackend):
    """A provider whose errors are none of Python's own for input and output."""

    def send_messages(self, messages: Sequence[Any]) -> int:
        raise RuntimeError(messages[0].to[0])


@pytest.fixture(params=["Gone", "Refusing", "Odd"])
def down(request: pytest.FixtureRequest, settings: Any) -> Down:
    def act() -> None:
        one = {"BACKEND": f"{__name__}.{request.param}", "OPTIONS": {}}
        settings.MAILERS = dict.fromkeys(("default", "security", "notices"), one)

    return act


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True)


def test_every_door_says_so_and_says_the_same_of_everybody(
    nani: User, down: Down, caplog: pytest.LogCaptureFixture
) -> None:
    table = waiting(host(), now=timezone.now())
    path = path_of(shared(table, now=timezone.now()))
    down()
    for email in (nani.email, "new@example.org", "other@example.org"):
        doors = (
            ("/accounts/signin/", {"login": email}),
            ("/accounts/signup/", {"email": email, "name": "Somebody"}),
            (path, {"email": email, "name": "Somebody", "way": "email"}),
        )
        for door, form in doors:
            answer = Client().post(door, form)
            assert (answer.status_code, sentence(answer), answer["Retry-After"]) == (503, SENTENCE, "300"), door
    assert "mail failed" in caplog.text
    assert "@" not in caplog.text


def test_so_do_the_pages_for_people(nani: User, down: Down) -> None:
    guest = sign_in(Client(), User.objects.create_guest("Roza"))
    client = sign_in(Client(), nani)
    down()
    assert guest.post("/accounts/email/", {"email": "new@example.org"}).status_code == 503
    assert client.get("/accounts/again/code/").status_code == 200


def test_what_people_change_is_changed_though_they_are_not_told(
    nani: User, down: Down, caplog: pytest.LogCaptureFixture
) -> None:
    client = by_door(nani)
    fresh(client, "/accounts/password/")
    down()
    assert client.post("/accounts/password/", {"password": "seven red mangoes"}).status_code == 303
    nani.refresh_from_db()
    assert nani.has_usable_password()
    assert client.post("/me/delete/", {"when": "later"}).status_code == 303
    nani.refresh_from_db()
    assert nani.erase_at is not None
    assert client.post("/me/delete/", {"when": "now", "confirm": "delete"}).status_code == 303
    assert not User.objects.filter(pk=nani.pk).exists()
    assert "@" not in caplog.text


def test_without_redis_nobody_is_let_in_uncounted(nani: User, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    client = sign_in(Client(), nani)
    where = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    settings.CACHES = {"default": where}
    for form in ({"login": nani.email}, {"login": nani.email, "password": "x"}):
        answer = Client().post("/accounts/signin/", form)
        assert (answer.status_code, answer["Retry-After"]) == (503, "300")
        assert sentence(answer) == "This does not work just now: wait a few minutes and try again."
    assert client.get("/").status_code == 200
    assert "cache failed" in caplog.text
    assert "@" not in caplog.text
