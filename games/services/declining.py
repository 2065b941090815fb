"""Saying no to an invitation."""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import User
from games.models import Invite
from games.selectors.invites import addresses_of, live_invites
from games.services.errors import InviteGone
from games.services.locks import table_locked, writing


def invite_declined(*, invite_id: int, now: datetime) -> None:
    """Say no to a personal invitation; what has ended or been used already stays as it is.

    Raises:
        InviteGone: there is no such invitation, or it is a link for several.
    """
    with writing():
        table_id = Invite.objects.filter(pk=invite_id).exclude(email="").values_list("table", flat=True).first()
        if table_id is None:
            raise InviteGone
        table_locked(table_id)
        _declined(Invite.objects.filter(pk=invite_id, revoked=None, declined=None, accepted=None), now)


def table_declined(*, table_id: int, user: User, now: datetime) -> None:
    """Say no to all that a person was invited by to a table at their addresses; twice is as once.

    Raises:
        InviteGone: nothing ever was.
    """
    with writing():
        table_locked(table_id)
        mine = Invite.objects.filter(table=table_id, email__in=addresses_of(user)).exclude(email="")
        if not mine.exists():
            raise InviteGone
        _declined(live_invites(now).filter(pk__in=mine, accepted=None), now)


def _declined(invites: Iterable[Invite], now: datetime) -> None:
    for each in invites:
        each.declined = now
        each.save(update_fields=["declined"])
