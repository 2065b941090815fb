"""Inviting people to a table, by mail and by a link, and taking a seat by an invitation."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from accounts.models import User
from games.models import Game, Holder, Invite, Notice, Table
from games.models.table import MAX_SEATS
from games.selectors.invites import Fault, invite_fault
from games.selectors.tokens import token_hash, token_made, token_of
from games.services.addresses import Addressee, addresses_read
from games.services.errors import (
    AddressesUnfit,
    EmailNeeded,
    InviteDeclined,
    InviteExpired,
    InviteGone,
    InviteLimit,
    InviteRevoked,
    InviteUsed,
    NotHost,
    ResentTooSoon,
    ServiceError,
    TableClosed,
    TableFull,
    TableOver,
    TableStarted,
    TooManyAddresses,
)  # fmt: skip
from games.services.locks import table_locked, writing
from games.services.notices import notice_added
from games.services.seats import seat_joined

LIFE: Final = timedelta(days=14)
"""How long an invitation is good: as long as a table waits."""
MOST_AT_ONCE: Final = 50
MOST_A_DAY: Final = 200
"""The most invitations that are mailed from one table, and for one person, in a day."""
MOST_WHEN_NEW: Final = 20
"""The most for a person whose account is younger than a day."""
RESEND_AFTER: Final = timedelta(minutes=10)
MOST_RESENT: Final = 5
"""The most mails of one invitation."""

_DAY: Final = timedelta(days=1)

FAULTS: Final[dict[Fault, type[ServiceError]]] = {
    Fault.REVOKED: InviteRevoked,
    Fault.CLOSED: TableClosed,
    Fault.OVER: TableOver,
    Fault.STARTED: TableStarted,
    Fault.DECLINED: InviteDeclined,
    Fault.EXPIRED: InviteExpired,
    Fault.USED: InviteUsed,
    Fault.FULL: TableFull,
}
"""What each reason not to let somebody sit down is called when it is refused."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of inviting: addresses that are being mailed, those that were invited already, and the sender's own."""

    invited: Sequence[str]
    known: Sequence[str]
    own: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Accepted:
    """A seat taken by an invitation: whose, at which table, and the game if it has begun."""

    table: Table
    holder: Holder
    game: Game | None


def invites_sent(*, table_id: int, sender: User, addresses: str, now: datetime) -> Sent:
    """Invite the people of some pasted addresses to a table, by mail; all of them or none.

    What comes of it says nothing of who has an account: nobody's is looked up.

    Raises:
        AddressesUnfit: some of them are no addresses, or there are none.
        TooManyAddresses: more than fifty.
        EmailNeeded: the sender has no address.
        InviteLimit: so many were mailed today already.
        TableGone, NotHost, TableStarted, TableOver, TableClosed: as for every change by the host.
    """
    asked, wrong = addresses_read(addresses)
    if wrong or not asked:
        raise AddressesUnfit(tuple(wrong))
    if len(asked) > MOST_AT_ONCE:
        raise TooManyAddresses
    with writing():
        table = _host_table(table_id, sender)
        kept = {each.email: each for each in _pending(table, (each.email for each in asked))}
        known = [each.email for each in asked if each.email in kept and kept[each.email].expires > now]
        own = [each.email for each in asked if each.email == sender.email]
        fresh = [each for each in asked if each.email not in known and each.email not in own]
        _limit_kept(table, sender, len(fresh), now)
        Invite.objects.filter(pk__in=[each.pk for each in kept.values() if each.expires <= now]).update(revoked=now)
        for each in fresh:
            _invited(table, sender, each, now)
    return Sent([each.email for each in fresh], known, own)


def _host_table(table_id: int, sender: User) -> Table:
    """Return a table that waits for people, locked, for its host who may mail others."""
    table = _open_for(table_id, sender)
    if sender.guest:
        raise EmailNeeded
    return table


def _open_for(table_id: int, host: User, *also: str) -> Table:
    table = table_locked(table_id)
    if table.host_id != host.pk:
        raise NotHost
    ended = {Table.Status.RUNNING: TableStarted, Table.Status.OVER: TableOver, Table.Status.CLOSED: TableClosed}
    if table.status not in (Table.Status.OPEN, *also):
        raise ended[Table.Status(table.status)]
    return table


def _pending(table: Table, emails: Iterable[str]) -> Sequence[Invite]:
    """Return the invitations to some addresses that stand, accepted and expired ones too."""
    return list(Invite.objects.filter(table=table, email__in=list(emails), revoked=None, declined=None))


def _limit_kept(table: Table, sender: User, more: int, now: datetime) -> None:
    """Refuse mails beyond a day's.

    Raises:
        InviteLimit: there would be more than that.
    """
    # Whoever invites from many tables at once is counted once after the other.
    User.objects.select_for_update(no_key=True).filter(pk=sender.pk).first()
    today = Notice.objects.filter(kind="invite", created__gt=now - _DAY)
    young = sender.date_joined > now - _DAY
    if today.filter(table=table).count() + more > MOST_A_DAY:
        raise InviteLimit
    if today.filter(invite__sender=sender).count() + more > (MOST_WHEN_NEW if young else MOST_A_DAY):
        raise InviteLimit


def _invited(table: Table, sender: User | None, addressee: Addressee, now: datetime) -> Invite:
    """Store an invitation to an address, and that it shall be mailed."""
    invite = _stored(table=table, sender=sender, email=addressee.email, name=addressee.name, uses=1, now=now)
    notice_added(kind="invite", key=f"invite:{invite.pk}", now=now, email=invite.email, table=table, invite=invite)
    return invite


