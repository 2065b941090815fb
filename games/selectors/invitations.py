"""A table's invitations as its host sees them: to whom, what has become of each, and the link to pass on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from urllib.parse import quote

import segno
from django.db.models import Exists, OuterRef, Prefetch
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from accounts.fields import masked
from accounts.models import User
from games.models import Holder, Invite, Notice, Table
from games.selectors.access import apart_from
from games.selectors.invites import seats_free, uses_of
from games.selectors.tokens import invite_url, token_of


class State(StrEnum):
    """What has become of an invitation."""

    SENT = "sent"
    JOINED = "joined"
    DECLINED = "declined"
    REVOKED = "revoked"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation as the host sees it: the address, what has become of it, never its token.

    The address is masked if another host has typed it. `lost` says that the mail server took no mail for it.
    """

    id: int
    email: str
    name: str
    state: State
    lost: bool
    at: datetime
    sitter: str


@dataclass(frozen=True, slots=True)
class Link:
    """A table's shared link, with a way to pass it on; `left` more people may come by it."""

    id: int
    url: str
    left: int
    expires: datetime
    text: str
    whatsapp: str
    qr: SafeString


@dataclass(frozen=True, slots=True)
class Invitations:
    """The host's part of a table that has not started; without a `link` one can be made. A guest mails nobody.

    free: how many people may sit down still.
    again: the names of those who sat at the table that this one repeats, are asked here, and have not sat down.
    """

    code: str
    free: int
    invited: Sequence[Invited]
    link: Link | None
    can_mail: bool
    again: Sequence[str]


def invitations(*, table: Table, viewer: User, free: int | None = None, now: datetime) -> Invitations | None:
    """Return the host's part of a table that waits for people; None for everybody else and once it has started.

    *free* is how many may sit down still, if the caller knows.
    """
    if table.host_id != viewer.pk or table.status != Table.Status.OPEN:
        return None
    sitting = Prefetch("holder_set", Holder.objects.filter(until=None), to_attr="sitting")
    tried = Notice.objects.filter(invite=OuterRef("pk"), gone__isnull=False, tries__gt=0)
    rows = Invite.objects.filter(table=table).annotate(lost=Exists(tried)).prefetch_related(sitting)
    rows = rows.order_by("created", "pk")
    newest = {each.email: each for each in rows if each.email}
    shared = next((each for each in rows if not each.email and each.revoked is None), None)
    free = seats_free(table) if free is None else free
    return Invitations(
        code=table.code,
        free=free,
        invited=[_invited(each, viewer, now) for each in newest.values()],
        link=_link(shared, table, free) if shared is not None and shared.expires > now else None,
        can_mail=not viewer.guest,
        again=_again(table, viewer),
    )


def watchers_link(*, viewer: User, code: str) -> int | None:
    """Return the number of the link by which people watch a table that has started, for its host; None if none do."""
    rows = Invite.objects.filter(table__code=code, table__host=viewer, email="", revoked=None)
    return rows.exclude(table__watch=Table.Watch.NOBODY).values_list("pk", flat=True).first()


def _again(table: Table, host: User) -> Sequence[str]:
    if table.like_id is None:
        return ()
    here = Holder.objects.filter(table=table, user__isnull=False).values("user")
    before = Holder.objects.filter(table=table.like_id, until=None, user__isnull=False)
    before = before.exclude(user__in=here).exclude(user=host).exclude(user__in=apart_from(host))
    return list(before.order_by("seat__number").values_list("name", flat=True))


def _invited(invite: Any, viewer: User, now: datetime) -> Invited:
    sitting: list[Holder] = invite.sitting
    email = invite.email if invite.sender_id == viewer.pk else masked(invite.email)
    states = (
        (State.JOINED, bool(sitting)),
        (State.REVOKED, invite.revoked is not None),
        (State.DECLINED, invite.declined is not None),
        (State.EXPIRED, invite.expires <= now),
    )
    state = next((state for state, holds in states if holds), State.SENT)
    at = invite.accepted or invite.declined or invite.revoked or invite.sent or invite.created
    lost = invite.lost and invite.sent is None
    return Invited(invite.pk, email, invite.name, state, lost, at, sitting[0].name if sitting else "")


def _link(invite: Invite, table: Table, free: int) -> Link | None:
    """Return the shared link; None if the site's key was changed, so that nobody can show it any more."""
    token = token_of(invite)
    if not token:
        return None
    url = invite_url(token)
    text = share_text(table)
    whatsapp = "https://wa.me/?text=" + quote(f"{text} {url}")
    return Link(
        invite.pk,
        url,
        max(min(invite.uses - uses_of(invite), free), 0),
        invite.expires,
        text,
        whatsapp,
        qr_code(url),
    )


def share_text(table: Table) -> str:
    """Return the sentence that goes before a link in a chat, in the language that is spoken now: the sender's."""
    return gettext("Come and play Getaway with me at “%(table)s”. Take a seat here:") % {"table": table.name}


def qr_code(url: str) -> SafeString:
    """Return the QR code of an address as an SVG element, without styles of its own."""
    made = segno.make(url, error="m", micro=False)
    # Numbers and our own class names only: the address is in it as squares.
    return mark_safe(made.svg_inline(scale=4, omitsize=True, svgclass="qr", lineclass="qr-ink"))  # noqa: S308
