"""What people shall be told: rows of the outbox, written with what happened, sent once it is committed."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction

from accounts.choices import DIGEST
from accounts.mails import NOTICES, line_of, mail_send
from accounts.models import User
from games import effects
from games.models import Game, Invite, NoMail, Notice, Table
from games.selectors.reach import MAIL, PUSH
from games.selectors.tokens import email_hash
from games.services.letters import Later, Letter, Message, letter_of
from games.services.locks import writing
from games.services.push import LONGEST_TTL, pushed

MOST_TRIES: Final = 6
"""How often a mail is tried; the waits between double from a minute on, so that it is given up after an hour."""
_WAIT: Final = timedelta(minutes=1)
_AT_ONCE: Final = 200
_CLAIMED: Final = timedelta(minutes=2)
_STORED: Final = ("sent", "gone", "tries", "due", "channel", "user")

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
    """Tell people what is due, each notice by itself, and return how many went out; the digest has its own time.

    Safe to run twice, late or in two places: whoever sends a mail holds its row, and says in the same transaction that
    it is sent. If the program dies after the mail server took a mail and before that is stored, it goes out again, with
    the same Message-ID; if it dies before, it goes out once.
    """
    due = Notice.objects.filter(sent=None, gone=None, due__lte=now).exclude(channel=DIGEST).order_by("due", "pk")
    return sum(_notice_tried(key, now) for key in list(due.values_list("pk", flat=True)[:_AT_ONCE]))


def _notice_tried(notice_id: int, now: datetime) -> bool:
    """Send a notice; one that cannot even be written waits as one that cannot be sent, and keeps no other."""
    try:
        return _notice_sent(notice_id, now)
    except Exception as error:  # noqa: BLE001 - whatever it is, it would come again each time
        _log.warning("mail not written", notice=notice_id, error=type(error).__name__)
    with writing():
        notice = _held(notice_id)
        if notice is not None:
            put_off(notice, now)
            notice.save(update_fields=_STORED)
    return False


def _notice_sent(notice_id: int, now: datetime) -> bool:
    with writing():
        notice = _held(notice_id)
        if notice is None:
            return False
        letter = letter_of(notice, now)
        _decided(notice, letter, now)
        notice.save(update_fields=_STORED)
    if isinstance(letter, Message):
        return _pushed(notice_id, letter, now)
    return notice.sent is not None


def _held(notice_id: int) -> Notice | None:
    """Return a notice that waits still, whose row this transaction now holds; None if another holds it."""
    rows = Notice.objects.select_for_update(skip_locked=True, of=("self",))
    rows = rows.select_related("user", "game__table", "table__host", "invite__table__host", "invite__sender")
    return rows.filter(pk=notice_id, sent=None, gone=None).first()


def _decided(notice: Notice, letter: Letter | Message | Later | None, now: datetime) -> None:
    """Do with a notice what was decided: drop it, put it off, mail it, or hold it for whoever tells the devices."""
    match letter:
        case None:
            notice.gone = now
        case Later(due, channel, user):
            notice.due, notice.channel, notice.user = due, channel or notice.channel, user or notice.user
        case Message():
            # Nobody waits for a push service while rows are held: until it is due again it is ours.
            notice.channel, notice.due = PUSH, now + _CLAIMED
        case Letter() if delivered(f"notice.{notice.pk}", letter, notice.created):
            notice.sent, notice.channel = now, MAIL
            _invite_sent(notice, now)
        case Letter():
            put_off(notice, now)


def _pushed(notice_id: int, message: Message, now: datetime) -> bool:
    """Tell somebody's devices, and write down what came of it: if none takes it, the next try is a mail."""
    took = message_sent(message, now)
    with writing():
        notice = _held(notice_id)
        if notice is None:
            return took
        if took:
            notice.sent = now
            _invite_sent(notice, now)
        else:
            put_off(notice, now)
            notice.channel, notice.due = MAIL, now if notice.tries == 1 else notice.due
        notice.save(update_fields=_STORED)
    return took


def message_sent(message: Message, now: datetime) -> bool:
    """Tell a person's devices; False if none of them took it."""
    user, shown = message.user, {"language": message.user.language, "zone": message.user.zone}
    ttl = LONGEST_TTL if message.until is None else max(message.until - now, timedelta(0))
    return pushed(
        user=user,
        title=line_of(f"{message.template}_subject.txt", message.context, **shown),
        text=line_of("emails/push_text.txt", message.context, **shown),
        path=message.path,
        tag=message.tag,
        ttl=ttl,
        now=now,
    )


def delivered(name: str, letter: Letter, created: datetime) -> bool:
    """Hand a mail over; False if that failed, in whatever way of its own the mailer has."""
    headers = letter.headers | {"Message-ID": f"<{name}.{created:%Y%m%d%H%M%S%f}@getaway>"}
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
        _log.warning("mail failed", notice=name, template=letter.template, error=type(error).__name__)
        return False
    return True


def _invite_sent(notice: Notice, now: datetime) -> None:
    if notice.invite is not None and notice.invite.sent is None:
        Invite.objects.filter(pk=notice.invite.pk, sent=None).update(sent=now)


def put_off(notice: Notice, now: datetime) -> None:
    """Try a notice later that could not be sent, or give it up."""
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
