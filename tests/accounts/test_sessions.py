"""Sessions begin anew, are listed and ended, and die with their person (S25)."""

import datetime as dt

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.history import history_kept
from accounts.models import User
from accounts.services import unentered_swept
from tests.accounts.doors import by_door, mailed_code, sign_in, signed_in
from tests.games.pages import page_of

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def test_sessions_are_listed_and_ended(nani: User) -> None:
    here, there = by_door(nani), by_door(nani, FIREFOX)
    strange = by_door(User.objects.create_user("other@example.org", name="Other", verified=True))
    page = page_of(here, "/accounts/sessions/")
    rows = page.all("li", **{"data-session": page.one("button", name="end").attrs["value"]})
    assert [each.text.split(" since")[0] for each in rows] == ["Firefox on Android"]
    assert len(page.one("ul", id="sessions").pieces) > 2
    key = page.one("button", name="end").attrs["value"]
    assert strange.post("/accounts/sessions/", {"end": key}).status_code == 404
    assert here.post("/accounts/sessions/", {"end": key})["Location"] == "/accounts/sessions/"
    assert there.get("/accounts/settings/").status_code == 302
    assert here.get("/accounts/settings/").status_code == 200
    assert strange.get("/accounts/settings/").status_code == 200


def test_signing_out_everywhere(nani: User) -> None:
    clients = [by_door(nani) for _ in range(3)]
    response = clients[0].post("/accounts/sessions/", {"everywhere": "1"})
    assert (response.status_code, response["Location"]) == (303, "/accounts/signin/?out=1")
    assert response["Clear-Site-Data"] == '"cookies", "storage"'
    assert {each.get("/accounts/settings/").status_code for each in clients} == {302}
    assert not UserSession.objects.exists()


@pytest.mark.parametrize("end", ["", "x", "-1", "1" * 40, "\u0661", "0"])
def test_a_session_that_there_is_not(nani: User, end: str) -> None:
    client = by_door(nani)
    assert client.post("/accounts/sessions/", {"end": end}).status_code == 404
    assert signed_in(client)


def test_ending_this_session_signs_out(nani: User) -> None:
    client = by_door(nani)
    key = UserSession.objects.get().pk
    assert client.post("/accounts/sessions/", {"end": str(key)})["Location"] == "/accounts/signin/?out=1"


def test_a_guest_is_asked_before_signing_out_for_good(client: Client, guest: User) -> None:
    sign_in(client, guest)
    asked = client.post("/accounts/signout/")
    assert (asked.status_code, "for good" in asked.content.decode()) == (409, True)
    assert signed_in(client)
    assert client.post("/accounts/sessions/", {"everywhere": "1"})["Location"] == "/accounts/sessions/"
    assert signed_in(client)
    assert client.post("/accounts/signout/", {"sure": "1"}).status_code == 303
    assert signed_in(client) is None


def test_accounts_that_nobody_entered_are_swept_after_a_day() -> None:
    now = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    for name, hours in (("old", 25), ("young", 23), ("kept", 25), ("staff", 25), ("guest", 25)):
        email = f"{name}@example.org"
        user = User.objects.create_guest(name) if name == "guest" else User.objects.create_user(email, name=name)
        user.date_joined = now - dt.timedelta(hours=hours)
        user.is_staff = name == "staff"
        user.save()
    User.objects.filter(name="kept").get().emailaddress_set.update(verified=True)
    history_kept(User.objects.get(name="old"))
    assert unentered_swept(now=now) == 1
    # Nor does what the desk has kept of them outlive them.
    assert not User.history.exists()
    assert set(User.objects.values_list("name", flat=True)) == {"young", "kept", "staff", "guest"}


def test_pages_tell_the_readers_time(nani: User) -> None:
    with time_machine.travel(dt.datetime(2026, 1, 31, 20, 30, tzinfo=dt.UTC), tick=False):
        client = by_door(nani)
        assert "31 January 2026, 20:30" in client.get("/accounts/sessions/").content.decode()
        User.objects.update(zone="Asia/Kolkata")
        assert "1 February 2026, 02:00" in client.get("/accounts/sessions/").content.decode()
        User.objects.update(zone="Nowhere/Land")
        assert "31 January 2026, 20:30" in client.get("/accounts/sessions/").content.decode()


def test_signing_out_is_a_post_that_clears_the_browser(client: Client, nani: User) -> None:
    sign_in(client, nani)
    assert client.get("/accounts/signout/").status_code == 405
    assert signed_in(client)
    response = client.post("/accounts/signout/")
    assert (response.status_code, response["Location"]) == (303, "/accounts/signin/?out=1")
    assert response["Clear-Site-Data"] == '"cookies", "storage"'
    assert signed_in(client) is None
    assert "You are signed out." in client.get(response["Location"]).content.decode()
    assert client.post("/accounts/signout/", {"next": "//evil.example"})["Location"] == "/accounts/signin/?out=1"


def test_signing_in_rotates_the_session_and_keeps_what_was_in_it(client: Client, nani: User) -> None:
    client.get("/accounts/signin/")
    session = client.session
    session["before"] = True
    session.save()
    key = session.session_key
    csrf = client.cookies["csrftoken"].value
    client.post("/accounts/signin/", {"login": nani.email})
    client.post("/accounts/code/", {"code": mailed_code()})
    assert signed_in(client) == str(nani.pk)
    assert client.session.session_key != key
    assert client.session["before"]
    assert client.cookies["csrftoken"].value != csrf


def test_somebody_closed_while_signed_in_is_out_at_once(client: Client, nani: User) -> None:
    sign_in(client, nani)
    assert client.get("/accounts/settings/").status_code == 200
    User.objects.update(is_active=False)
    assert client.get("/accounts/settings/")["Location"].startswith("/accounts/signin/")
    client.post("/accounts/signin/", {"login": nani.email})
    assert client.post("/accounts/code/", {"code": "1234-5678"}).status_code == 422


def test_closing_between_the_code_and_its_entry(client: Client, nani: User) -> None:
    client.post("/accounts/signin/", {"login": nani.email})
    User.objects.update(is_active=False)
    assert client.post("/accounts/code/", {"code": mailed_code()})["Location"] == "/accounts/inactive/"
    assert client.get("/accounts/inactive/").status_code == 403
    assert signed_in(client) is None
