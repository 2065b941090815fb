"""Mail that came back, and mail that was called spam: the address is left alone, and its person told on the site."""

import base64
import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import Client
from pytest_django import Settings

from accounts.bounces import BOUNCED, COMPLAINED, mail_came_back
from accounts.models import User
from bhabhi_site.asgi import application
from games.models import NoMail
from games.selectors.reach import reach_of
from games.selectors.tokens import email_hash
from tests.games.stored import NOW, everything

pytestmark = pytest.mark.django_db
SECRET = "provider:sixteen-signs-at-least"
BOUNCE = {"RecordType": "Bounce", "Type": "HardBounce", "Email": "Nani@Example.ORG", "ID": 1}
SPAM = {"RecordType": "SpamComplaint", "Type": "SpamComplaint", "Email": "nani@example.org", "ID": 2}


@pytest.fixture(autouse=True)
def _hook(settings: Settings) -> None:
    settings.MAIL_HOOK_SECRET = SECRET


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True)


def tell(event: object, *, provider: str = "postmark", secret: str = SECRET, **options: Any) -> int:
    """What the site answers a provider."""
    body = event if isinstance(event, bytes) else json.dumps(event).encode()
    headers = {"Authorization": "Basic " + base64.b64encode(secret.encode()).decode()} if secret else {}
    client = Client(enforce_csrf_checks=True)
    given = {"content_type": "application/json", "headers": headers} | options
    return client.post(f"/hooks/mail/{provider}/", body, **given).status_code


def off(user: User) -> str:
    user.refresh_from_db()
    return user.mail_off


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (BOUNCE, BOUNCED),
        (BOUNCE | {"Type": "BadEmailAddress"}, BOUNCED),
        (SPAM, COMPLAINED),
        (BOUNCE | {"Type": "SoftBounce"}, ""),
        (BOUNCE | {"Type": "Transient"}, ""),
        (BOUNCE | {"Type": "Blocked"}, ""),
        (BOUNCE | {"Email": "somebody-else@example.org"}, ""),
        ({"RecordType": "Delivery", "Recipient": "nani@example.org", "MessageID": "x"}, ""),
        ({"RecordType": "Open", "Recipient": "nani@example.org", "MessageID": "x"}, ""),
    ],
    ids=lambda each: each.get("Type", each["RecordType"]) if isinstance(each, dict) else each or "none",
)
def test_what_a_provider_tells_turns_an_address_off_or_not(nani: User, event: dict[str, Any], expected: str) -> None:
    for _ in range(2):
        assert tell(event) == 200
        assert off(nani) == expected
    assert reach_of([nani.pk])[nani.pk].mail is not bool(expected)


def test_other_providers_speak_otherwise(nani: User, settings: Settings) -> None:
    passing = {"event": "soft_bounce", "email": "nani@example.org", "ts_epoch": 1700000000000}
    assert tell(passing, provider="brevo") == 200
    assert off(nani) == ""
    assert tell(passing | {"event": "hard_bounce"}, provider="brevo") == 200
    assert off(nani) == BOUNCED
    form = {"content_type": "application/x-www-form-urlencoded"}
    assert tell(b"mandrill_events=[]", provider="mandrill", **form) == 404
    settings.ANYMAIL = {"MANDRILL_WEBHOOK_KEY": "k"}
    assert tell(b"mandrill_events=[]", provider="mandrill", **form) == 400


def test_a_complaint_is_not_forgotten_for_a_bounce(nani: User) -> None:
    tell(SPAM)
    tell(BOUNCE)
    assert off(nani) == COMPLAINED


def test_a_stranger_who_complains_gets_no_more_invitations(nani: User) -> None:
    tell(SPAM | {"Email": "Stranger@example.org"})
    tell(BOUNCE | {"Email": "another@example.org"})
    assert [each.email_hash for each in NoMail.objects.all()] == [email_hash("stranger@example.org")]


@pytest.mark.parametrize("secret", ["", "provider:wrong", "provider", ":", "x" * 5000, "prövider:sixteen-signs"])
def test_only_the_provider_is_believed(nani: User, secret: str) -> None:
    assert tell(BOUNCE, secret=secret) == 400
    assert off(nani) == ""


