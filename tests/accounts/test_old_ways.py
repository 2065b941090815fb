"""What let somebody in before something changed lets nobody in afterwards."""

import pytest
from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.accounts.doors import by_door, mailed_code, sign_in, signed_in
from tests.accounts.test_device import link
from tests.accounts.test_mine import AGAIN, CONFIRM, EMAIL, fresh
from tests.games.pages import page_of

pytestmark = pytest.mark.django_db

DEVICE = "/accounts/device/"


def moved(client: Client, user: User) -> None:
    """Somebody changes their address, say since others read the mails to the old one."""
    cache.clear()
    client.post(EMAIL, {"email": "new@example.org"})
    assert client.post(CONFIRM, {"code": mailed_code()}).status_code == 303
    user.refresh_from_db()
    assert user.email == "new@example.org"


def still_moved(user: User) -> None:
    user.refresh_from_db()
    assert user.email == "new@example.org"
    assert list(user.emailaddress_set.values_list("email", "verified")) == [("new@example.org", True)]


def test_a_code_that_went_to_an_old_address_signs_nobody_in(nani: User) -> None:
    client, thief = by_door(nani), Client()
    fresh(client, EMAIL)
    thief.post("/accounts/signin/", {"login": "nani@example.org"})
    code = mailed_code()
    moved(client, nani)
    assert thief.post("/accounts/code/", {"code": code}).status_code == 422
    assert signed_in(thief) is None
    still_moved(nani)


def test_nor_does_it_show_again_who_somebody_is(nani: User) -> None:
    client, thief = by_door(nani), sign_in(Client(), nani)
    fresh(client, EMAIL)
    cache.clear()
    form = {each.attrs["name"]: each.attrs["value"] for each in page_of(thief, AGAIN).all("input", type="hidden")}
    assert thief.post(AGAIN, form).status_code == 303
    code = mailed_code()
    moved(client, nani)
    assert thief.post(f"{AGAIN}confirm/", {"code": code}).status_code == 422
    assert thief.get(EMAIL).status_code == 303
    still_moved(nani)


def test_a_link_to_another_device_dies_when_all_are_signed_out(nani: User) -> None:
    client = by_door(nani)
    fresh(client, DEVICE)
    path = link(client)
    assert Client().get(path).status_code == 200
    client.post("/accounts/sessions/", {"everywhere": "1"})
    other = Client()
    assert [other.get(path).status_code, other.post(path).status_code] == [410, 410]
    assert signed_in(other) is None


@pytest.mark.parametrize("way", ["signout", "ended", "password"])
def test_it_dies_with_the_session_in_which_it_was_made(nani: User, way: str) -> None:
    client = by_door(nani)
    fresh(client, DEVICE)
    path = link(client)
    if way == "signout":
        client.post("/accounts/signout/")
    elif way == "ended":
        UserSession.objects.get(session_key=client.session.session_key).end()
    else:
        client.post("/accounts/password/", {"password": "seven red mangoes"})
    assert Client().post(path).status_code == 410


def test_whoever_makes_one_and_stays_signed_in_goes_on(nani: User) -> None:
    client, other = by_door(nani), Client()
    fresh(client, DEVICE)
    assert other.post(link(client)).status_code == 303
    assert signed_in(other) == str(nani.pk)
