"""What people ask about themselves: another name, all that is known about them, and to be forgotten."""

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.core.serializers.json import DjangoJSONEncoder

from accounts.mails import SECURITY, MailNotSent, mail_send
from accounts.models import User
from accounts.names import looks, name_cleaned, name_problem, suggested
from games.models import Holder, Table
from games.selectors.exports import export_files
from games.services.erasing import person_erased
from games.services.errors import NameUnfit
from games.services.hosting import newest_game
from games.services.locks import table_locked, writing
from games.services.projections import board_changed

_log = structlog.get_logger(__name__)

GRACE: Final = timedelta(days=14)
"""How long a person may think again after they asked to be erased."""


def person_renamed(*, user: User, name: str, now: datetime) -> tuple[str, ...]:
    """Give a person another name, and call them by it at every table where they sit and nobody looks called that.

    Returns the names of the tables that go on calling them by the old one.

    Raises:
        NameUnfit: what is wrong with the name.
    """
    name = name_cleaned(name)
    problem = name_problem(name)
    if problem:
        raise NameUnfit(problem)
    with writing():
        User.objects.filter(pk=user.pk).update(name=name)
    user.name = name
    tables = Holder.objects.filter(user=user, until=None).order_by("table_id").values_list("table_id", flat=True)
    return tuple(filter(None, [_renamed_at(table_id, user) for table_id in tables]))


def _renamed_at(table_id: int, user: User) -> str:
    with writing():
        return called_at(table=table_locked(table_id), user=user)


def called_at(*, table: Table, user: User, surely: bool = False) -> str:
    """Call a person by their name at a table that this transaction holds; *surely*: or by one like it, if it is taken.

    Returns the table's name if somebody there looks called that, so that they go on being called by the old one.
    """
    holders = list(Holder.objects.filter(table=table, until=None))
    mine = next((each for each in holders if each.user_id == user.pk), None)
    if mine is None or mine.name == user.name:
        return ""
    others = [each.name for each in holders if each is not mine]
    name = suggested(user.name, others) if surely else user.name
    if any(looks(each) & looks(name) for each in others):
        return table.name
    mine.name = name
    mine.save(update_fields=["name"])
    game = newest_game(table)
    if game is not None:
        board_changed(game=game)
    return ""


def exported(*, user: User, now: datetime) -> bytes:
    """Return everything about a person as a ZIP of JSON files (`selectors.exports`)."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for path, data in export_files(user=user, now=now):
            files.writestr(path, json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1) + "\n")
    return archive.getvalue()


def erase_asked(*, user: User, now: datetime) -> datetime:
    """Let a person be erased after two weeks, and mail them how to stay; who has asked before keeps that day.

    Returns when.
    """
    with writing():
        fresh = User.objects.filter(pk=user.pk, erase_at=None).update(erase_at=now + GRACE)
    user.refresh_from_db(fields=["erase_at"])
    if fresh:
        _told(user, "emails/erase_asked")
    return user.erase_at or now


def erase_kept(*, user: User) -> None:
    """Let a person stay who has asked to be erased."""
    with writing():
        # Not whose erasing has begun: it must be gone on with.
        User.objects.filter(pk=user.pk, is_active=True).update(erase_at=None)
    user.erase_at = None


def erase_now(*, user: User, now: datetime) -> None:
    """Erase a person at once, as they asked, and mail them that it was done."""
    _told(user, "emails/erased")
    person_erased(user_id=user.pk, now=now, due=False)


def _told(user: User, template: str) -> None:
    """Mail a person about their account, if they have an address; what they asked for is done in any case."""
    if not user.email:
        return
    context = {"name": user.name, "erase_at": user.erase_at}
    try:
        mail_send(
            using=SECURITY,
            to=user.email,
            template=template,
            context=context,
            language=user.language,
            zone=user.zone,
        )
    except MailNotSent:
        _log.warning("nobody told", template=template, person=user.pk)


def erased_due(*, now: datetime) -> Sequence[int]:
    """Return the ids of those whose time to think again is over, longest first."""
    return list(User.objects.filter(erase_at__lte=now).order_by("erase_at", "pk").values_list("pk", flat=True))
