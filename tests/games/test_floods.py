"""Nobody floods somebody's mailbox by what the site mails."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from accounts.fields import mailbox_of
from accounts.models import User
from games.models import Notice, Table
from games.services.again import MOST_TOLD, table_again
from games.services.errors import InviteLimit, TooManyTables
from games.services.hosting import table_closed
from games.services.invites import invites_sent
from games.services.letters import MOST_TO_ONE
from games.services.seats import seat_left
from games.services.tables import MOST_WAITING
from tests.games.gathering import LATER, draft, sit
from tests.games.invitees import asked, host, mails_sent, waiting
from tests.games.pages import client_of
from tests.games.stored import NOW, in_threads, person
from tests.games.test_views_home import new

pytestmark = pytest.mark.django_db


def test_a_table_that_opens_anew_again_and_again() -> None:
    owner, other = host(), host("Nani", "nani@example.org")
    table = draft(owner, 1, bots=1)
    sit(table, other)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER)
    mails_sent(LATER)
    mail.outbox.clear()
    for _ in range(MOST_TOLD + 3):
        opened = table_again(code=table.code, host=owner, now=LATER)
        mails_sent(LATER)
        table_closed(table_id=opened.pk, host=owner, now=LATER)
    assert [each.to for each in mail.outbox] == [["nani@example.org"]] * MOST_TOLD


def test_invitations_from_many_tables_of_many_hosts() -> None:
    hosts = [host(f"Host {each}", f"host{each}@example.org") for each in range(2)]
    for each in range(MOST_TO_ONE + 4):
        asked(waiting(hosts[each % 2]), "nani@example.org" if each % 3 else f"nani+{each}@example.org")
    asked(waiting(hosts[0]), "nan@example.org nani@example.com nanii+1@example.org")
    mails_sent()
    to = [each.to[0] for each in mail.outbox]
    assert len([each for each in to if mailbox_of(each) == "nani@example.org"]) == MOST_TO_ONE
    assert {"nan@example.org", "nani@example.com", "nanii+1@example.org"} <= set(to)
    asked(waiting(hosts[0]), "nani@example.org", now=NOW + timedelta(days=1, seconds=1))
    assert len(mails_sent(NOW + timedelta(days=1, seconds=1))) == 1


def test_who_sits_down_and_leaves_for_ever() -> None:
    owner, restless = host(), person()
    table = draft(owner, 3)
    for _ in range(4):
        sit(table, restless)
        seat_left(table_id=table.pk, user=restless, now=LATER)
    sit(table)
    assert Notice.objects.filter(kind="joined").count() == 2


@pytest.mark.django_db(transaction=True)
def test_many_tables_that_invite_at_once() -> None:
    owner = User.objects.create_user("new@example.org", name="New", verified=True, date_joined=NOW)
    tables = [waiting(owner) for _ in range(4)]

    def act(number: int) -> object:
        addresses = " ".join(f"a{each}@example.org" for each in range(15))
        return len(invites_sent(table_id=tables[number].pk, sender=owner, addresses=addresses, now=NOW).invited)

    answers = in_threads(4, act)
    assert answers.count(15) == 1
    assert len([each for each in answers if isinstance(each, InviteLimit)]) == 3


def test_the_lobby_is_not_filled_by_one() -> None:
    owner = host()
    for _ in range(MOST_WAITING - 1):
        draft(owner)
    client, form = client_of(owner), {"company": "people", "key": "k" * 16}
    assert [new(client, **form).status_code for _ in range(2)] == [303, 303]
    answer = new(client, **form | {"key": "o" * 16})
    assert answer.status_code == 409
    assert TooManyTables.sentence in answer.content.decode()
    assert Table.objects.count() == MOST_WAITING


def test_codes_to_one_mailbox_by_many_addresses() -> None:
    statuses = [
        Client(REMOTE_ADDR=f"192.0.2.{each}")
        .post("/accounts/signin/", {"login": f"nani+{each}@example.org"})
        .status_code
        for each in range(40)
    ]
    assert statuses == [303] * 30 + [429] * 10
    assert len(mail.outbox) == 30
    assert Client(REMOTE_ADDR="192.0.2.99").post("/accounts/signin/", {"login": "bo@example.org"}).status_code == 303


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [("A+b+c@Example.org", "a@example.org"), ("+a@x.org", "+a@x.org"), ("a.b@x.org", "a.b@x.org")],
)
def test_the_mailbox_of_an_address(address: str, mailbox: str) -> None:
    assert mailbox_of(address) == mailbox
