"""Every address as every kind of visitor: looking changes nothing (S28), and shows only to those who may see (S11)."""

from pathlib import Path
from typing import Any, Final

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from tests.site.crawl import ROLES, World, changed, rows, world

pytestmark = pytest.mark.django_db

HERE: Final[dict[str, Any]] = {"REMOTE_ADDR": "127.0.0.1", "SERVER_NAME": "localhost"}
# What a look is answered with, for outsider, stranger, guest, player, host, staff and superuser.
FOR_ALL: Final = "200 200 200 200 200 200 200"
SIGNED_IN: Final = "302 200 200 200 200 200 200"
SEATED: Final = "302 404 200 200 200 404 404"
HOST: Final = "302 404 404 404 200 404 404"
# The world has no worker.
NOT_READY: Final = "503 503 503 503 503 503 503"
POST_ONLY: Final = "405 405 405 405 405 405 405"
DOORS: Final = "200 302 302 302 302 302 302"
FRESH: Final = "302 303 403 303 303 303 303"
RIGHTS: Final = {
    FOR_ALL: (
        "/healthz /manifest.webmanifest /sw.js / /help/ /gone/ /d/{traveller}/ /nomail/{personal}/ /stop/{again}/ "
        "/dev/mail/ /dev/mail/{mail}/"
    ),
    NOT_READY: "/readyz",
    SIGNED_IN: (
        "/list/ "
        "/me/ /me/reports/ /me/away/ /me/push/ /me/delete/ /new/ /lobby/ /tables/{lobby}/ /accounts/sessions/ "
        "/accounts/settings/ "
        "/leaderboards/ /people/{host}/ /people/{host}/ratings/ /tables/{watched}/ "
        "/games/{watched}/ /games/{watched}/board/ /games/{watched}/replay/{start}/"
    ),
    SEATED: "/tables/{open}/ /games/{running}/board/ /games/{running}/replay/{start}/",
    # Who runs the site reads what is over; a game that is played leads them to its series.
    "302 404 200 200 200 404 200": (
        "/tables/{running}/ /tables/{over}/ /games/{over}/ /games/{over}/board/ /games/{over}/replay/{start}/ "
        "/games/{over}/record.json"
    ),
    "302 404 200 200 200 404 302": "/games/{running}/",
    HOST: " ".join(f"/tables/{{{table}}}/invites/" for table in ("open", "lobby", "running", "over", "watched")),
    # A record lies open when the game is over.
    "302 404 404 404 404 404 404": "/games/{running}/record.json /games/{watched}/record.json",
    "302 200 404 404 404 404 200": "/people/{stranger}/ /people/{stranger}/ratings/",
    # Whoever sits at the table is led there.
    "200 200 303 303 303 200 200": "/i/{personal}/ /i/{shared}/",
    "410 410 410 410 410 410 410": "/dev/enter/{made-up}/",
    # The mail has no such part.
    "404 404 404 404 404 404 404": "/dev/mail/{mail}/html/",
    DOORS: "/accounts/signin/ /accounts/signup/",
    # Nobody waits for a code.
    "302 302 302 302 302 302 302": (
        "/accounts/code/ /accounts/confirm/ /accounts/again/code/confirm/ /accounts/passkeys/signin/"
    ),
    "403 302 302 302 302 302 302": "/accounts/inactive/",
    # Who has an address shows first who they are; a guest gives one first.
    FRESH: (
        "/accounts/password/ /accounts/passkeys/add/ "
        "/accounts/passkeys/{passkey}/name/ /accounts/passkeys/{passkey}/remove/"
    ),
    "302 303 200 303 303 303 303": "/accounts/email/ /accounts/device/",
    "302 200 403 200 200 200 200": "/accounts/passkeys/ /accounts/again/code/",
    "302 302 403 302 302 302 302": "/accounts/again/",
    "302 302 403 200 302 302 302": "/accounts/passkeys/again/",
    # Of a second factor those alone are asked who run the site.
    "302 404 404 404 404 200 200": "/accounts/second/",
    "302 404 404 404 404 303 303": "/accounts/second/app/ /accounts/second/app/remove/ /accounts/second/codes/",
    "302 302 403 302 302 200 200": "/accounts/second/again/",
}
# Others cannot even ask for these; only the host may have them.
_HOST_ONLY: Final = ("/start/", "/rename/", "/host/", "/remove/", "/close/", "/invites/", "/invites/act/")
# What being staff alone opens in the admin.
_STAFF: Final = ("/admin/", "/admin/health/", "/admin/jsi18n/")
# What may be asked for by those who are in the table's way of joining, or is one's own, or has a door of its own.
_OWN: Final = ("/accounts/", "/me/", "/new/", "/admin/", "/dev/", "/d/", "/i/", "/nomail/", "/stop/", "/hooks/")


