"""Mails are stopped by a link in them: by POST, signed out, by a program that has no cookie and follows no redirect."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from accounts.choices import DIGEST, NEVER, wishes_of
from accounts.models import User
from games.services.unsubscribe import mails_stopped, stop_headers, stop_url
from tests.games.invitees import asked, host, waiting
from tests.games.stored import everything

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
PARTS = 'multipart/form-data; boundary="b"'
ONE_CLICK = {
    "urlencoded": (FORM, b"List-Unsubscribe=One-Click"),
    "multipart": (
        PARTS,
        b'--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ),
    "of no type": ("", b""),
}


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True, notices={"again": NEVER})


def path_of(user: User, kind: str) -> str:
    return urlsplit(stop_url(user, kind)).path


def chosen(user: User) -> Any:
    user.refresh_from_db()
    return user.notices


@pytest.mark.parametrize("body", ONE_CLICK.values(), ids=ONE_CLICK)
def test_a_mail_program_stops_them_without_a_cookie(nani: User, body: tuple[str, bytes]) -> None:
    kind, content = body
    for _ in range(2):
        answer = Client(enforce_csrf_checks=True).generic("POST", path_of(nani, "invite"), content, content_type=kind)
        assert answer.status_code == 200
        assert "n…@e….org gets no more mails of this kind" in answer.content.decode()
        assert chosen(nani) == {"again": NEVER, "invite": NEVER}


@pytest.mark.parametrize("body", ONE_CLICK.values(), ids=ONE_CLICK)
def test_an_invitation_is_stopped_by_a_mail_program_too(body: tuple[str, bytes]) -> None:
    from games.services.letters import no_mail_url

    path = urlsplit(no_mail_url(asked(waiting(host()), "friend@example.org"))).path
    answer = Client(enforce_csrf_checks=True).generic("POST", path, body[1], content_type=body[0])
    assert answer.status_code == 200
    assert b"gets no more invitations" in answer.content


def test_looking_stops_nothing(client: Client, nani: User) -> None:
    before = everything()
    for ask in (client.get, client.head):
        assert ask(path_of(nani, "invite")).status_code == 200
    assert everything() == before


def test_they_come_again_at_a_word(client: Client, nani: User) -> None:
    for data, expected in (({}, {"again": NEVER, "invite": NEVER}), ({"wanted": "yes"}, {"again": NEVER})):
        assert client.post(path_of(nani, "invite"), data).status_code == 200
        assert chosen(nani) == expected


@pytest.mark.parametrize("token", ["1:2:3", "x", "WzEsICJpbnZpdGUiXQ:1tQ:x", "%00"])
def test_a_made_up_address_is_none(client: Client, nani: User, token: str) -> None:
    before = everything()
    for ask in (client.get, client.post):
        assert ask(f"/stop/{token}/").status_code == 404
    assert everything() == before


def test_an_address_outlives_neither_its_person_nor_its_kind(client: Client, nani: User) -> None:
    path, unknown = path_of(nani, "invite"), path_of(nani, "pigeon")
    assert client.post(unknown).status_code == 404
    nani.delete()
    assert client.post(path).status_code == 404


def test_the_mail_of_the_day_is_stopped_with_all_it_would_bring(client: Client, nani: User) -> None:
    assert wishes_of(nani).how("deal_over") == DIGEST
    assert b"mail of the day" in client.post(path_of(nani, DIGEST)).content
    assert chosen(nani) == {"again": NEVER, DIGEST: NEVER}
    nani.refresh_from_db()
    assert (wishes_of(nani).how("deal_over"), wishes_of(nani).how("invite")) == (NEVER, "now")


def test_other_choices_stay(nani: User) -> None:
    mails_stopped(user_id=nani.pk, kind="joined")
    nani.refresh_from_db()
    assert wishes_of(nani).how("joined") == wishes_of(nani).how("again") == NEVER
    assert wishes_of(nani).how("invite") != NEVER
    mails_stopped(user_id=0, kind="joined")


def test_a_mail_says_how_it_is_stopped(nani: User) -> None:
    assert stop_headers(nani, "invite") == {
        "List-Unsubscribe": f"<{stop_url(nani, 'invite')}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
