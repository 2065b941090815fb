"""The mails of the embedded default: one file each, readable at /dev/mail/ from this computer only."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django.fixtures import Settings

from bhabhi_site import mail as site_mail
from tests.site.commands import PRODUCTION, manage

pytestmark = pytest.mark.django_db

LINK = re.compile(r'href="(/dev/mail/[^"]+)"')


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.MAIL_FOLDER = tmp_path / "mail"
    options = {"folder": settings.MAIL_FOLDER}
    mailer = {"BACKEND": "bhabhi_site.mail.FolderMail", "OPTIONS": options}
    settings.MAILERS = {"default": mailer, "security": mailer}
    return tmp_path / "mail"


def send(subject: str, text: str = "Hello", html: str = "", to: str = "nani@example.org") -> None:
    message = EmailMultiAlternatives(subject, text, "from@example.org", [to])
    if html:
        message.attach_alternative(html, "text/html")
    message.send(using="security")


def client(**extra: Any) -> Client:
    return Client(headers={"host": "localhost:8000"}, REMOTE_ADDR="127.0.0.1", **extra)


def test_a_mail_is_a_page_with_its_links(folder: Path) -> None:
    send(
        "An invitation <b>",
        "Tap:\n-------\nhttp://localhost:8000/i/abc/\n",
        "<p>Tap <a href='http://x/i/abc/'>here</a></p>",
    )
    listed = client().get("/dev/mail/")
    assert listed.status_code == 200
    html = listed.content.decode()
    assert "An invitation &lt;b&gt;" in html
    assert "nani@example.org" in html
    assert 'data-mailer="security"' in html
    (address,) = LINK.findall(html)
    shown = client().get(address).content.decode()
    assert '<a href="http://localhost:8000/i/abc/"' in shown
    body = client().get(address + "html/")
    assert b"<p>Tap <a href='http://x/i/abc/'>here</a></p>" in body.content
    policy = body["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy


def test_scanners_change_nothing(folder: Path) -> None:
    send("A code", html="<p>1</p>")
    (address,) = LINK.findall(client().get("/dev/mail/").content.decode())
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    for path in ("/dev/mail/", address, address + "html/"):
        assert [client().get(path).status_code for _ in range(3)] == [200] * 3
        assert client().head(path).status_code == 200
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


def test_newest_mails_come_first_and_each_is_a_file(folder: Path) -> None:
    threads = [threading.Thread(target=send, args=(f"mail {number}",)) for number in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    send("the last")
    assert len(list(folder.iterdir())) == 21
    html = client().get("/dev/mail/").content.decode()
    assert len(LINK.findall(html)) == 21
    assert html.index("the last") < html.index("mail 0")


def test_old_mails_are_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_mail, "KEPT", 3)
    for number in range(5):
        send(f"mail {number}")
    assert len(list(folder.iterdir())) == 3
    assert "mail 1" not in client().get("/dev/mail/").content.decode()


def test_mails_are_for_this_computer_only(folder: Path) -> None:
    send("A code")
    (address,) = LINK.findall(client().get("/dev/mail/").content.decode())
    for path in ("/dev/mail/", address, address + "html/"):
        assert client().get(path).status_code == 200 or path.endswith("html/")
        strangers = [
            Client(headers={"host": "localhost:8000"}, REMOTE_ADDR="192.0.2.7"),
            client(HTTP_X_FORWARDED_FOR="127.0.0.1"),
            client(HTTP_VIA="1.1 proxy"),
            Client(headers={"host": "testserver"}, REMOTE_ADDR="127.0.0.1"),
        ]
        for stranger in strangers:
            answer = stranger.get(path)
            assert answer.status_code == 404
            assert b"A code" not in answer.content
        assert client().post(path).status_code == 405
    assert Client(headers={"host": "127.0.0.1:8000"}, REMOTE_ADDR="127.0.0.1").get("/dev/mail/").status_code == 200


NO_MAILS = ["x", "../../secret-key", "0" * 20 + "-" + "0" * 8, "%00", "a" * 5000, "..%2f..%2fsecret"]


@pytest.mark.parametrize("name", NO_MAILS)
def test_other_names_are_no_mails(folder: Path, name: str) -> None:
    assert client().get(f"/dev/mail/{name}/").status_code == 404
    assert client().get(f"/dev/mail/{name}/html/").status_code == 404


def test_an_empty_folder_says_so(folder: Path) -> None:
    assert b"None yet." in client().get("/dev/mail/").content


def test_hostile_mails_are_text(folder: Path) -> None:
    text = "</pre><script>alert(1)</script> javascript:alert(1)"
    send('<img src=x onerror="alert(1)"> \u202etxet', text, to="<nani@example.org>")
    html = client().get("/dev/mail/").content.decode()
    (address,) = LINK.findall(html)
    shown = client().get(address).content.decode()
    for page in (html, shown):
        assert "<img" not in page
        assert "<script>" not in page
    assert client().get(address + "html/").status_code == 404


def test_production_has_no_such_pages() -> None:
    done = manage("shell", "-v", "0", "-c", "from django.urls import resolve; resolve('/dev/mail/')", **PRODUCTION)
    assert "Resolver404" in done.stderr
