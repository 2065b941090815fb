"""What people change about their own accounts: settings, address, password, sessions."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client

from accounts.choices import NOTICES, notice_channel
from accounts.models import User
from accounts.services import guest_signed_in, unentered_swept
from tests.accounts.doors import mailed_code, sign_in, signed_in
from tests.games.pages import Page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

PASSWORD = "phulkari-and-chai"
EMAIL, CONFIRM, AGAIN = "/accounts/email/", "/accounts/confirm/", "/accounts/again/code/"


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True)


@pytest.fixture
def guest() -> User:
    return User.objects.create_guest("Roza")


def by_door(user: User, agent: str = "") -> Client:
    """A client that came in by a code, as people do."""
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/signin/", {"login": user.email})
    client.post("/accounts/code/", {"code": mailed_code()})
    assert signed_in(client) == str(user.pk)
    return client


def fresh(client: Client, path: str) -> Any:
    """The page, after showing again who one is, by a code."""
    response = client.get(path)
    assert (response.status_code, response["Location"].split("?")[0]) == (303, AGAIN)
    page = page_of(client, response["Location"])
    assert page.one("form", id="again").attrs["method"] == "post"
    values = {each.attrs["name"]: each.attrs["value"] for each in page.all("input", type="hidden")}
    response = client.post(response["Location"], values)
    assert (response.status_code, response["Location"].split("?")[0]) == (303, f"{AGAIN}confirm/")
    response = client.post(response["Location"], {"code": mailed_code()})
    assert (response.status_code, response["Location"]) == (303, path)
    return client.get(path)


def test_settings_are_kept(client: Client, nani: User) -> None:
    sign_in(client, nani)
    page = page_of(client, "/accounts/settings/")
    boxes = {each.attrs["name"]: "checked" in each.attrs for each in page.all("input", type="checkbox")}
    assert boxes == {"hide_online": False} | {f"notice_{kind}": NOTICES[kind][2] == "mail" for kind in NOTICES}
    form = {"zone": "Asia/Kolkata", "language": "en", "hide_online": "on", "notice_again": "on"}
    response = client.post("/accounts/settings/", form)
    assert (response.status_code, response["Location"]) == (303, "/accounts/settings/?kept=1")
    nani.refresh_from_db()
    assert (nani.zone, nani.language, nani.hide_online) == ("Asia/Kolkata", "en", True)
    assert {kind for kind in NOTICES if notice_channel(nani, kind) == "mail"} == {"again"}
    assert "Your settings are kept." in client.get(response["Location"]).content.decode()


@pytest.mark.parametrize(
    "change", [{"zone": "Asia/Nowhere"}, {"language": "tlh"}, {"zone": "\0"}, {"zone": "x" * 9000}]
)
def test_settings_that_there_are_not_are_refused(client: Client, nani: User, change: dict[str, str]) -> None:
    sign_in(client, nani)
    assert client.post("/accounts/settings/", change).status_code == 422
    nani.refresh_from_db()
    assert (nani.zone, nani.language) == ("", "")


def test_the_browsers_zone_is_taken_once(client: Client, nani: User) -> None:
    assert client.post("/accounts/zone/", {"zone": "Asia/Kolkata"})["Location"].startswith("/accounts/signin/")
    sign_in(client, nani)
    assert "accounts/zone.js" in client.get("/help/").content.decode()
    for zone, kept in (("x", ""), ("Asia/Kolkata", "Asia/Kolkata"), ("Europe/London", "Asia/Kolkata")):
        assert client.post("/accounts/zone/", {"zone": zone}).status_code == 204
        nani.refresh_from_db()
        assert nani.zone == kept
    assert "accounts/zone.js" not in client.get("/help/").content.decode()


def test_pages_tell_the_readers_time(nani: User) -> None:
    with time_machine.travel(dt.datetime(2026, 1, 31, 20, 30, tzinfo=dt.UTC), tick=False):
        client = by_door(nani)
        assert "31 January 2026, 20:30" in client.get("/accounts/sessions/").content.decode()
        User.objects.update(zone="Asia/Kolkata")
        assert "1 February 2026, 02:00" in client.get("/accounts/sessions/").content.decode()
        User.objects.update(zone="Nowhere/Land")
        assert "31 January 2026, 20:30" in client.get("/accounts/sessions/").content.decode()


def test_an_address_is_changed_by_two_codes_and_the_old_one_hears_of_it(nani: User) -> None:
    client = by_door(nani)
    assert client.post(EMAIL, {"email": "new@example.org"})["Location"].startswith(AGAIN)
    assert fresh(client, EMAIL).status_code == 200
    response = client.post(EMAIL, {"email": "New@example.org"})
    assert (response.status_code, response["Location"]) == (303, CONFIRM)
    assert mail.outbox[-1].to == ["new@example.org"]
    nani.refresh_from_db()
    assert nani.email == "nani@example.org"
    response = client.post(CONFIRM, {"code": mailed_code()})
    assert (response.status_code, response["Location"]) == (303, "/accounts/settings/")
    nani.refresh_from_db()
    assert nani.email == "new@example.org"
    assert [(each.email, each.verified, each.primary) for each in nani.emailaddress_set.all()] == [
        ("new@example.org", True, True)
    ]
    assert (mail.outbox[-1].to, "new@example.org" in str(mail.outbox[-1].body)) == (["nani@example.org"], True)


def test_freshness_ends_after_minutes(nani: User) -> None:
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        client = by_door(nani)
        fresh(client, EMAIL)
        clock.shift(dt.timedelta(minutes=5, seconds=1))
        response = client.post(EMAIL, {"email": "new@example.org"})
        assert response["Location"].startswith(AGAIN)
        assert "new@example.org" not in str(dict(client.session.items()))


def test_a_guest_adds_an_address_and_stays_who_they_are(client: Client, guest: User) -> None:
    sign_in(client, guest)
    assert client.post(EMAIL, {"email": "roza@example.org"})["Location"] == CONFIRM
    client.post(CONFIRM, {"code": mailed_code()})
    claimed = User.objects.get()
    assert (claimed.pk, claimed.email, claimed.name, claimed.guest) == (guest.pk, "roza@example.org", "Roza", False)
    assert len(mail.outbox) == 1
    assert signed_in(by_door(claimed)) == str(guest.pk)


def test_an_address_that_somebody_has_is_told_with_the_right_code_only(client: Client, guest: User, nani: User) -> None:
    sign_in(client, guest)
    assert client.post(EMAIL, {"email": "nani@example.org"})["Location"] == CONFIRM
    wrong = client.post(CONFIRM, {"code": "0000-0001"})
    assert "There is an account" not in wrong.content.decode()
    right = client.post(CONFIRM, {"code": mailed_code()})
    assert (right.status_code, "There is an account" in right.content.decode()) == (422, True)
    guest.refresh_from_db()
    assert guest.email is None


def test_an_account_that_nobody_entered_makes_way_for_a_guests_address(client: Client, guest: User) -> None:
    Client().post("/accounts/signup/", {"name": "Mallory", "email": "roza@example.org"})
    sign_in(client, guest)
    client.post(EMAIL, {"email": "roza@example.org"})
    assert client.post(CONFIRM, {"code": mailed_code()}).status_code == 303
    assert list(User.objects.values_list("pk", "email")) == [(guest.pk, "roza@example.org")]


def test_of_two_guests_with_one_address_the_first_has_it(guest: User) -> None:
    other = User.objects.create_guest("Other")
    first, second = sign_in(Client(), guest), sign_in(Client(), other)
    codes = []
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        for client in (first, second):
            client.post(EMAIL, {"email": "roza@example.org"})
            codes.append(mailed_code())
            clock.shift(dt.timedelta(seconds=11))
        assert first.post(CONFIRM, {"code": codes[0]}).status_code == 303
        assert second.post(CONFIRM, {"code": codes[1]}).status_code == 422
    other.refresh_from_db()
    assert other.guest


def test_three_wrong_codes_lead_back_to_the_address(client: Client, guest: User) -> None:
    sign_in(client, guest)
    client.post(EMAIL, {"email": "roza@example.org"})
    answers = [client.post(CONFIRM, {"code": "0000-0001"}) for _ in range(3)]
    assert [each.status_code for each in answers] == [422, 422, 303]
    assert answers[2]["Location"] == EMAIL
    assert "Too many tries" in client.get(EMAIL).content.decode()


def test_ones_own_address_is_no_new_one(nani: User) -> None:
    client = by_door(nani)
    fresh(client, EMAIL)
    response = client.post(EMAIL, {"email": "NANI@example.org"})
    assert (response.status_code, "That is your address already." in response.content.decode()) == (422, True)


def test_a_password_is_set_changed_and_taken_away(nani: User) -> None:
    client, elsewhere = by_door(nani), by_door(nani)
    path = "/accounts/password/"
    assert client.post(path, {"password": PASSWORD})["Location"].startswith(AGAIN)
    fresh(client, path)
    assert client.post(path, {"password": PASSWORD}).status_code == 303
    assert mail.outbox[-1].to == ["nani@example.org"]
    assert signed_in(client)
    assert client.get("/accounts/settings/").status_code == 200
    assert elsewhere.get("/accounts/settings/").status_code == 302
    assert Client().post("/accounts/signin/", {"login": nani.email, "password": PASSWORD})["Location"] == "/"
    assert client.post(path, {"remove": "1"}).status_code == 303
    nani.refresh_from_db()
    assert not nani.has_usable_password()
    assert Client().post("/accounts/signin/", {"login": nani.email, "password": PASSWORD}).status_code == 422


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("", "Choose a password of 8 to 128 characters."),
        ("short", "Choose a password of 8 to 128 characters."),
        ("123456", "Choose a password of 8 to 128 characters."),
        ("p" * 129, "Choose a password of 8 to 128 characters."),
        ("Nani\0Nani\0", "Choose a password of 8 to 128 characters."),
        ("password", "This password is too common: choose one that nobody guesses."),
        ("nani@example.org", "This password is too similar to your name or address: choose another."),
    ],
)
def test_an_easy_password_is_refused(nani: User, password: str, says: str) -> None:
    client = by_door(nani)
    fresh(client, "/accounts/password/")
    response = client.post("/accounts/password/", {"password": password})
    assert response.status_code == 422
    assert Page(response.content.decode()).one("ul", css="errorlist").text == says


def test_who_has_a_password_shows_it_or_goes_another_way(nani: User) -> None:
    nani.set_password(PASSWORD)
    nani.save()
    client = sign_in(Client(), nani)
    response = client.get(EMAIL)
    assert response["Location"].startswith("/accounts/again/?")
    page = page_of(client, response["Location"])
    assert {each.attrs["href"].split("?")[0] for each in page.all("a") if "again" in each.attrs["href"]} == {AGAIN}
    assert client.post(response["Location"], {"password": "wrong", "next": EMAIL}).status_code == 422
    assert client.post(response["Location"], {"password": PASSWORD, "next": EMAIL})["Location"] == EMAIL
    assert client.get(EMAIL).status_code == 200


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


@pytest.mark.parametrize("path", ["/accounts/password/", "/accounts/passkeys/", "/accounts/passkeys/add/"])
def test_a_guest_needs_an_address_first(client: Client, guest: User, path: str) -> None:
    sign_in(client, guest)
    response = client.get(path)
    assert (response.status_code, "First an email address" in response.content.decode()) == (403, True)


def test_a_guest_is_signed_in_and_listed(rf: Any) -> None:
    from allauth.core.context import request_context
    from django.contrib.sessions.backends.db import SessionStore

    request = rf.post("/")
    request.session = SessionStore()
    with request_context(request):
        request.user = None
        response = guest_signed_in(request, "Roza", "Asia/Kolkata", "/help/")
    assert (response.status_code, response["Location"]) == (302, "/help/")
    user = User.objects.get()
    assert (user.guest, user.name, user.zone, request.user) == (True, "Roza", "Asia/Kolkata", user)
    assert UserSession.objects.get().user == user


def test_accounts_that_nobody_entered_are_swept_after_a_day() -> None:
    now = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    for name, hours in (("old", 25), ("young", 23), ("kept", 25), ("staff", 25), ("guest", 25)):
        email = f"{name}@example.org"
        user = User.objects.create_guest(name) if name == "guest" else User.objects.create_user(email, name=name)
        user.date_joined = now - dt.timedelta(hours=hours)
        user.is_staff = name == "staff"
        user.save()
    User.objects.filter(name="kept").get().emailaddress_set.update(verified=True)
    assert unentered_swept(now=now) == 1
    assert set(User.objects.values_list("name", flat=True)) == {"young", "kept", "staff", "guest"}
