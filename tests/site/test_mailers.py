"""Mail as production sends it: over a real line to a mail server, or by a provider that is installed."""

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.mail import mailers
from django.db import transaction
from django.utils.module_loading import import_string
from environs import Env

from accounts.mails import MailNotSent, mail_send
from accounts.models import User
from bhabhi_site.settings.mailers import PROVIDERS, mailers_of


class Post(socketserver.ThreadingTCPServer):
    """A mail server that takes everything, keeps it in `taken`, and refuses those whose address begins with "no"."""

    allow_reuse_address = True
    daemon_threads = True
    taken: list[bytes]
    why = "nobody here"


class Line(socketserver.StreamRequestHandler):
    """One who sends."""

    server: Post

    def handle(self) -> None:
        self.say("220 post.example")
        while line := self.rfile.readline().decode().strip():
            word = line.upper().split(":")[0]
            if word == "DATA":
                self.say("354 go on")
                self.server.taken.append(b"".join(iter(self.rfile.readline, b".\r\n")))
                self.say("250 taken")
            elif word == "RCPT TO" and "<no" in line.lower():
                self.say(f"550 {self.server.why}")
            else:
                self.say("221 bye" if word == "QUIT" else "250 fine")

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@pytest.fixture
def post(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    with Post(("127.0.0.1", 0), Line) as server:
        server.taken = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = str(server.server_address[1])
        for name, value in {"MAIL_HOST": "127.0.0.1", "MAIL_PORT": port, "MAIL_TLS": "no"}.items():
            monkeypatch.setenv(name, value)
        settings.MAILERS = mailers_of(Env())
        settings.DEFAULT_FROM_EMAIL = "Getaway <play@getaway.example>"
        yield server
        server.shutdown()


def send(to: str) -> None:
    context = {"code": "1234-5678", "email": to}
    mail_send(using="security", to=to, template="account/email/login_code", context=context)


def test_a_mail_arrives_at_the_mail_server_of_the_environment(post: Post) -> None:
    send("nani@example.org")
    (raw,) = post.taken
    found = email.message_from_bytes(raw, policy=email.policy.default)
    assert (found["To"], found["From"]) == ("nani@example.org", "Getaway <play@getaway.example>")
    kinds = [part.get_content_type() for part in found.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"]
    body = found.get_body(("plain",))
    assert body is not None
    assert "1234-5678" in body.get_content()


def test_a_refused_mail_is_an_error_for_whoever_sends(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(MailNotSent):
        send("nobody@example.org")
    assert post.taken == []
    assert "SMTPRecipientsRefused" in caplog.text
    assert "nobody" not in caplog.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("why", "expected"),
    [
        ("5.1.1 no such user", "bounced"),
        ("5.1.2 no such domain", "bounced"),
        ("5.1.10 takes no mail", "bounced"),
        # About whoever sends, or nothing that lasts.
        ("5.1.8 bad sender", ""),
        ("5.1.0 something", ""),
        ("5.1.11 something", ""),
        ("5.2.2 mailbox full", ""),
        ("5.7.1 not from you", ""),
        ("nobody here", ""),
    ],
)
def test_an_address_that_nobody_has_gets_no_more_notices(post: Post, why: str, expected: str) -> None:
    user = User.objects.create_user("nobody@example.org", name="Nani", verified=True)
    post.why = why
    with transaction.atomic():
        for _ in range(2):
            with pytest.raises(MailNotSent):
                send("nobody@example.org")
        user.refresh_from_db()
        # Only once nothing is locked any more.
        assert user.mail_off == ""
    user.refresh_from_db()
    assert user.mail_off == expected


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_provider_that_may_be_named_is_installed(provider: str) -> None:
    assert import_string(f"anymail.backends.{provider}.EmailBackend")


def test_a_provider_is_made_from_the_environment(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_PROVIDER", "postmark")
    monkeypatch.setenv("MAIL_OPTIONS", '{"server_token": "t"}')
    settings.MAILERS = mailers_of(Env())
    assert type(mailers["notices"]).__module__ == "anymail.backends.postmark"
