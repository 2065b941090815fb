"""What people shall be told: rows of the outbox, written with what happened, mailed once it is committed."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction

from accounts.mails import NOTICES, mail_send
from accounts.models import User
from games import effects
from games.models import Game, Invite, NoMail, Notice, Table
from games.selectors.tokens import email_hash
from games.services.letters import Letter, letter_of
from games.services.locks import writing

MOST_TRIES: Final = 6
"""How often a mail is tried; the waits between double from a minute on, so that it is given up after an hour."""
_WAIT: Final = timedelta(minutes=1)
_AT_ONCE: Final = 200

_log = structlog.get_logger(__name__)


def notice_added(  # noqa: PLR0913 - whom, of what and when, every part named
    *,
    kind: str,
    key: str,
    now: datetime,
    due: datetime | None = None,
    user: User | None = None,
    email: str = "",
    table: Table | None = None,
    invite: Invite | None = None,
    game: Game | None = None,
) -> None:
    """Write down, in the transaction that is open, that a person or an address shall be told something once it is due.

    `key` says what it is about: what has been written down with it already is let be. Without `due` it is due now.
    """
    row = Notice(kind=kind, key=key, created=now, due=due or now, user=user, email=email, table=table)
    row.invite, row.game = invite, game
    notices_added([row], now)


def notices_added(rows: Sequence[Notice], now: datetime) -> None:
    """Write down several such notices at once; those whose key has been written down already are let be."""
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    if any(row.due <= now for row in rows):
        _sent_for_once()


def _sent_for_once() -> None:
    """Send for the task once the transaction is committed: one task sends the mails of all its notices."""
    waiting = transaction.get_connection().run_on_commit
    if not any(effects.notices_sent_for in call for call in waiting):
        transaction.on_commit(effects.notices_sent_for)


def notices_due_sent(*, now: datetime) -> int:
    """Send the mails that are due, each in a transaction of its own, and return how many went out.

    Safe to run twice, late or in two places: whoever sends a mail holds its row, and says in the same transaction that
    it is sent. If the program dies after the mail server took a mail and before that is stored, it goes out again, with
    the same Message-ID; if it dies before, it goes out once.
    """
    due = Notice.objects.filter(sent=None, gone=None, due__lte=now).order_by("due", "pk").values_list("pk", flat=True)
    return sum(_notice_tried(key, now) for key in list(due[:_AT_ONCE]))


def _notice_tried(notice_id: int, now: datetime) -> bool:
    """Send a mail; one that cannot even be written waits as one that cannot be sent, and keeps no other."""
    try:
        return _notice_sent(notice_id, now)
    except Exception as error:  # noqa: BLE001 - whatever it is, it would come again each time
        _log.warning("mail not written", notice=notice_id, error=type(error).__name__)
    with writing():
        rows = Notice.objects.select_for_update(skip_locked=True).filter(pk=notice_id, sent=None, gone=None)
        for notice in rows:
            _put_off(notice, now)
            notice.save(update_fields=["gone", "tries", "due"])
    return False


def _notice_sent(notice_id: int, now: datetime) -> bool:
    with writing():
        rows = Notice.objects.select_for_update(skip_locked=True, of=("self",))
        rows = rows.select_related("user", "table__host", "invite__table__host", "invite__sender")
        notice = rows.filter(pk=notice_id, sent=None, gone=None).first()
        if notice is None:
            return False
        letter = letter_of(notice, now)
        if letter is None:
            notice.gone = now
        elif _delivered(notice, letter):
            notice.sent = now
            _invite_sent(notice, now)
        else:
            _put_off(notice, now)
        notice.save(update_fields=["sent", "gone", "tries", "due"])
        return notice.sent is not None


def _delivered(notice: Notice, letter: Letter) -> bool:
    """Hand a mail over; False if that failed, in whatever way of its own the mailer has."""
    headers = letter.headers | {"Message-ID": f"<notice.{notice.pk}.{notice.created:%Y%m%d%H%M%S%f}@getaway>"}
    try:
        mail_send(
            using=NOTICES,
            to=letter.to,
            template=letter.template,
            context=letter.context,
            language=letter.language,
            zone=letter.zone,
            headers=headers,
        )
    except Exception as error:  # noqa: BLE001 - mail servers and providers fail in ways of their own
        # Without the traceback and the text of the error: addresses are in them.
        _log.warning("mail failed", notice=notice.pk, kind=notice.kind, error=type(error).__name__)
        return False
    return True


def _invite_sent(notice: Notice, now: datetime) -> None:
    if notice.invite is not None and notice.invite.sent is None:
        Invite.objects.filter(pk=notice.invite.pk, sent=None).update(sent=now)


def _put_off(notice: Notice, now: datetime) -> None:
    notice.tries += 1
    notice.due = now + _WAIT * 2 ** (notice.tries - 1)
    if notice.tries >= MOST_TRIES:
        notice.gone = now


def no_mail_set(*, email: str, wanted: bool, now: datetime) -> None:
    """Keep in mind that an address wants no invitations by mail (or wants them again); only its hash is stored."""
    if wanted:
        NoMail.objects.filter(email_hash=email_hash(email)).delete()
    else:
        NoMail.objects.get_or_create(email_hash=email_hash(email), defaults={"at": now})
