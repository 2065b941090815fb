"""Every form of accounts: CSRF is asked for, nonsense is refused, nothing is a fault of the site."""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver, reverse

from accounts import urls
from accounts.models import User
from tests.accounts.doors import sign_in
from tests.games.stored import everything

# On PostgreSQL alone, which refuses more than SQLite does.
pytestmark = [pytest.mark.django_db]

PATHS = sorted({f"/accounts/{each.pattern}".replace("<int:pk>", "1") for each in urls.urlpatterns} | {"/d/x/"})
READ_ONLY = {"/accounts/inactive/"}
FIELDS = [
    "name", "email", "zone", "login", "password", "code", "next", "recipient", "credential", "language", "hide_online",
    "notice_again", "notice_your_turn", "hour", "quiet_from", "push", "end", "sure", "remove", "passwordless", "action",
]  # fmt: skip
VALUES = {
    "nothing": "",
    "NUL": "\0",
    "NUL within": "nani\0@example.org",
    "long": "x" * 10_000,
    "long address": "n" * 243 + "@example.org",
    "one too long": "n" * 243 + "@example.orgs",
    "unicode domain": "nani@ex\u00e4mple.org",
    "dotted i": "nani@" + "\u0130" * 60 + ".org",
    "unicode local": "n\u00e4ni@example.org",
    "lines": "nani@example.org\r\nBcc: all@example.org",
    "quoted": '"nani nani"@example.org',
    "turned": "\u202enani@example.org",
    "digits": "9" * 400,
    "json": '{"id": "x", "response": {"userHandle": "MQ", "clientDataJSON": "e30"}, "rawId": "eA", "type": "x"}',
    "json list": "[[[[1]]]]",
    "json null": "null",
    "json string": '"\\ud800"',
    "json deep": "[" * 3000 + "]" * 3000,
}


def visitors() -> Iterator[Client]:
    """Nobody, somebody who awaits a code, a guest, a person, and a person who has just shown who they are."""
    yield Client()
    waiting = Client()
    waiting.post("/accounts/signin/", {"login": "nobody@example.org"})
    yield waiting
    yield sign_in(Client(), User.objects.create_guest("Roza"))
    nani = User.objects.create_user("nani@example.org", "phulkari-and-chai", name="Nani", verified=True)
    yield sign_in(Client(), nani)
    shown = sign_in(Client(), nani)
    shown.post("/accounts/again/", {"password": "phulkari-and-chai"})
    assert shown.get("/accounts/email/").status_code == 200
    yield shown


@pytest.fixture
def everybody() -> list[Client]:
    return list(visitors())


def answered(client: Client, path: str, form: dict[str, Any]) -> None:
    cache.clear()
    if path != "/accounts/signout/":
        assert client.post(path, form).status_code < 500, path


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_no_nonsense_is_a_fault_of_the_site(everybody: list[Client], value: str) -> None:
    for client in everybody[1:]:
        for path in PATHS:
            answered(client, path, dict.fromkeys(FIELDS, value))
        for path in ("/accounts/signin/", "/accounts/code/", "/accounts/again/", "/d/x/"):
            assert client.get(path, {"next": value, "email": value}).status_code < 500, path


def test_a_field_that_comes_twice_is_no_fault_either(everybody: list[Client]) -> None:
    for client in everybody:
        for path in PATHS:
            answered(client, path, {name: ["\0", "x@example.org"] for name in FIELDS})


BODIES = [
    (
        "application/x-www-form-urlencoded",
        b"login=%ff%fe&email=%ed%a0%80&code=%ed%a0%80&name=%ed%a0%80&password=%ed%a0%80",
    ),
    ("application/x-www-form-urlencoded", b"&".join(b"login=x" for _ in range(190))),
    ("application/json", b'{"login": "\\ud800", "email": {}, "code": []}'),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="login"; filename="f"\r\n\r\ny\r\n--x--',
    ),
    ("text/plain", b"\0"),
]


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_no_body_is_a_fault_of_the_site(everybody: list[Client], kind: str, body: bytes) -> None:
    for client in everybody[1:4]:
        for path in PATHS:
            cache.clear()
            if path != "/accounts/signout/":
                for headers in ({"Accept": "application/json"}, {"X-Requested-With": "XMLHttpRequest"}):
                    response = client.generic("POST", path, body, content_type=kind, headers=headers)
                    assert response.status_code < 500, path


def test_every_post_asks_for_the_token(everybody: list[Client]) -> None:
    before = everything()
    for client in everybody:
        strict: Any = Client(enforce_csrf_checks=True)
        strict.cookies = client.cookies
        for path in PATHS:
            if path not in READ_ONLY:
                response = strict.post(path, dict.fromkeys(FIELDS, "x@example.org"))
                assert (response.status_code, b"Not sent from our page" in response.content) == (403, True), path
    assert everything() == before


def test_no_get_changes_anything(everybody: list[Client]) -> None:
    before = everything()
    for client in everybody * 2:
        for path in PATHS:
            assert client.get(path).status_code in (200, 302, 303, 403, 404, 405, 410), path
            assert client.head(path).status_code < 500
    assert everything() == before


def test_only_what_is_meant_answers(client: Client) -> None:
    for path in PATHS:
        for method in ("put", "delete", "patch", "options"):
            assert getattr(client, method)(path).status_code == 405, (path, method)


def test_allauth_finds_its_names_and_there_is_no_reset() -> None:
    names = {str(name) for name in get_resolver().reverse_dict if isinstance(name, str)}
    assert {"account_login", "account_signup", "account_logout", "account_email", "mfa_login_webauthn"} <= names
    assert not [name for name in names if "reset" in name or "social" in name or "recovery" in name]
    assert reverse("device_use", args=["x"]) == "/d/x/"


def test_what_is_another_persons_is_not_found(everybody: list[Client]) -> None:
    other = User.objects.create_user("other@example.org", name="Other", verified=True)
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "Key", "credential": {}})
    shown = everybody[-1]
    for what in ("name", "remove"):
        assert shown.get(f"/accounts/passkeys/{key.pk}/{what}/").status_code == 404
        assert shown.post(f"/accounts/passkeys/{key.pk}/{what}/", {"name": "Mine"}).status_code == 404
    assert Authenticator.objects.filter(pk=key.pk, data__name="Key").exists()


def test_changes_need_to_show_again_who_one_is(everybody: list[Client]) -> None:
    """S26: everything that opens or closes an account for good."""
    nani = User.objects.get(name="Nani")
    key = Authenticator.objects.create(user=nani, type="webauthn", data={"name": "Key", "credential": {}})
    known = everybody[3]
    before = everything()
    for path, form in (
        ("/accounts/email/", {"email": "new@example.org"}),
        ("/accounts/password/", {"password": "phulkari-and-tea"}),
        ("/accounts/password/", {"remove": "1"}),
        ("/accounts/device/", {}),
        ("/accounts/passkeys/add/", {"name": "New", "credential": "{}"}),
        (f"/accounts/passkeys/{key.pk}/name/", {"name": "Other"}),
        (f"/accounts/passkeys/{key.pk}/remove/", {}),
    ):
        response = known.post(path, form)
        assert (response.status_code, response["Location"].split("?")[0]) == (303, "/accounts/again/"), path
    assert everything() == before
    assert Authenticator.objects.get(pk=key.pk).data["name"] == "Key"
