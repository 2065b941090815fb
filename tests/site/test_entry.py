import datetime as dt

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.entry import entry_token, entry_user
from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user(email="somebody@example.org")


def go(client: Client, token: str, **kwargs: str) -> HttpResponse:
    kwargs = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost"} | kwargs
    return client.get(f"/dev/enter/{token}/", **kwargs)  # type: ignore[arg-type, return-value]  # extra is META's


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_signs_in_and_goes_home(client: Client, person: User) -> None:
    response = go(client, entry_token(person))
    assert (response.status_code, response["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(person.pk)


def test_works_once_even_within_a_second(person: User) -> None:
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        go(Client(), entry_token(person))
        clock.shift(dt.timedelta(milliseconds=10))
        person.refresh_from_db()
        token = entry_token(person)
        clock.shift(dt.timedelta(milliseconds=10))
        first, second = Client(), Client()
        assert go(first, token).status_code == 302
        refused = go(second, token)
        assert refused.status_code == 410
        assert b"has been used" in refused.content
        assert signed_in(first)
        assert not signed_in(second)


def test_dies_when_its_person_signs_in_otherwise(client: Client, person: User) -> None:
    token = entry_token(person)
    Client().force_login(person)
    assert go(client, token).status_code == 410


def test_dies_of_age(client: Client, person: User) -> None:
    with time_machine.travel(timezone.now() - dt.timedelta(days=4)):
        token = entry_token(person)
    assert go(client, token).status_code == 410


@pytest.mark.parametrize("token", ["x", "1.x", "1", ".", "0.a-b", "99999999999999999999.a-b", "²-1", "1.a-b-c", "%00"])
def test_made_up_tokens_are_refused(client: Client, person: User, token: str) -> None:
    assert go(client, token).status_code == 410
    assert not signed_in(client)


def test_nobody_else_may_use_it(client: Client, person: User) -> None:
    person.is_active = False
    person.save()
    assert go(client, entry_token(person)).status_code == 410


@pytest.mark.parametrize(
    "differs",
    [
        {"REMOTE_ADDR": "192.0.2.1"},
        {"REMOTE_ADDR": ""},
        {"HTTP_HOST": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=192.0.2.1"},
        {"HTTP_X_FORWARDED_FOR": "192.0.2.1"},
        {"HTTP_X_FORWARDED_HOST": "localhost"},
        {"HTTP_X_REAL_IP": "192.0.2.1"},
        {"HTTP_VIA": "1.1 proxy.example"},
    ],
)
def test_only_from_this_computer(client: Client, person: User, differs: dict[str, str]) -> None:
    token = entry_token(person)
    assert go(client, token, **differs).status_code == 404
    assert not signed_in(client)
    assert entry_user(token) == person


@pytest.mark.parametrize("method", ["head", "post", "put"])
def test_only_a_get_signs_in(client: Client, person: User, method: str) -> None:
    token = entry_token(person)
    refused = getattr(client, method)(f"/dev/enter/{token}/", headers={"host": "localhost"})
    assert (refused.status_code, refused["Allow"]) == (405, "GET")
    assert (b"does not answer" in refused.content) == (method != "head")
    assert entry_user(token) == person
