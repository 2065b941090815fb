"""What a notice says by mail: looked at again when it is sent, since what it was about may have changed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.urls import reverse

from accounts.choices import NOW, wishes_of
from accounts.fields import mailbox_of
from accounts.models import User
from games.models import Game, Holder, Invite, NoMail, Notice, Table
from games.selectors.access import kept_apart
from games.selectors.invites import invite_fault, preset_of, seats_free
from games.selectors.tokens import email_hash, invite_url, token_of

MOST_TO_ONE: Final = 20
"""The most invitations that are mailed to one address in a day."""

_DAY: Final = timedelta(days=1)
_NO_MAIL: Final = "games.no_mail"


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to be: to whom, from which template, in which language and time zone."""

    to: str
    template: str
    context: dict[str, Any]
    language: str = ""
    zone: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def letter_of(notice: Notice, now: datetime) -> Letter | None:
    """Return the mail of a notice; None if it is no longer true, or its reader wants no such mail."""
    if notice.invite is not None and notice.kind == "invite":
        return _invitation(notice, notice.invite, now)
    user, holds = notice.user, _TRUE.get(notice.kind)
    if user is None or notice.table is None or holds is None or not holds(notice.table, user):
        return None
    if not user.email or not user.is_active or wishes_of(user).how(notice.kind) != NOW:
        return None
    context = _facts(notice.table) | {"person": user.name}
    return Letter(user.email, f"emails/{notice.kind}", context, user.language, user.zone)


def _invitation(notice: Notice, invite: Invite, now: datetime) -> Letter | None:
    table, token = invite.table, token_of(invite)
    reader = User.objects.filter(email=invite.email, emailaddress__verified=True, is_active=True).first()
    if not invite.email or not token or invite_fault(invite=invite, table=table, user=reader, now=now):
        return None
    if (
        _wants_none(invite.email, reader)
        or _had_enough(invite.email, now)
        or (reader is not None and _sits(table, reader))
    ):
        return None
    stop = no_mail_url(invite)
    context = _facts(table) | {
        "sender": invite.sender.name if invite.sender else (table.host.name if table.host else ""),
        "link": invite_url(token),
        "expires": invite.expires,
        "no_mail": stop,
    }
    headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    # Who is not known here is written to as the one who invites them speaks, and told the time where that one lives.
    sender = invite.sender
    language = (reader.language if reader else "") or invite.language
    zone = (reader.zone if reader else "") or (sender.zone if sender and not reader else "")
    return Letter(invite.email, "emails/invite", context, language, zone, headers)


def _wants_none(email: str, reader: User | None) -> bool:
    if NoMail.objects.filter(email_hash=email_hash(email)).exists():
        return True
    return reader is not None and wishes_of(reader).how("invite") != NOW


def _had_enough(email: str, now: datetime) -> bool:
    """Tell whether a day's most invitations were mailed to an address, whoever sent them, its "+" addresses counted.

    Nobody who invites is told: it would say what others do.
    """
    local, _, domain = mailbox_of(email).rpartition("@")
    same = Q(email=f"{local}@{domain}") | Q(email__startswith=f"{local}+", email__endswith=f"@{domain}")
    return Notice.objects.filter(same, kind="invite", sent__gt=now - _DAY).count() >= MOST_TO_ONE


def _facts(table: Table) -> dict[str, Any]:
    """Return what every mail of a table may say of it: nothing of its cards."""
    game = Game.objects.filter(table=table).order_by("-number").first()
    path = reverse("table", args=[game.code]) if game else reverse("series", args=[table.code])
    return {
        "table": table.name,
        "rules": preset_of(table.rules),
        "seats": table.seats,
        "free": seats_free(table),
        "deals": table.deals,
        "waits": table.status == Table.Status.OPEN,
        "host": table.host.name if table.host else "",
        "link": settings.SITE_URL + path,
        "settings": settings.SITE_URL + reverse("settings"),
        "names": list(_names(table)),
    }


def _names(table: Table) -> Any:
    return Holder.objects.filter(table=table, until=None).order_by("seat__number").values_list("name", flat=True)


def _sits(table: Table, user: User) -> bool:
    return Holder.objects.filter(table=table, user=user, until=None).exists()


def _again(table: Table, user: User) -> bool:
    return table.status == Table.Status.OPEN and not _sits(table, user) and not kept_apart(table.host_id, user.pk)


_TRUE: Final[dict[str, Callable[[Table, User], bool]]] = {
    "again": _again,
    "table_started": lambda table, user: table.status == Table.Status.RUNNING and _sits(table, user),
    "table_closed": lambda table, _: table.status == Table.Status.CLOSED,
    "table_warned": lambda table, user: table.status == Table.Status.OPEN and table.host_id == user.pk,
    "host_handed": lambda table, user: table.status != Table.Status.CLOSED and table.host_id == user.pk,
    "joined": lambda table, user: table.status == Table.Status.OPEN and table.host_id == user.pk,
    "seat_removed": lambda table, user: not _sits(table, user),
}
"""Whether what each kind tells is still so when it is told."""


def no_mail_url(invite: Invite) -> str:
    """Return the address at which the reader of an invitation says that they want no more of them."""
    return settings.SITE_URL + reverse("no_mail", args=[signing.dumps(invite.pk, salt=_NO_MAIL, compress=False)])


def no_mail_invite(token: str) -> Invite | None:
    """Return the invitation of such an address; None if it is made up, or whom it was for has been forgotten."""
    try:
        key = signing.loads(token, salt=_NO_MAIL)
    except signing.BadSignature:
        return None
    return Invite.objects.filter(pk=key).exclude(email="").first()
