"""The page on which browsers are turned on and off, and what a phone asks of the site as an app."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.models import PushDevice
from games.services.push import push_key
from tests.games.push_service import Browser
from tests.games.stored import everything, person

pytestmark = pytest.mark.django_db
ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc:def"
AGENT = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
FORM = {"endpoint": ENDPOINT, **Browser().keys}


@pytest.fixture
def nani(client: Client) -> User:
    user = person()
    client.force_login(user)
    return user


def keep(client: Client, **changes: str) -> Any:
    return client.post("/me/push/", FORM | changes, headers={"user-agent": AGENT})


def test_a_browser_is_kept_and_listed_and_removed(client: Client, nani: User) -> None:
    assert keep(client).status_code == 204
    row = PushDevice.objects.get()
    assert (row.user, row.agent, row.session) == (nani, "Firefox on Android", client.session.session_key)
    page = client.get("/me/push/").content.decode()
    assert "Firefox on Android" in page
    assert f'data-key="{push_key()}"' in page
    # Whoever has the address can send to it.
    assert "abc:def" not in page
    assert row.p256dh not in page
    assert client.post("/me/push/remove/", {"device": row.pk}).headers["Location"] == "/me/push/"
    assert not PushDevice.objects.exists()


def test_a_browser_leaves_by_its_address(client: Client, nani: User) -> None:
    keep(client)
    assert client.post("/me/push/remove/", {"endpoint": ENDPOINT + "x"}).status_code == 204
    assert PushDevice.objects.exists()
    assert client.post("/me/push/remove/", {"endpoint": ENDPOINT}).status_code == 204
    assert not PushDevice.objects.exists()


def test_nobody_elses_browser_is_removed(client: Client, nani: User) -> None:
    keep(client)
    other = Client()
    other.force_login(person("Golu"))
    before = everything()
    for form in ({"device": PushDevice.objects.get().pk}, {"endpoint": ENDPOINT}, {"device": "x"}, {}):
        assert other.post("/me/push/remove/", form).status_code in (204, 404)
    assert everything() == before
    assert "Firefox" not in other.get("/me/push/").content.decode()


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "http://127.0.0.1/x"},
        {"endpoint": "https://evil.example/\0"},
        {"endpoint": ""},
        {"p256dh": "\0"},
        {"auth": "ä"},
        {"auth": ""},
    ],
    ids=str,
)
def test_what_is_no_push_service_is_refused_in_a_sentence(client: Client, nani: User, changes: dict[str, str]) -> None:
    answer = keep(client, **changes)
    assert answer.status_code == 422
    assert answer.content.decode().startswith("We cannot send notices to this browser")
    assert not PushDevice.objects.exists()


def test_a_site_without_a_key_says_so(client: Client, nani: User, settings: Settings) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    page = client.get("/me/push/").content.decode()
    assert "sends no notices to browsers" in page
    assert "push.js" not in page
    assert keep(client).status_code == 422


def test_a_new_password_ends_no_notices_here_but_elsewhere(client: Client, nani: User) -> None:
    keep(client)
    elsewhere = Client()
    elsewhere.force_login(nani)
    keep(elsewhere, endpoint=ENDPOINT + "2")
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": 9e9}]
    session.save()
    before = session.session_key
    assert client.post("/accounts/password/", {"password": "kabootar-1947"}).status_code == 303
    assert client.session.session_key != before
    rows = dict(PushDevice.objects.values_list("endpoint", "session"))
    assert rows[ENDPOINT] == client.session.session_key
    assert rows[ENDPOINT + "2"] != client.session.session_key


def test_a_phone_can_keep_the_site_among_its_apps(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    found = json.loads(answer.content)
    assert (found["start_url"], found["scope"], found["display"]) == ("/", "/", "standalone")
    assert {"192x192", "512x512"} <= {each["sizes"] for each in found["icons"]}
    for icon in found["icons"]:
        assert client.get(icon["src"]).status_code == 200
    page = client.get("/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page


def test_the_worker_keeps_no_page_and_stays_where_it_is(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    assert "showNotification" in script
    assert "fetch" not in script
    assert "caches" not in script
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]


def test_a_command_makes_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("push_key")
    assert len(capsys.readouterr().out.strip()) == 43
