"""Signing up, in and out by email and password."""

import pytest
from django.test import Client

from accounts.models import User
from tests.games.pages import Page

pytestmark = pytest.mark.django_db

PASSWORD = "phulkari-and-chai"
HIDDEN = "It holds a sign that cannot be seen: type it anew, in plain letters."
ADDRESS = "Write your email address, like name@example.org."
LENGTH = "Choose a password of 8 to 128 characters."
FORM = {"name": "Nani", "email": "nani@example.org", "password": PASSWORD}


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", PASSWORD, name="Nani")


def signed_in(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def test_signing_up_signs_in(client: Client) -> None:
    response = client.post("/accounts/signup/", FORM)
    assert (response.status_code, response["Location"]) == (302, "/")
    user = User.objects.get()
    assert (user.email, user.name, signed_in(client)) == ("nani@example.org", "Nani", str(user.pk))
    assert user.check_password(PASSWORD)
    assert b"Hello, <bdi>Nani</bdi>" in client.get("/").content


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": ""}, "Write something that can be seen."),
        ({"name": " \u3164 "}, "Write something that can be seen."),
        ({"name": " \u200b\u200e "}, HIDDEN),
        ({"name": "N" * 41}, "Use at most 40 characters; these are 41."),
        ({"name": "Na\0ni" * 20}, HIDDEN),
        ({"name": "\u202einaN"}, HIDDEN),
        ({"email": ""}, ADDRESS),
        ({"email": "nani"}, ADDRESS),
        ({"email": "n" * 250 + "@example.org"}, ADDRESS),
        ({"email": "na\0ni@example.org"}, ADDRESS),
        ({"password": ""}, LENGTH),
        ({"password": "short"}, LENGTH),
        ({"password": "123456"}, LENGTH),
        ({"password": "p" * 129}, LENGTH),
        ({"password": "Nani\0Nani\0"}, LENGTH),
        ({"password": "password"}, "This password is too common: choose one that nobody guesses."),
        (
            {"name": "Phulkari Nani", "password": "phulkari nani"},
            "This password is too similar to your name or address: choose another.",
        ),
    ],
    ids=str,
)
def test_a_wrong_answer_is_told_beside_its_field(client: Client, change: dict[str, str], says: str) -> None:
    response = client.post("/accounts/signup/", FORM | change)
    assert response.status_code == 422
    page = Page(response.content.decode())
    assert page.one("ul", css="errorlist").text == says
    field = page.one("input", id=f"id_{[*change][-1]}")
    assert (field.attrs["aria-invalid"], field.attrs["aria-describedby"].split()[-1]) == (
        "true",
        page.one("ul", css="errorlist").attrs["id"],
    )
    assert not User.objects.exists()
    assert signed_in(client) is None


def test_an_address_has_one_account_whatever_its_case(client: Client, nani: User) -> None:
    response = client.post("/accounts/signup/", FORM | {"email": "NANI@Example.org"})
    assert response.status_code == 422
    assert "There is an account with this address" in response.content.decode()
    assert User.objects.count() == 1


def test_signing_in_rotates_the_session(client: Client, nani: User) -> None:
    client.get("/accounts/signin/")
    session = client.session
    session["before"] = True
    session.save()
    key = session.session_key
    csrf = client.cookies["csrftoken"].value
    response = client.post("/accounts/signin/", {"username": "NANI@example.org", "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/")
    assert signed_in(client) == str(nani.pk)
    assert client.session.session_key != key
    assert client.cookies["csrftoken"].value != csrf


def test_signing_in_tells_nobody_who_has_an_account(client: Client, nani: User) -> None:
    User.objects.create_user("gone@example.org", PASSWORD, name="Gone", is_active=False)
    pages = set()
    for email in ("nani@example.org", "nobody@example.org", "gone@example.org"):
        password = PASSWORD if email.startswith("gone") else "wrong-password"
        response = client.post("/accounts/signin/", {"username": email, "password": password})
        assert response.status_code == 422
        page = response.content.decode().replace(email, "")
        pages.add(page.replace(page.split('csrfmiddlewaretoken" value="')[1].split('"')[0], ""))
    assert len(pages) == 1
    assert "do not belong together" in pages.pop()
    assert signed_in(client) is None


@pytest.mark.parametrize(
    "fields", [{}, {"username": "a\0@b.org", "password": "x"}, {"username": "x", "password": "\0"}]
)
def test_nonsense_is_a_refusal(client: Client, fields: dict[str, str]) -> None:
    response = client.post("/accounts/signin/", fields)
    assert response.status_code == 422
    assert {each.text for each in Page(response.content.decode()).all("ul", css="errorlist")} <= {
        ADDRESS,
        "Write your password.",
    }


@pytest.mark.parametrize(
    ("onward", "leads"),
    [
        ("/help/", "/help/"),
        ("/games/bcdfgh2345/?x=1", "/games/bcdfgh2345/?x=1"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
def test_next_leads_to_this_site_only(client: Client, nani: User, onward: str, leads: str) -> None:
    form = {"username": nani.email, "password": PASSWORD, "next": onward}
    assert client.post("/accounts/signin/", form)["Location"] == leads
    fresh = Client().post("/accounts/signup/", FORM | {"email": "b@example.org", "next": onward})
    assert fresh["Location"] == leads
    page = Client().get("/accounts/signup/", {"next": onward}).content.decode()
    assert ("evil.example" in page) is False


def test_signing_out_is_a_post(client: Client, nani: User) -> None:
    client.force_login(nani)
    assert client.get("/accounts/signout/").status_code == 405
    assert signed_in(client)
    response = client.post("/accounts/signout/")
    assert (response.status_code, response["Location"]) == (302, "/accounts/signin/")
    assert signed_in(client) is None


def test_who_is_signed_in_needs_no_form(client: Client, nani: User) -> None:
    client.force_login(nani)
    assert client.get("/accounts/signin/")["Location"] == "/"
    assert client.get("/accounts/signin/", {"next": "/help/"})["Location"] == "/help/"
    assert client.get("/accounts/signin/", {"next": "/accounts/signin/"})["Location"] == "/"


@pytest.mark.parametrize(
    ("page", "onward"), [("http://testserver/new/?x=1", "%2Fnew%2F"), ("", "%2F"), ("http://[", "%2F")]
)
def test_a_fragment_leads_back_to_the_page_around_it(client: Client, page: str, onward: str) -> None:
    response = client.get("/new/", headers={"HX-Request": "true", "HX-Current-URL": page})
    assert (response.status_code, response["HX-Redirect"]) == (401, f"/accounts/signin/?next={onward}")
