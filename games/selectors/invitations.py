"""A table's invitations as its host sees them: to whom, what has become of each, and the link to pass on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import quote

import segno
from django.db.models import Prefetch
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from accounts.models import User
from games.models import Holder, Invite, Table
from games.selectors.invites import uses_of
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
    """An invitation as the host sees it: the address, what has become of it, never its token."""

    id: int
    email: str
    name: str
    state: State
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
    """The host's part of a table that has not started; without a `link` one can be made. A guest mails nobody."""

    code: str
    seats: int
    invited: Sequence[Invited]
    link: Link | None
    can_mail: bool


def invitations(*, table: Table, viewer: User, now: datetime) -> Invitations | None:
    """Return the host's part of a table that waits for people; None for everybody else and once it has started."""
    if table.host_id != viewer.pk or table.status != Table.Status.OPEN:
        return None
    sitting = Prefetch("holder_set", Holder.objects.filter(until=None), to_attr="sitting")
    rows = Invite.objects.filter(table=table).prefetch_related(sitting).order_by("created", "pk")
    newest = {each.email: each for each in rows if each.email}
    shared = next((each for each in rows if not each.email and each.revoked is None), None)
    return Invitations(
        code=table.code,
        seats=table.seats,
        invited=[_invited(each, now) for each in newest.values()],
        link=_link(shared, table) if shared is not None and shared.expires > now else None,
        can_mail=not viewer.guest,
    )


def _invited(invite: Invite, now: datetime) -> Invited:
    sitting: list[Holder] = getattr(invite, "sitting", [])
    states = (
        (State.JOINED, bool(sitting)),
        (State.REVOKED, invite.revoked is not None),
        (State.DECLINED, invite.declined is not None),
        (State.EXPIRED, invite.expires <= now),
    )
    state = next((state for state, holds in states if holds), State.SENT)
    at = invite.accepted or invite.declined or invite.revoked or invite.sent or invite.created
    return Invited(invite.pk, invite.email, invite.name, state, at, sitting[0].name if sitting else "")


def _link(invite: Invite, table: Table) -> Link | None:
    """Return the shared link; None if the site's key was changed, so that nobody can show it any more."""
    token = token_of(invite)
    if not token:
        return None
    url = invite_url(token)
    text = share_text(table)
    whatsapp = "https://wa.me/?text=" + quote(f"{text} {url}")
    return Link(invite.pk, url, max(invite.uses - uses_of(invite), 0), invite.expires, text, whatsapp, qr_code(url))


def share_text(table: Table) -> str:
    """Return the sentence that goes before a link in a chat, in the language that is spoken now: the sender's."""
    return gettext("Come and play Getaway with me at “%(table)s”. Take a seat here:") % {"table": table.name}


def qr_code(url: str) -> SafeString:
    """Return the QR code of an address as an SVG element, without styles of its own."""
    made = segno.make(url, error="m", micro=False)
    # Numbers and our own class names only: the address is in it as squares.
    return mark_safe(made.svg_inline(scale=4, omitsize=True, svgclass="qr", lineclass="qr-ink"))  # noqa: S308
