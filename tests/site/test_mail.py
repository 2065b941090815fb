"""Mails: their templates, the reader's language and zone, hostile names, and the mailers of each way to run."""

import datetime as dt
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.template.loader import render_to_string
from pytest_django.fixtures import Settings

from accounts.mails import mail_send
from tests.site.commands import PRODUCTION, ROOT, manage

PREFIXES = sorted(
    str(path.relative_to(ROOT / "templates")).removesuffix("_message.txt")
    for path in (ROOT / "templates").rglob("*_message.txt")
)
type Box = list[mail.EmailMessage]

AT = dt.datetime(2026, 1, 31, 20, 30, tzinfo=dt.UTC)
HOSTILE = "Eve\r\nBcc: all@example.org\u2028 <script>alert(1)</script> نانی"
CONTEXT = {
    "code": "1234-5678", "timestamp": AT, "ip": "192.0.2.7", "signup_url": "http://testserver/accounts/signup/",
    "from_email": "old@example.org", "to_email": "new@example.org", "deleted_email": "old@example.org",
    "sender": HOSTILE, "table": HOSTILE, "person": HOSTILE, "link": "http://testserver/x/",
    "decline": "http://testserver/x/", "no_mail": "http://testserver/x/", "settings": "http://testserver/x/",
    "expires": AT, "rules": "Getaway", "seats": 4, "at": AT, "host": HOSTILE,
    "count": 7, "until": AT, "left": "5 hours", "missed": "A bot plays.", "lines": [HOSTILE], "said": HOSTILE,
    "deal": "2 of 5", "next_at": AT, "stop": "http://testserver/x/",
    "items": [{"title": HOSTILE, "said": HOSTILE, "lines": [HOSTILE], "until": AT, "link": "http://testserver/x/"}],
}  # fmt: skip


def send(template: str, to: str = "nani@example.org", **options: Any) -> Any:
    before = len(mail.outbox)
    mail_send(using="notices", to=to, template=template, context=CONTEXT, **options)
    assert len(mail.outbox) == before + 1
    return mail.outbox[-1]


def test_there_is_a_mail_for_each_thing_that_allauth_tells() -> None:
    told = {"login_code", "unknown_account", "email_confirmation", "email_confirmation_signup", "email_changed"}
    told |= {"email_deleted", "email_confirm", "password_set", "password_changed", "password_reset"}
    assert {f"account/email/{name}" for name in told} | {
        "mfa/email/webauthn_added",
        "mfa/email/webauthn_removed",
    } <= set(PREFIXES)


@pytest.mark.parametrize("template", PREFIXES)
def test_every_mail_is_text_and_html_and_loads_nothing(template: str, mailoutbox: Box) -> None:
    sent = send(template)
    ((html, kind),) = ((each.content, each.mimetype) for each in sent.alternatives)
    assert kind == "text/html"
    assert sent.body.strip()
    assert re.search(r"<(img|style|link|script|iframe|object|form)|style=|src=|url\(", html) is None
    assert "<script>" not in html
    assert "{%" not in sent.body + html + sent.subject
    assert "{{" not in sent.body + html + sent.subject
    # What the text says, the HTML says.
    words = re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", re.sub("</?bdi>", "", html))))
    lines = list(filter(str.strip, str(sent.body).splitlines()))
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        # An address has its label before it in one, and on it in the other.
        if not line.startswith(("http", "--", "Getaway, ")) and not after.startswith("http"):
            said = re.sub(r"^- |[\u2068\u2069]|:$|:? http.*", "", " ".join(line.split()))
            assert said in words, line


@pytest.mark.parametrize("template", PREFIXES)
def test_names_break_no_header(template: str, mailoutbox: Box) -> None:
    sent = send(template)
    raw = sent.message().as_bytes()
    head = raw.split(b"\n\n", 1)[0].decode()
    assert re.search(r"(?m)^Bcc:", head) is None
    assert sent.recipients() == ["nani@example.org"]
    assert "\n" not in sent.subject
    assert len(sent.subject) < 400


def test_a_mail_speaks_the_readers_language_and_time(mailoutbox: Box, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("ur", "Urdu"), ("hi", "Hindi")]
    plain = send("account/email/password_set")
    assert "31 January 2026, 20:30 (UTC)" in plain.body
    urdu = send("account/email/password_set", language="ur", zone="Asia/Karachi")
    assert '<html lang="ur" dir="rtl">' in urdu.alternatives[0].content
    assert "فروری 2026, 01:30 (Asia/Karachi)" in urdu.body
    hindi = send("account/email/password_set", language="hi", zone="Asia/Kolkata")
    # In the words of Django itself: 1 February there.
    assert "1 फ़रवरी 2026, 02:00 (Asia/Kolkata)" in hindi.body