@pytest.fixture
def site(tmp_path: Path, settings: Settings) -> World:
    settings.MAIL_FOLDER = tmp_path / "mail"
    return world(str(settings.MAIL_FOLDER))


@pytest.mark.parametrize("again", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_looking_twice_changes_nothing_and_shows_to_those_who_may_see(site: World, again: int) -> None:
    """Every address is asked for in both ways one after the other; in the long campaign all of them again."""
    addresses = list(site.addresses())
    assert len(addresses) > 100
    found = dict[str, list[str]]()
    for role in ROLES:
        client = site.client(role)
        before = rows()
        for _ in range(again):
            for key, path in addresses:
                answers = client.get(path, **HERE), client.head(path, **HERE)
                assert max(each.status_code for each in answers) < 500 or key == "/readyz", (role, key)
                found.setdefault(key, []).append(str(answers[0].status_code))
        assert changed(before) == [], role
        assert mail.outbox == [], role
    check_rights({key: " ".join(answers[::again]) for key, answers in found.items()})


def check_rights(found: dict[str, str]) -> None:
    """Compare what every address answers to each role with what it shall."""
    expected = {key: answers for answers, keys in RIGHTS.items() for key in keys.split()}
    differs = {key: answers for key, answers in found.items() if answers != expected.get(key, POST_ONLY)}
    assert {key: answers for key, answers in differs.items() if not key.startswith("/admin/")} == {}
    assert set(expected) <= set(found)
    for key, answers in found.items():
        if key.startswith("/admin/") and key not in ("/admin/login/", "/admin/logout/"):
            *others, staff, superuser = answers.split()
            assert set(others) == {"302"}, key
            assert superuser != "200" or key in _STAFF or staff in ("403", "404"), key


def posted(client: Client, path: str, **options: Any) -> int:
    return client.post(path, **HERE, **options).status_code


def test_no_change_without_the_forms_token(site: World) -> None:
    for role in ("outsider", "host"):
        client = site.client(role, enforce_csrf_checks=True)
        before = rows()
        for key, path in site.addresses():
            if not key.startswith(("/nomail/", "/stop/", "/hooks/")):
                # A mail program has no token of ours; its address is signed, and can do one thing.
                assert posted(client, path) == 403, (role, key)
        assert changed(before) == []


@pytest.mark.parametrize("role", ["outsider", "stranger"])
def test_no_change_by_those_who_have_no_right(site: World, role: str) -> None:
    client = site.client(role)
    before = rows()
    for key, path in site.addresses():
        # Whoever is signed in may sit down at a table of the lobby.
        if not key.startswith(_OWN) and (role, key) != ("stranger", "/tables/{lobby}/join/"):
            allowed = {302, 405} if role == "outsider" else {400, 404, 405}
            assert posted(client, path) in allowed, key
    assert changed(before) == []


@pytest.mark.parametrize("role", ["guest", "player"])
def test_no_change_of_the_hosts_by_others(site: World, role: str) -> None:
    client = site.client(role)
    before, tried = rows(), 0
    for key, path in site.addresses():
        if key.startswith("/tables/") and key.endswith(_HOST_ONLY):
            tried += 1
            assert posted(client, path, data={"name": "x", "seat": "0", "addresses": "a@example.org"}) == 404, key
    assert tried >= 10
    assert changed(before) == []
    assert mail.outbox == []


@pytest.mark.parametrize("role", ["outsider", "stranger", "guest", "player", "host"])
def test_the_admin_is_shut(site: World, role: str) -> None:
    client = site.client(role)
    before = rows()
    for key, path in site.addresses():
        if key.startswith("/admin/") and key not in ("/admin/login/", "/admin/logout/"):
            assert posted(client, path, data={"action": "delete_selected", "post": "yes"}) == 302, key
    assert changed(before) == []
