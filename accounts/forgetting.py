"""What the site keeps of a person beside their games, and how it goes: sessions, the admin's log, mails in a folder."""

import re
from collections.abc import Iterable, Sequence
from email import policy
from email.parser import BytesParser
from functools import partial
from pathlib import Path

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Q

from accounts.models import User


def addresses_of(user: User) -> list[str]:
    """Return every address that belongs to a person, in lower case."""
    rows = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return sorted({each.lower() for each in (*rows, user.email) if each})


def _naming(addresses: Sequence[str]) -> re.Pattern[str]:
    """Return what finds one of some addresses in a text, but not a longer address that it is a part of."""
    each = "|".join(map(re.escape, addresses)) or "(?!)"
    return re.compile(rf"(?<![\w.+%-])(?:{each})(?![\w-]|\.\w)", re.IGNORECASE)


def person_forgotten(*, user: User, names: Iterable[str]) -> None:
    """Delete a person, in the transaction that is open, and all that the site knows of them but their games.

    *names* is what they were called. Once it is committed, mails to them that lie in a folder of this computer go, too.

    Raises:
        ProtectedError: they still have a seat somewhere.
    """
    addresses = addresses_of(user)
    _sessions_dropped(user, addresses)
    _admin_log_dropped(user, addresses, names)
    User.history.filter(id=user.pk).delete()
    user.delete()
    transaction.on_commit(partial(_mails_dropped, addresses))
    transaction.on_commit(_journal_emptied)


def _sessions_dropped(user: User, addresses: Sequence[str]) -> None:
    """Delete the sessions in which the person is signed in, and those in which somebody is about to be."""
    keys = set(UserSession.objects.filter(user=user).values_list("session_key", flat=True))
    naming = _naming(addresses)
    for session in Session.objects.iterator():
        data = session.get_decoded()
        signed_in = data.get(SESSION_KEY)
        if signed_in == str(user.pk) or (signed_in is None and naming.search(str(data))):
            keys.add(session.session_key)
    Session.objects.filter(pk__in=keys).delete()


def _admin_log_dropped(user: User, addresses: Sequence[str], names: Iterable[str]) -> None:
    """Delete what the admin's log says about the person."""
    people = Q(content_type__app_label="accounts", content_type__model="user")
    about = people & Q(object_id=str(user.pk))
    # Another person of the same name keeps the lines about them.
    about |= Q(object_repr__in=[name[:200] for name in names]) & ~people
    LogEntry.objects.filter(about).delete()
    naming, lines = _naming(addresses), Q(pk=None)
    for address in addresses:
        lines |= Q(object_repr__icontains=address) | Q(change_message__icontains=address)
    found = [
        each.pk for each in LogEntry.objects.filter(lines) if naming.search(f"{each.object_repr} {each.change_message}")
    ]
    LogEntry.objects.filter(pk__in=found).delete()


def _mails_dropped(addresses: Sequence[str]) -> None:
    """Delete the mails of the embedded default in which an address occurs; elsewhere there is no such folder."""
    folder: Path | None = getattr(settings, "MAIL_FOLDER", None)
    if folder is None or not addresses:
        return
    naming = _naming(addresses)
    for path in folder.glob("*.eml"):
        if naming.search(_text(path)):
            path.unlink(missing_ok=True)


def _text(path: Path) -> str:
    """Return what can be read in a mail, headers included, in lower case."""
    try:
        mail = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    except FileNotFoundError:
        return ""
    parts = [str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*map(str, mail.values()), *parts]).casefold()


def _journal_emptied() -> None:
    """Let SQLite write its journal into its file, so that the journal keeps nothing that was deleted."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
