"""The second factor: the desk is shut without one, and who has one can not be given another behind their back."""

import datetime as dt
import re
import time

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from accounts.roles import FACTOR_HOURS
from tests.accounts.doors import app_digits, by_door, mailed_code, sign_in

pytestmark = pytest.mark.django_db

SECOND, APP, CODES = "/accounts/second/", "/accounts/second/app/", "/accounts/second/codes/"


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss@example.org", name="Boss", verified=True)


def fresh(client: Client) -> None:
    """Show again who it is, by a code that is mailed."""
    page = client.get("/accounts/again/code/").content.decode()
    client.post("/accounts/again/code/", dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)))
    assert client.post("/accounts/again/code/confirm/", {"code": mailed_code()}).status_code == 303


def secret_of(client: Client) -> str:
    page = client.get(APP).content.decode()
    found = re.search(r'id="secret">([^<]+)<', page)
    assert found is not None
    assert "<svg" in page
    return found[1].replace(" ", "")


def codes_of(client: Client) -> list[str]:
    return re.findall(r"<li><code>(\w+)</code></li>", client.post(CODES).content.decode())


def set_up(client: Client) -> tuple[str, list[str]]:
    """Set up an app and codes for when it is lost."""
    fresh(client)
    secret = secret_of(client)
    assert client.post(APP, {"code": "000000"}).status_code == 422
    assert client.post(APP, {"code": app_digits(secret)})["Location"] == CODES
    return secret, codes_of(client)


def test_without_a_second_factor_no_page_opens(boss: User) -> None:
    client = by_door(boss)
    answer = client.get("/admin/games/game/")
    assert answer["Location"] == "/admin/login/?next=/admin/games/game/"
    answer = client.get(answer["Location"])
    assert answer["Location"] == f"{SECOND}?next=%2Fadmin%2Fgames%2Fgame%2F"
    page = client.get(answer["Location"]).content.decode()
    assert (APP in page, "/accounts/passkeys/add/" in page) == (True, True)
    assert client.post("/admin/games/game/", {}).status_code == 302


def test_an_app_is_set_up_and_opens_the_desk(
    boss: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    client = by_door(boss)
    assert client.get(APP)["Location"].startswith("/accounts/again/")
    with django_capture_on_commit_callbacks(execute=True):
        _, codes = set_up(client)
    assert len(codes) == 10
    assert client.get("/admin/").status_code == 200
    # The mail says so.
    assert "second factor" in "".join(str(each.subject) for each in mail.outbox)
    assert codes[0] not in client.get(CODES).content.decode()


def test_each_session_shows_it_anew(boss: User) -> None:
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        secret, codes = set_up(by_door(boss))
        clock.shift(dt.timedelta(minutes=20))
        client = by_door(boss)
        assert client.get("/admin/").status_code == 302
        assert client.post(f"{SECOND}?next=/admin/games/game/", {"code": "123456"}).status_code == 422
        assert client.get("/admin/").status_code == 302
        answer = client.post(f"{SECOND}?next=/admin/games/game/", {"code": app_digits(secret)})
        assert (answer.status_code, answer["Location"]) == (303, "/admin/games/game/")
        assert client.get("/admin/").status_code == 200
        # Digits that somebody has seen over a shoulder, and codes, work once.
        clock.shift(dt.timedelta(minutes=20))
        other, third = by_door(boss), by_door(boss)
        assert other.post(SECOND, {"code": codes[0]}).status_code == 303
        assert third.post(SECOND, {"code": codes[0]}).status_code == 422
        clock.shift(dt.timedelta(hours=FACTOR_HOURS))
        assert other.get("/admin/").status_code == 302


def test_guessing_is_stopped(boss: User) -> None:
    Authenticator.objects.create(user=boss, type="totp", data={"secret": "A" * 32})
    client = by_door(boss)
    answers = {client.post(SECOND, {"code": f"{number:06}"}).status_code for number in range(12)}
    assert answers == {422, 429}


def test_who_reads_the_mail_can_put_no_other_factor_in_its_place(boss: User) -> None:
    set_up(by_door(boss))
    thief = by_door(boss)
    fresh(thief)
    for path in (APP, f"{APP}remove/", CODES, "/accounts/passkeys/add/"):
        for answer in (thief.get(path), thief.post(path)):
            assert answer["Location"].startswith(SECOND), path
    assert Authenticator.objects.filter(user=boss).count() == 2


def test_a_factor_that_was_removed_opens_nothing_any_more(boss: User) -> None:
    client = by_door(boss)
    set_up(client)
    other = sign_in(Client(), boss)
    assert other.get("/admin/").status_code == 200
    assert client.post(f"{APP}remove/").status_code == 303
    assert not Authenticator.objects.filter(user=boss).exists()
    assert [each.get("/admin/").status_code for each in (client, other)] == [302, 302]


def test_a_passkey_by_which_one_came_is_enough(boss: User, client: Client) -> None:
    key = Authenticator.objects.create(user=boss, type="webauthn", data={"name": "Phone", "credential": {}})
    sign_in(client, boss, second=False)
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "mfa", "type": "webauthn", "id": key.pk, "at": time.time(), "passwordless": True}
    ]
    session["account_authentication_methods_user"] = str(boss.pk)
    session.save()
    assert client.get("/admin/").status_code == 200


def test_players_have_no_such_pages() -> None:
    nani = User.objects.create_user("nani@example.org", name="Nani", verified=True)
    client = sign_in(Client(), nani)
    assert client.get(SECOND).status_code == 404
    assert "second/" not in client.get("/me/").content.decode()