ODD = [
    b"", b"null", b"1", b"[]", b"{}", b'"x"', b"{", b"\xff\xfe", b'{"RecordType": []}', b'{"RecordType": "Bounce"}',
    b'{"RecordType": "Bounce", "Type": {}, "Email": "x"}',
    b'{"RecordType": "Bounce", "Type": "HardBounce", "Email": 1}',
    b'{"RecordType": "Bounce", "Type": "HardBounce", "Email": "nani\\u0000@example.org"}', b"[" * 20000,
    b'{"RecordType": "Inbound"}', b'{"RecordType": "Bounce", "BouncedAt": "never", "Email": "x"}',
    b'{"RecordType": "Bounce", "BouncedAt": "2026-99-99T00:00:00Z", "Email": "x"}',
]  # fmt: skip


@pytest.mark.parametrize("provider", ["postmark", "brevo", "mailjet", "mailtrap", "sparkpost"])
def test_nothing_odd_is_a_fault_of_ours(nani: User, provider: str) -> None:
    before = everything()
    for body in ODD:
        assert tell(body, provider=provider) in (200, 400, 404), body
    assert everything() == before


@pytest.mark.parametrize("path", ["postmark", "scaleway", "amazon_ses", "x", "..", "%00", "base", "mailgun"])
def test_there_is_no_such_page_of_others_or_without_a_secret(nani: User, path: str, settings: Settings) -> None:
    if path == "postmark":
        settings.MAIL_HOOK_SECRET = ""
    assert tell(BOUNCE, provider=path) == 404
    assert off(nani) == ""


def test_a_look_is_answered_as_providers_want_it(client: Client) -> None:
    assert client.head("/hooks/mail/postmark/").status_code == 200
    assert client.get("/hooks/mail/postmark/").status_code == 405


async def sent(path: str, size: int) -> int:
    """The status that the real application answers a body of that size with."""
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"%d" % size)]
    headers.append((b"authorization", b"Basic " + base64.b64encode(SECRET.encode())))
    scope = {"type": "http", "http_version": "1.1", "method": "POST", "path": path, "raw_path": path.encode()}
    scope |= {"query_string": b"", "headers": headers, "scheme": "http", "server": ("127.0.0.1", 80)}
    talk = ApplicationCommunicator(application, scope | {"client": ("127.0.0.1", 5)})
    body = json.dumps([{"event": "delivered", "email": "x"}]).encode()
    await talk.send_input({"type": "http.request", "body": body + b" " * (size - len(body))})
    start = await talk.receive_output(5)
    await talk.receive_output(5)
    await talk.wait(5)
    return int(start["status"])


@pytest.mark.parametrize(
    ("path", "size", "expected"),
    [
        ("/hooks/mail/mailjet/", 1024 * 1024, 200),
        ("/hooks/mail/mailjet/", 1024 * 1024 + 1, 413),
        ("/hooks/mailjet/", 64 * 1024 + 1, 413),
    ],
)
async def test_a_batch_may_be_large_there_alone(path: str, size: int, expected: int) -> None:
    assert await sent(path, size) == expected


def test_nowhere_is_it_larger_without_a_hook(settings: Settings) -> None:
    from bhabhi_site.body_limit import _limit

    path = {"path": "/hooks/mail/postmark/"}
    assert _limit(path) == 1024 * 1024
    settings.MAIL_HOOK_SECRET = ""
    assert _limit(path) == 64 * 1024


def test_every_page_says_so_until_its_person_tries_again(client: Client, nani: User) -> None:
    client.force_login(nani)
    assert b"mail-off" not in client.get("/").content
    for why, word in ((BOUNCED, "came back"), (COMPLAINED, "spam")):
        mail_came_back(email="nani@example.org", why=why, now=NOW)
        for path in ("/", "/lobby/", "/accounts/settings/"):
            page = client.get(path).content.decode()
            assert word in page.partition('id="mail-off"')[2]
            assert "n…@e….org" in page
        assert client.post("/accounts/mail/").headers["Location"] == "/accounts/settings/?mail=1"
        assert off(nani) == ""
        page = client.get("/accounts/settings/?mail=1").content.decode()
        assert "nani@example.org</bdi> again" in page
        assert "mail-off" not in page