UNKNOWN = [("xx", "Nowhere/Town"), ("", ""), ("\0", "\0"), ("en", "../../etc/passwd")]


@pytest.mark.parametrize(("language", "zone"), UNKNOWN)
def test_an_unknown_language_or_zone_is_the_sites(language: str, zone: str, mailoutbox: Box) -> None:
    sent = send("account/email/password_set", language=language, zone=zone)
    assert "(UTC)" in sent.body
    assert '<html lang="en" dir="ltr">' in sent.alternatives[0].content


def test_a_mail_goes_by_the_mailer_that_was_asked(mailoutbox: Box) -> None:
    assert send("account/email/login_code").sent_using == "notices"
    mail_send(using="security", to="a@example.org", template="account/email/login_code", context=CONTEXT)
    assert vars(mail.outbox[-1])["sent_using"] == "security"


def test_the_code_is_in_the_text_once_and_in_the_subject() -> None:
    text = render_to_string("account/email/login_code_message.txt", CONTEXT)
    assert text.count("1234-5678") == 1


SHOW = """
import json
from django.conf import settings as s
print(json.dumps([s.MAILERS, s.SITE_URL, s.DEFAULT_FROM_EMAIL]))
"""


def production(**changes: str) -> Any:
    done = manage("shell", "-v", "0", "--no-imports", "-c", SHOW, **PRODUCTION | changes)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_production_sends_by_smtp_from_the_environment() -> None:
    mailers, site, sender = production(MAIL_USER="getaway", MAIL_PASSWORD="secret", MAIL_PORT="465")
    assert set(mailers) == {"default", "security", "notices"}
    options = mailers["security"]["OPTIONS"]
    assert (options["host"], options["port"], options["username"]) == ("mail.getaway.example", 465, "getaway")
    assert mailers["notices"] == mailers["security"]
    assert (site, sender) == ("https://getaway.example", "Getaway <play@getaway.example>")


def test_production_may_send_notices_by_a_provider() -> None:
    own = {"MAIL_NOTICES_PROVIDER": "postmark", "MAIL_NOTICES_OPTIONS": '{"server_token": "t"}'}
    mailers, _, _ = production(**own)
    assert mailers["notices"] == {"BACKEND": "anymail.backends.postmark.EmailBackend", "OPTIONS": {"server_token": "t"}}
    assert mailers["security"]["BACKEND"].endswith("smtp.EmailBackend")


@pytest.mark.parametrize(
    "wrong",
    [
        {"SITE_URL": "getaway.example", "MAIL_FROM": "nobody", "MAIL_HOST": "", "MAIL_PORT": "many"},
        {"SITE_URL": "https://getaway.example/", "MAIL_NOTICES_PROVIDER": "pigeon"},
        {"MAIL_PROVIDER": "pigeon"},
    ],
)
def test_production_names_each_thing_that_is_wrong_about_mail(wrong: dict[str, str]) -> None:
    done = manage("check", **PRODUCTION | wrong)
    assert done.returncode == 1
    assert wrong.keys() <= set(re.findall(r"(?m)^  (\w+): .", done.stderr))
    assert "Traceback" not in done.stderr


def test_production_names_everything_about_mail_at_once() -> None:
    changes = {"MAIL_PROVIDER": "postmark", "MAIL_OPTIONS": "[1]", "MAIL_NOTICES_HOST": "x", "MAIL_NOTICES_PORT": "0"}
    done = manage("check", **PRODUCTION | changes)
    assert all(f"  {name}: " in done.stderr for name in ("MAIL_OPTIONS", "MAIL_NOTICES_PORT")), done.stderr
    missing = {name: value for name, value in PRODUCTION.items() if not name.startswith(("MAIL", "SITE"))}
    done = manage("check", **missing)
    assert all(f"  {name}: " in done.stderr for name in ("MAIL_HOST", "MAIL_FROM", "SITE_URL")), done.stderr


def test_tests_send_no_real_mail() -> None:
    assert {each["BACKEND"] for each in settings.MAILERS.values()} == {"django.core.mail.backends.locmem.EmailBackend"}
    assert Path(settings.MAIL_FOLDER).parent == settings.DATA_DIR
