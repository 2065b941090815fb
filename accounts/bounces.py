"""Addresses to which nothing is mailed any more, because mail came back or its reader complained, until they say so."""

import re
from datetime import datetime
from smtplib import SMTPRecipientsRefused
from typing import Final

from accounts.models import User

BOUNCED: Final = "bounced"
COMPLAINED: Final = "complained"

# No such mailbox, no such domain, no address, mailbox moved, a domain without mail. Not 5.1.7 and 5.1.8, which are
# about whoever sends, nor 5.1.0, which may be.
_NOBODY: Final = re.compile(rb"5\.1\.(?:1|2|3|6|10)\b")


def mail_came_back(*, email: str, why: str, now: datetime) -> int:
    """Mail nothing to an address any more, but for codes that are asked for; return whether it is a person's here.

    *why* is "bounced" or "complained".
    """
    people = User.objects.filter(email=email.lower())
    # A complaint says more, and was never taken back by itself.
    people.exclude(mail_off=COMPLAINED).update(mail_off=why, mail_off_at=now)
    return people.count()


def mail_works(*, user_id: int) -> None:
    """Mail to a person again: they ask for it, or have shown that mail arrives."""
    User.objects.filter(pk=user_id).exclude(mail_off="").update(mail_off="", mail_off_at=None)


def refused_for_good(error: Exception) -> bool:
    """Tell whether a mail server's answer to a mail for one address says that nobody has it."""
    if not isinstance(error, SMTPRecipientsRefused):
        return False
    return any(code >= 500 and _NOBODY.match(said) for code, said in error.recipients.values())
