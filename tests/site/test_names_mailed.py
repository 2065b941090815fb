"""Hostile names in mails and invitations (S30): subjects are one line, texts stay text, pages hold no more for them."""

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from itertools import batched
from pathlib import Path
from typing import Any, Final

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import Settings

from accounts.mails import NOTICES, mail_send
from accounts.models import User
from bhabhi_site.mail import FolderMail
from games.models import Holder, Invite, Notice, Table
from games.selectors.tokens import token_of
from games.services.letters import Letter, letter_of
from games.services.notices import notices_due_sent
from tests.games.invitees import asked, host, shared, waiting
from tests.games.pages import Page
from tests.games.stored import NOW
from tests.site.test_names import SHOWN, fits, skeleton

pytestmark = pytest.mark.django_db

KINDS: Final = (
    "again",
    "host_handed",
    "joined",
    "office",
    "seat_removed",
    "table_closed",
    "table_started",
    "table_warned",
)


@pytest.fixture
def table() -> Table:
    table = waiting(host())
    asked(table, "Nani <nani@example.org>")
    return table


def call(table: Table, name: str) -> None:
    """Call the host, the table and the invited person by one name."""
    User.objects.update(name=name)
    Holder.objects.update(name=name)
    Invite.objects.update(name=name)
    Table.objects.filter(pk=table.pk).update(name=fits(name, 60), title=fits(name, 40))


def sent_for(table: Table, kind: str) -> EmailMultiAlternatives:
    """The mail of a kind about a table."""
    mail.outbox.clear()
    notice = Notice.objects.select_related("invite__table__host", "invite__sender").get(kind="invite")
    if kind == "invite":
        Notice.objects.update(sent=None, gone=None)
        assert notices_due_sent(now=NOW) == 1
    else:
        letter = letter_of(notice, NOW)
        assert isinstance(letter, Letter)
        assert table.host is not None
        table.host.refresh_from_db()
        context = letter.context | {"person": table.host.name}
        mail_send(using=NOTICES, to="nani@example.org", template=f"emails/{kind}", context=context)
    (found,) = mail.outbox
    assert isinstance(found, EmailMultiAlternatives)
    return found


def html_of(message: EmailMultiAlternatives) -> str:
    return str(message.alternatives[0][0])


def check(message: EmailMultiAlternatives, name: str, plain: list[Any]) -> None:
    assert skeleton(html_of(message)) == plain
    assert "\n" not in message.subject
    read = message_from_bytes(message.message().as_bytes(), policy=policy.default)
    # Python's library may lose a space where it breaks a long line.
    assert "".join(read["Subject"].split()) == "".join(message.subject.split())
    assert [each.addr_spec for each in read["To"].addresses] == ["nani@example.org"]
    assert set(read.keys()) == HEADERS | set(message.extra_headers)
    # Out of its fence no name turns what stands around it.
    assert not re.search("[\u2066\u2067\u202a-\u202e]", message.subject + str(message.body))
    assert str(message.body).count("\u2068") == str(message.body).count("\u2069")


HEADERS: Final = {"Content-Type", "MIME-Version", "Subject", "From", "To", "Date", "Message-ID"}


def test_invitations_by_mail(table: Table) -> None:
    call(table, "Plain")
    plain = skeleton(html_of(sent_for(table, "invite")))
    for name in SHOWN:
        call(table, name)
        message = sent_for(table, "invite")
        check(message, name, plain)
        assert f"\u2068{name.replace('=?', '= ?')}\u2069" in message.subject
        assert f"\u2068{name}\u2069" in str(message.body)
        page = Page(html_of(message))
        assert " ".join(name.split()) in {each.text for each in page.all("bdi")}


@pytest.mark.parametrize("kind", KINDS)
def test_other_mails(table: Table, kind: str) -> None:
    call(table, "Plain")
    plain = skeleton(html_of(sent_for(table, kind)))
    for name in SHOWN[::5]:
        call(table, name)
        check(sent_for(table, kind), name, plain)


def test_mails_of_the_embedded_default(table: Table, tmp_path: Path, settings: Settings) -> None:
    settings.MAIL_FOLDER = tmp_path
    client = Client()
    here: dict[str, Any] = {"REMOTE_ADDR": "127.0.0.1", "SERVER_NAME": "localhost"}

    def shown(name: str) -> Iterator[tuple[str, str]]:
        call(table, name)
        for old in tmp_path.glob("*.eml"):
            old.unlink()
        FolderMail(folder=str(tmp_path), alias="notices").send_messages([sent_for(table, "invite")])
        (path,) = tmp_path.glob("*.eml")
        for key, page in (("list", "/dev/mail/"), ("mail", f"/dev/mail/{path.stem}/")):
            answer = client.get(page, **here)
            assert answer.status_code == 200
            yield key, answer.content.decode()

    def unlinked(html: str) -> list[Any]:
        # Addresses in the text are links, as in every mail program, those that are names too.
        return [each for each in skeleton(html) if each[0] != "a"]

    plain = {key: unlinked(html) for key, html in shown("Plain")}
    for name in SHOWN[::3]:
        for key, html in shown(name):
            assert unlinked(html) == plain[key], name
            told = "".join("".join(Page(html).one("main").pieces).split())
            assert "".join(name.replace("=?", "= ?" if key == "list" else "=?").split()) in told


def test_invitations_as_pages(table: Table) -> None:
    personal, link = Invite.objects.get(), shared(table)
    Invite.objects.update(expires=NOW.replace(year=2100))
    seats = list(Holder.objects.filter(table=table, until=None))
    paths = [f"/i/{token_of(each)}/" for each in (personal, link)]

    def pages(names: Sequence[str]) -> dict[str, str]:
        call(table, names[0])
        for holder, name in zip(seats, names, strict=False):
            Holder.objects.filter(pk=holder.pk).update(name=name)
        answers = {path: Client().get(path) for path in paths}
        assert {each.status_code for each in answers.values()} == {200}
        return {path: answer.content.decode() for path, answer in answers.items()}

    plain = {path: skeleton(html) for path, html in pages(["Plain", "Simple"]).items()}
    for names in batched(SHOWN, 2):
        for path, html in pages(names).items():
            assert skeleton(html) == plain[path], names
            page = Page(html)
            assert " ".join(names[0].split()) in {each.text for each in page.all("bdi")}
            described = [each.attrs["content"] for each in page.all("meta", property="og:title")]
            assert all(fits(names[0], 60) in each for each in described)
