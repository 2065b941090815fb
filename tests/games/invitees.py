"""Tables that wait for people, and invitations to them, for tests."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from games.models import Invite, Table
from games.rules.ruleset import Ruleset
from games.selectors.tokens import token_of
from games.services.invites import invite_shared, invites_sent
from games.services.notices import notices_due_sent
from games.services.tables import SeatPlan, TablePlan, table_drafted
from tests.games.stored import NOW

LINK: Final = re.compile(r"http://testserver(/[^\s\"<>]*)")


def host(name: str = "Asha", email: str = "asha@example.org") -> User:
    return User.objects.create_user(
        email, name=name, verified=True, date_joined=datetime(2025, 1, 1, tzinfo=NOW.tzinfo)
    )


def waiting(owner: User, *, seats: int = 4, bots: int = 0, now: datetime = NOW, **plan: object) -> Table:
    """A table with its host at the first seat, bots behind, and free seats."""
    given = {"host": owner, "name": "Our table", "rules": Ruleset()} | plan
    free = seats - 1 - bots
    places = [SeatPlan(user=owner), *[SeatPlan(bot="easy")] * bots, *[SeatPlan()] * free]
    return table_drafted(plan=TablePlan(**given), seats=places, now=now)  # type: ignore[arg-type]


def asked(table: Table, addresses: str = "nani@example.org", *, now: datetime = NOW) -> Invite:
    """The newest invitation after some addresses were invited."""
    assert table.host is not None
    invites_sent(table_id=table.pk, sender=table.host, addresses=addresses, now=now)
    return Invite.objects.exclude(email="").latest("pk")


def shared(table: Table, uses: int = 12, *, now: datetime = NOW) -> Invite:
    assert table.host is not None
    return invite_shared(table_id=table.pk, sender=table.host, uses=uses, now=now)


def path_of(invite: Invite) -> str:
    return f"/i/{token_of(invite)}/"


def mails_sent(now: datetime = NOW) -> list[EmailMessage]:
    """What goes out now."""
    before = len(mail.outbox)
    notices_due_sent(now=now)
    return list(mail.outbox[before:])


def links_in(sent: EmailMessage) -> set[str]:
    """The paths of all links in a mail, text and HTML."""
    bodies: Sequence[str] = [str(sent.body), *(str(each.content) for each in getattr(sent, "alternatives", []))]
    return {each for body in bodies for each in LINK.findall(body)}


def signed_in(user: User, client: Client | None = None) -> Client:
    client = client or Client()
    client.force_login(user)
    return client