def _stored(*, table: Table, sender: User | None, now: datetime, life: timedelta = LIFE, **fields: Any) -> Invite:
    nonce = secrets.token_bytes(16)
    return Invite.objects.create(
        table=table,
        sender=sender,
        language=sender.language if sender else "",
        nonce=nonce,
        token_hash=token_hash(token_made(nonce, settings.SECRET_KEY)),
        expires=now + life,
        created=now,
        **fields,
    )


def invite_shared(
    *, table_id: int, sender: User, uses: int = MAX_SEATS, life: timedelta = LIFE, fresh: bool = True, now: datetime
) -> Invite:
    """Make the table's link anew, for so many people and so long; the one before it ends, and its QR code with it.

    A table for invited people only is from then on one for those who have the link. Unless it shall be *fresh*, a link
    that there is stays, and is returned.

    Raises:
        TableGone, NotHost, TableStarted, TableOver, TableClosed: as for every change by the host.
    """
    with writing():
        table = _open_for(table_id, sender)
        there = Invite.objects.filter(table=table, email="", revoked=None)
        kept = None if fresh else there.filter(expires__gt=now).first()
        if kept is not None:
            return kept
        there.update(revoked=now)
        if table.joins == Table.Joins.INVITED:
            table.joins = Table.Joins.LINK
            table.save(update_fields=["joins"])
        return _stored(table=table, sender=sender, uses=max(1, min(uses, MAX_SEATS)), life=life, now=now)


def invite_revoked(*, invite_id: int, table_id: int, host: User, now: datetime) -> None:
    """Take an invitation back: nobody sits down by it any more; whoever has sat down stays.

    With its link gone, a table for those who have it is one for invited people, and nobody watches any more who came by
    it: so it may go after the start, too.

    Raises:
        InviteGone: the table has no such invitation.
        TableGone, NotHost, TableClosed: as for every change by the host.
    """
    with writing():
        table = _open_for(table_id, host, Table.Status.RUNNING, Table.Status.OVER)
        invite = _at_table(table, invite_id)
        if invite.revoked is None:
            invite.revoked = now
            invite.save(update_fields=["revoked"])
        if not invite.email and table.joins == Table.Joins.LINK:
            table.joins = Table.Joins.INVITED
            table.save(update_fields=["joins"])


def _at_table(table: Table, invite_id: int) -> Invite:
    invite = Invite.objects.filter(pk=invite_id, table=table).first()
    if invite is None:
        raise InviteGone
    return invite


def invite_resent(*, invite_id: int, table_id: int, sender: User, now: datetime) -> Invite:
    """Mail a personal invitation again, good for two weeks from now; one that was ended or used gives way to a new one.

    Raises:
        InviteGone: the table has no such invitation.
        ResentTooSoon: it was mailed within ten minutes, or five times.
        EmailNeeded, InviteLimit: as for `invites_sent`.
        TableGone, NotHost, TableStarted, TableOver, TableClosed: as for every change by the host.
    """
    with writing():
        table = _host_table(table_id, sender)
        invite = _at_table(table, invite_id)
        if not invite.email:
            raise InviteGone
        mails = Notice.objects.filter(table=table, email=invite.email, kind="invite")
        if mails.filter(created__gt=now - RESEND_AFTER).exists() or mails.count() >= MOST_RESENT:
            raise ResentTooSoon
        _limit_kept(table, sender, 1, now)
        if invite.revoked or invite.declined or invite.accepted or not token_of(invite):
            _pending_revoked(table, invite.email, now)
            # As whoever typed the address: another host does not get to read it by sending again.
            return _invited(table, invite.sender, Addressee(invite.email, invite.name), now)
        invite.expires = now + LIFE
        invite.save(update_fields=["expires"])
        key = f"invite:{invite.pk}:{mails.count()}"
        notice_added(kind="invite", key=key, now=now, email=invite.email, table=table, invite=invite)
        return invite


def _pending_revoked(table: Table, email: str, now: datetime) -> None:
    Invite.objects.filter(table=table, email=email, revoked=None, declined=None).update(revoked=now)


def invite_accepted(*, invite_id: int, user: User, name: str = "", seat: int | None = None, now: datetime) -> Accepted:
    """Let a person sit down by an invitation, at *seat* or the first that is free; who sits there already stays.

    Everything is looked at again under the table's lock. The last seat starts a table that is to start when full.

    Raises:
        InviteGone, InviteRevoked, InviteDeclined, InviteExpired, InviteUsed: the invitation is no good (any more).
        TableFull, TableStarted, TableOver, TableClosed: the table is not to be joined.
        SeatTaken, SatBefore, NameTaken, NameUnfit: as for taking a seat.
    """
    with writing():
        table_id = Invite.objects.filter(pk=invite_id).values_list("table", flat=True).first()
        if table_id is None:
            raise InviteGone
        table = table_locked(table_id)
        invite = Invite.objects.get(pk=invite_id)
        holder = Holder.objects.filter(table=table, user=user, until=None).first()
        if holder is None:
            holder = _sat_down(table, invite, user, name, seat, now)
        return Accepted(table, holder, Game.objects.filter(table=table).order_by("-number").first())


def _sat_down(table: Table, invite: Invite, user: User, name: str, seat: int | None, now: datetime) -> Holder:
    fault = invite_fault(invite=invite, table=table, user=user, now=now)
    if fault is not None:
        raise FAULTS[fault]
    return seat_joined(table=table, user=user, name=name, seat=seat, invite=invite, now=now)
