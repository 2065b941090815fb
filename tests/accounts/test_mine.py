"""What people change about their own accounts: settings, address, password, sessions."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.bounces import BOUNCED, mail_came_back
from accounts.choices import NOTICES, wishes_of
from accounts.models import User
from accounts.services import guest_signed_in
from tests.accounts.doors import by_door, mailed_code, sign_in, signed_in
from tests.games.pages import Page, page_of

pytestmark = pytest.mark.django_db

PASSWORD = "phulkari-and-chai"
EMAIL, CONFIRM, AGAIN = "/accounts/email/", "/accounts/confirm/", "/accounts/again/code/"


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
    assert {name for name, on in boxes.items() if on} == {"push", "advance", "rating"}
    assert boxes.keys() == {"hide_online", "push", "faces", "forced", "advance", "still", "rating", "listed"}
    asked = {f"notice_{kind}" for kind in NOTICES} | {"hour", "quiet_from", "quiet_to", "zone", "language"}
    assert {each.attrs["name"] for each in page.all("select")} == asked
    form = {"zone": "Asia/Kolkata", "language": "en", "hide_online": "on", "notice_again": "never", "forced": "on"}
    response = client.post("/accounts/settings/", form | {"still": "on"})
    assert (response.status_code, response["Location"]) == (303, "/accounts/settings/?kept=1")
    nani.refresh_from_db()
    assert (nani.zone, nani.language, nani.hide_online) == ("Asia/Kolkata", "en", True)
    wishes = wishes_of(nani)
    assert {kind for kind in NOTICES if wishes.how(kind) != NOTICES[kind][2]} == {"again"}
    assert (wishes.forced, wishes.advance, wishes.push, wishes.still) == (True, False, False, True)
    assert "Your settings are kept." in client.get(response["Location"]).content.decode()


@pytest.mark.parametrize(
    "change",
    [
        {"zone": "Asia/Nowhere"},
        {"language": "tlh"},
        {"zone": "\0"},
        {"zone": "x" * 9000},
        {"hour": "25:00"},
        {"notice_again": "auto"},
        {"notice_your_turn": "often"},
        {"quiet_from": "22:00"},
        {"quiet_to": "07:00"},
    ],
)
def test_settings_that_there_are_not_are_refused(client: Client, nani: User, change: dict[str, str]) -> None:
    sign_in(client, nani)
    assert client.post("/accounts/settings/", change).status_code == 422
    nani.refresh_from_db()
    assert (nani.zone, nani.language, nani.notices) == ("", "", {})


def test_what_is_told_when_is_kept(client: Client, nani: User) -> None:
    nani.notices = {"hour": "18:30", "joined": "mail", "again": 7}
    nani.save()
    sign_in(client, nani)
    page = page_of(client, "/accounts/settings/")
    chosen = [each.attrs["value"] for each in page.all("option") if "selected" in each.attrs]
    assert {"18:30", "auto"} <= set(chosen)
    assert "never" not in chosen
    hours = {"hour": "", "quiet_from": "22:00", "quiet_to": "07:00", "notice_your_turn": "digest"}
    assert client.post("/accounts/settings/", hours | {"faces": "on"}).status_code == 303
    nani.refresh_from_db()
    wishes = wishes_of(nani)
    assert (wishes.hour, wishes.quiet, wishes.faces) == (None, (dt.time(22), dt.time(7)), True)
    # Who gets no digest hears nothing of what is for it.
    assert (wishes.chosen("your_turn"), wishes.how("your_turn"), wishes.how("joined")) == ("digest", "never", "now")


def test_guests_choose_what_their_browsers_tell(client: Client, guest: User) -> None:
    sign_in(client, guest)
    names = {each.attrs["name"] for each in page_of(client, "/accounts/settings/").all("select")}
    assert "notice_your_turn" in names
    assert "notice_invite" not in names


def test_the_browsers_zone_is_taken_once(client: Client, nani: User) -> None:
    assert client.post("/accounts/zone/", {"zone": "Asia/Kolkata"})["Location"].startswith("/accounts/signin/")
    sign_in(client, nani)
    assert "accounts/zone.js" in client.get("/help/").content.decode()
    for zone, kept in (("x", ""), ("Asia/Kolkata", "Asia/Kolkata"), ("Europe/London", "Asia/Kolkata")):
        assert client.post("/accounts/zone/", {"zone": zone}).status_code == 204
        nani.refresh_from_db()
        assert nani.zone == kept
    assert "accounts/zone.js" not in client.get("/help/").content.decode()


def test_an_address_is_changed_by_two_codes_and_the_old_one_hears_of_it(nani: User) -> None:
    client = by_door(nani)
    assert client.post(EMAIL, {"email": "new@example.org"})["Location"].startswith(AGAIN)
    assert fresh(client, EMAIL).status_code == 200
    response = client.post(EMAIL, {"email": "New@example.org"})
    assert (response.status_code, response["Location"]) == (303, CONFIRM)
    assert mail.outbox[-1].to == ["new@example.org"]
    nani.refresh_from_db()
    assert nani.email == "nani@example.org"
    mail_came_back(email="nani@example.org", why=BOUNCED, now=timezone.now())
    response = client.post(CONFIRM, {"code": mailed_code()})
    assert (response.status_code, response["Location"]) == (303, "/accounts/settings/?address=1")
    assert "<bdi>new@example.org</bdi> now" in client.get(response["Location"]).content.decode()
    nani.refresh_from_db()
    assert (nani.email, nani.mail_off) == ("new@example.org", "")
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
    assert client.post(path, {"password": f"{PASSWORD} 2"}).status_code == 303
    assert client.post(path, {"remove": "1"}).status_code == 303
    told = [each.subject for each in mail.outbox[-3:]]
    assert told == [
        "Your Getaway account has a password now",
        "Your Getaway password was changed",
        "Your Getaway password was removed",
    ]
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
