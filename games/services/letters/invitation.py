"""Invitations by mail, to people whom we know and to addresses that nobody has shown to be theirs."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.urls import reverse

from accounts.fields import mailbox_of
from accounts.models import User
from games.models import Invite, NoMail, Notice
from games.selectors.invites import invite_fault
from games.selectors.tokens import email_hash, invite_url, token_of
from games.services.letters.letter import Letter, News, facts, sits

MOST_TO_ONE: Final = 20
"""The most invitations that are mailed to one address in a day."""

_DAY: Final = timedelta(days=1)
_NO_MAIL: Final = "games.no_mail"


def invited(invite: Invite) -> User | None:
    """Return the person whose address an invitation goes to, if they have shown that it is theirs."""
    return User.objects.filter(email=invite.email, emailaddress__verified=True, is_active=True).first()


def invitation(invite: Invite, reader: User | None, now: datetime) -> News | None:
    """Return what an invitation by mail tells; None if it holds no longer, or is one too many."""
    table, token = invite.table, token_of(invite)
    if not invite.email or not token or invite_fault(invite=invite, table=table, user=reader, now=now):
        return None
    unwanted = NoMail.objects.filter(email_hash=email_hash(invite.email)).exists()
    if unwanted or _had_enough(invite.email, now) or (reader is not None and sits(table, reader)):
        return None
    link = invite_url(token)
    context = facts(table) | {
        "sender": invite.sender.name if invite.sender else (table.host.name if table.host else ""),
        "link": link,
        "expires": invite.expires,
        "no_mail": no_mail_url(invite),
    }
    path = link.removeprefix(settings.SITE_URL)
    return News("emails/invite", context, path, f"invite:{invite.pk}", invite.expires)


def invitation_letter(invite: Invite, reader: User | None, news: News) -> Letter:
    """Return the mail of an invitation.

    Who is not known here is written to as the one who invites them speaks, and told the time where that one lives.
    """
    headers = {
        "List-Unsubscribe": f"<{news.context['no_mail']}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    sender = invite.sender
    language = (reader.language if reader else "") or invite.language
    zone = (reader.zone if reader else "") or (sender.zone if sender and not reader else "")
    return Letter(invite.email, news.template, news.context, language, zone, headers)


def _had_enough(email: str, now: datetime) -> bool:
    """Tell whether a day's most invitations were mailed to an address, whoever sent them, its "+" addresses counted.

    Nobody who invites is told: it would say what others do.
    """
    local, _, domain = mailbox_of(email).rpartition("@")
    same = Q(email=f"{local}@{domain}") | Q(email__startswith=f"{local}+", email__endswith=f"@{domain}")
    return Notice.objects.filter(same, kind="invite", sent__gt=now - _DAY).count() >= MOST_TO_ONE


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
