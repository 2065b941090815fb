"""Signing up, in and out by mailed codes, with the test client alone: nothing here needs JavaScript."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from tests.accounts.doors import mailed_code, sign_in, signed_in
from tests.games.pages import Page, page_of

pytestmark = pytest.mark.django_db

ADDRESS = "Write your email address, like name@example.org."
HIDDEN = "It holds a sign that cannot be seen: type it anew, in plain letters."
NEW = {"name": "Nani", "email": "nani@example.org"}
CODE = "/accounts/code/"


def ask(client: Client, **changes: str) -> Any:
    return client.post("/accounts/signin/", {"login": "nani@example.org"} | changes)


def give(client: Client, code: str, **changes: str) -> Any:
    return client.post(CODE, {"code": code} | changes)


def says(response: HttpResponse) -> set[str]:
    page = Page(response.content.decode())
    return {each.text for each in [*page.all("ul", css="errorlist"), *page.all("p", css="alert")]}


def test_a_new_person_is_in_by_name_address_and_code(client: Client) -> None:
    response = client.post("/accounts/signup/", NEW | {"email": "Nani@Example.org", "zone": "Asia/Kolkata"})
    assert (response.status_code, response["Location"]) == (303, CODE)
    assert [(each.to, vars(each)["sent_using"]) for each in mail.outbox] == [(["nani@example.org"], "security")]
    assert signed_in(client) is None
    page = page_of(client, CODE)
    assert "nani@example.org" in page.html
    assert page.one("input", name="code").attrs["autocomplete"] == "one-time-code"
    response = give(client, mailed_code())
    assert (response.status_code, response["Location"]) == (303, "/")
    user = User.objects.get()
    assert (user.email, user.name, user.zone, signed_in(client)) == (
        "nani@example.org",
        "Nani",
        "Asia/Kolkata",
        str(user.pk),
    )
    assert not user.has_usable_password()
    assert [(each.email, each.verified, each.primary) for each in user.emailaddress_set.all()] == [
        ("nani@example.org", True, True)
    ]
    assert len(mail.outbox) == 1
    assert "Nani" in client.get("/").content.decode()


@pytest.mark.parametrize("typed", ["nani@example.org", "NANI@example.ORG", " nani@example.org "])
def test_a_known_person_is_in_by_code(client: Client, nani: User, typed: str) -> None:
    response = ask(client, login=typed)
    assert (response.status_code, response["Location"]) == (303, CODE)
    response = give(client, mailed_code().replace("-", " "))
    assert (response.status_code, signed_in(client)) == (303, str(nani.pk))


def test_one_code_is_enough_for_somebody_of_before(client: Client) -> None:
    old = User.objects.create_user("old@example.org", "phulkari-and-chai", name="Old")
    ask(client, login="old@example.org")
    assert give(client, mailed_code())["Location"] == "/"
    assert (signed_in(client), len(mail.outbox)) == (str(old.pk), 1)
    assert old.emailaddress_set.get().verified


def test_signing_up_with_a_known_address_signs_in_by_its_code_and_renames_nobody(client: Client, nani: User) -> None:
    sign_in(Client(), nani)
    response = client.post("/accounts/signup/", NEW | {"name": "Mallory"})
    assert response["Location"] == CODE
    give(client, mailed_code())
    nani.refresh_from_db()
    assert (signed_in(client), nani.name, User.objects.count()) == (str(nani.pk), "Nani", 1)


def test_an_account_that_nobody_entered_takes_its_newest_name(client: Client) -> None:
    client.post("/accounts/signup/", NEW | {"name": "Mallory"})
    other = Client()
    other.post("/accounts/signup/", NEW)
    give(other, mailed_code())
    assert User.objects.get().name == "Nani"
    assert signed_in(other)
    assert signed_in(client) is None


def test_an_unknown_address_gets_a_mail_that_says_so(client: Client) -> None:
    response = ask(client, login="nobody@example.org")
    assert (response.status_code, response["Location"]) == (303, CODE)
    assert mail.outbox[0].to == ["nobody@example.org"]
    assert "http://testserver/accounts/signup/" in str(mail.outbox[0].body)
    assert give(client, "1234-5678").status_code == 422
    assert not User.objects.exists()


def test_an_account_that_is_closed_looks_like_none(client: Client, nani: User) -> None:
    User.objects.update(is_active=False)
    ask(client)
    unknown = Client()
    ask(unknown, login="nobody@example.org")
    closed, nobody = mail.outbox
    assert closed.body.replace("nani@", "nobody@") == nobody.body
    client.post("/accounts/signup/", NEW)
    assert mail.outbox[2].subject == nobody.subject


def test_a_password_signs_in_if_one_was_set(client: Client, nani: User) -> None:
    nani.set_password("phulkari-and-chai")
    nani.save()
    response = ask(client, password="wrong-and-chai")
    assert (response.status_code, says(response)) == (
        422,
        {"This email address and password do not belong together: try again."},
    )
    assert ask(client, password="phulkari-and-chai", next="/help/")["Location"] == "/help/"
    assert (signed_in(client), mail.outbox) == (str(nani.pk), [])


def test_a_code_works_once_in_its_own_session_for_ten_minutes(client: Client, nani: User) -> None:
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        ask(client)
        code = mailed_code()
        elsewhere = Client()
        assert give(elsewhere, code)["Location"] == "/accounts/signin/"
        ask(elsewhere)
        assert give(elsewhere, code).status_code == 422
        assert give(client, code).status_code == 303
        client.post("/accounts/signout/")
        assert give(client, code)["Location"] == "/accounts/signin/"
        clock.shift(dt.timedelta(minutes=2))
        ask(client)
        clock.shift(dt.timedelta(minutes=10, seconds=1))
        assert give(client, mailed_code()).status_code == 303
        assert signed_in(client) is None


def test_the_fourth_try_is_none(client: Client, nani: User) -> None:
    ask(client)
    code = mailed_code()
    wrong = "0000-0000" if code != "0000-0000" else "1111-1111"
    assert [give(client, wrong).status_code for _ in range(3)] == [422, 422, 303]
    assert give(client, code)["Location"] == "/accounts/signin/"
    assert "Too many tries" in client.get("/accounts/signin/").content.decode()
    assert signed_in(client) is None


def test_a_mistyped_address_can_be_corrected(client: Client, nani: User) -> None:
    ask(client, login="mani@example.org", next="/help/")
    page = page_of(client, f"{CODE}?next=/help/")
    back = next(each for each in page.all("a") if each.text == "Use another address")
    assert page_of(client, back.attrs["href"]).one("form", id="signin").tag == "form"
    ask(client, next="/help/")
    assert give(client, mailed_code(), next="/help/")["Location"] == "/help/"


def test_a_new_code_takes_the_place_of_the_old_one(client: Client, nani: User) -> None:
    ask(client)
    old = mailed_code()
    page = page_of(client, CODE)
    form = page.one("form", id="resend")
    again = {each.attrs["name"]: each.attrs["value"] for each in page.all("input") if form in each.inside}
    client.post(form.attrs["action"], again)
    assert mailed_code() != old
    assert give(client, old).status_code == 422
    assert give(client, mailed_code()).status_code == 303


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"name": ""}, "Write something that can be seen."),
        ({"name": " \u3164 "}, "Write something that can be seen."),
        ({"name": " \u200b\u200e "}, HIDDEN),
        ({"name": "Na\0ni" * 20}, HIDDEN),
        ({"name": "\u202einaN"}, HIDDEN),
        ({"email": ""}, ADDRESS),
        ({"email": "nani"}, ADDRESS),
        ({"email": "n" * 250 + "@example.org"}, ADDRESS),
        ({"email": "na\0ni@example.org"}, ADDRESS),
        ({"email": "\u212aani@example.org"}, ADDRESS),
    ],
    ids=str,
)
def test_a_wrong_answer_is_told_beside_its_field(client: Client, change: dict[str, str], what: str) -> None:
    response = client.post("/accounts/signup/", NEW | change)
    assert response.status_code == 422
    page = Page(response.content.decode())
    assert page.one("ul", css="errorlist").text == what
    field = page.one("input", id=f"id_{[*change][-1]}")
    assert (field.attrs["aria-invalid"], field.attrs["aria-describedby"].split()[-1]) == (
        "true",
        page.one("ul", css="errorlist").attrs["id"],
    )
    assert not User.objects.exists()
    assert mail.outbox == []


def test_a_zone_that_there_is_not_is_as_good_as_none(client: Client) -> None:
    client.post("/accounts/signup/", NEW | {"zone": "../../etc/passwd"})
    assert User.objects.get().zone == ""


@pytest.mark.parametrize(
    ("onward", "leads"),
    [
        ("/help/", "/help/"),
        ("/games/bcdfgh2345/?x=1", "/games/bcdfgh2345/?x=1"),
        ("http://testserver/help/", "http://testserver/help/"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("///evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("\\\\evil.example/", "/"),
        ("http:evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("http://localhost/", "/"),
        ("http://testserver@evil.example/", "/"),
        ("\x00//evil.example", "/"),
        ("/accounts/signin/", "/"),
        ("/accounts/signup/?next=/accounts/signup/", "/"),
        ("/" + "x" * 3000, "/"),
        ("", "/"),
    ],
)
def test_next_leads_to_this_site_only(client: Client, nani: User, onward: str, leads: str) -> None:
    nani.set_password("phulkari-and-chai")
    nani.save()
    assert ask(Client(), password="phulkari-and-chai", next=onward)["Location"] == leads
    for door, form in (("signin", {"login": nani.email}), ("signup", NEW)):
        fresh = Client()
        asked = fresh.post(f"/accounts/{door}/", form | {"next": onward})
        assert "evil" not in asked["Location"]
        page = fresh.get(asked["Location"])
        assert b"evil" not in page.content
        assert fresh.post(asked["Location"], {"code": mailed_code()})["Location"] == leads
        assert b"evil" not in Client().get(f"/accounts/{door}/", {"next": onward}).content
        assert sign_in(Client(), nani).get(f"/accounts/{door}/", {"next": onward})["Location"] == leads


@pytest.mark.parametrize(
    ("page", "onward"), [("http://testserver/new/?x=1", "%2Fnew%2F"), ("", "%2F"), ("http://[", "%2F")]
)
def test_a_fragment_leads_back_to_the_page_around_it(client: Client, page: str, onward: str) -> None:
    response = client.get("/new/", headers={"HX-Request": "true", "HX-Current-URL": page})
    assert (response.status_code, response["HX-Redirect"]) == (401, f"/accounts/signin/?next={onward}")
