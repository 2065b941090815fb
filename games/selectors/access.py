"""Who may see a table before it starts, and who may take a seat there."""

from collections.abc import Collection
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models import F, Q

from accounts.models import Block, User
from games.models import Holder, Invite, Table


def kept_apart(one_id: int | None, other_id: int | None) -> bool:
    """Tell whether one of two people has blocked the other."""
    if one_id is None or other_id is None or one_id == other_id:
        return False
    blocks = Block.objects.filter(Q(owner_id=one_id, other_id=other_id) | Q(owner_id=other_id, other_id=one_id))
    return blocks.exists()


def invite_to(*, table: Table, user: User, remembered: Collection[int] = (), now: datetime) -> Invite | None:
    """Return an invitation by which a person may sit down at a table: to an address of theirs, or one remembered.

    `remembered` are ids of invitations that the person's browser came by. A personal one goes before a shared link.
    """
    addresses = EmailAddress.objects.filter(user=user, verified=True).values("email")
    live = Invite.objects.filter(table=table, revoked=None, declined=None, accepted=None, expires__gt=now)
    mine = live.filter(Q(email__in=addresses) & ~Q(email="") | Q(pk__in=list(remembered)))
    return mine.order_by(F("email").desc()).first()


def of_the_same_people(table: Table, user: User) -> bool:
    """Tell whether a person sits at the table that this one repeats."""
    return table.like_id is not None and Holder.objects.filter(table=table.like_id, user=user, until=None).exists()


def may_sit(table: Table, user: User, invite: Invite | None) -> bool:
    """Tell whether a person has been asked to a table, or everybody has; not whether there is room."""
    if invite is not None:
        return invite.table_id == table.pk
    return table.joins == Table.Joins.LOBBY or of_the_same_people(table, user)
