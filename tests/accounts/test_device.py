"""Going on as oneself on another device, by a link that works once."""

import datetime as dt

import pytest
import time_machine
from django.core import signing
from django.test import Client

from accounts.models import User
from tests.accounts.doors import sign_in, signed_in
from tests.games.pages import page_of
from tests.games.stored import everything, in_threads

pytestmark = pytest.mark.django_db


@pytest.fixture
def roza() -> User:
    return User.objects.create_guest("Roza")


def link(client: Client) -> str:
    response = client.post("/accounts/device/")
    assert response.status_code == 200
    html = response.content.decode()
    address = html.split('id="link" value="')[1].split('"')[0]
    assert address.startswith("http://testserver/d/")
    assert html.count("<svg") == 1
    assert "style=" not in html
    return address.removeprefix("http://testserver")


def test_a_link_is_shown_by_many_readings_and_used_once(client: Client, roza: User) -> None:
    path = link(sign_in(client, roza))
    before = everything()
    other = Client()
    for _ in range(3):
        assert "Go on as <bdi>Roza</bdi>" in other.get(path).content.decode()
        assert other.head(path).status_code == 200
    assert everything() == before
    response = other.post(path)
    assert (response.status_code, response["Location"], signed_in(other)) == (303, "/", str(roza.pk))
    assert signed_in(client) == str(roza.pk)
    third = Client()
    assert [third.get(path).status_code, third.post(path).status_code] == [410, 410]
    assert signed_in(third) is None


def test_a_link_dies_of_age_and_with_the_next_sign_in(client: Client, roza: User) -> None:
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        path = link(sign_in(client, roza))
        clock.shift(dt.timedelta(minutes=15, seconds=1))
        assert Client().post(path).status_code == 410
        path = link(client)
        sign_in(Client(), roza)
        assert Client().post(path).status_code == 410


def test_somebody_else_is_told_and_then_signed_out(roza: User) -> None:
    nani = User.objects.create_user("nani@example.org", name="Nani", verified=True)
    path = link(sign_in(Client(), roza))
    client = sign_in(Client(), nani)
    assert "Sign out and go on as" in client.get(path).content.decode()
    guest = sign_in(Client(), User.objects.create_guest("Guest"))
    assert "for good" in guest.get(path).content.decode()
    client.post(path)
    assert signed_in(client) == str(roza.pk)


def test_ones_own_link_says_so(client: Client, roza: User) -> None:
    path = link(sign_in(client, roza))
    assert "You are here already" in client.get(path).content.decode()
    assert page_of(client, path).all("form", id="go") == []


def test_who_has_an_address_shows_first_who_they_are(client: Client) -> None:
    sign_in(client, User.objects.create_user("nani@example.org", name="Nani", verified=True))
    assert client.post("/accounts/device/")["Location"].startswith("/accounts/again/code/")


def test_somebody_closed_goes_on_nowhere(client: Client, roza: User) -> None:
    path = link(sign_in(client, roza))
    User.objects.update(is_active=False)
    assert [Client().get(path).status_code, Client().post(path).status_code] == [410, 410]


@pytest.mark.parametrize("token", ["x", "1:2:3", "%00", "a" * 5000, ".", "%F0%9F"])
def test_nonsense_opens_nothing(client: Client, token: str) -> None:
    assert [client.get(f"/d/{token}/").status_code, client.post(f"/d/{token}/").status_code] == [410, 410]


def test_a_link_of_another_kind_opens_nothing(client: Client, roza: User) -> None:
    other = signing.TimestampSigner(salt="accounts.other").sign(f"{roza.pk}.0")
    assert client.post(f"/d/{other}/").status_code == 410
    right = link(sign_in(Client(), roza)).split("/")[2]
    assert client.get(f"/d/{right}/").status_code == 200
    for at in range(len(right) - 1):
        wrong = f"{right[:at]}{'y' if right[at] == 'x' else 'x'}{right[at + 1 :]}"
        assert client.post(f"/d/{wrong}/").status_code == 410, wrong


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_is_let_in(roza: User) -> None:
    path = link(sign_in(Client(), roza))
    statuses = in_threads(8, lambda _: Client().post(path).status_code)
    assert sorted(map(str, statuses)) == ["303"] + ["410"] * 7
