"""Invitations as whoever holds one reads them, and people who are invited."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import FETCH_RAISE, Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Block, User
from accounts.names import looks, suggested
from games.models import Holder, Invite, Table
from games.rules.ruleset import ruleset_of
from games.selectors.access import apart_from, kept_apart
from games.selectors.estimate import estimate_words, usual_responses
from games.selectors.options import RulesInWords, rules_in_words
from games.selectors.paces import clock_facts


class Fault(StrEnum):
    """Why an invitation lets nobody sit down."""

    REVOKED = "revoked"
    CLOSED = "closed"
    OVER = "over"
    STARTED = "started"
    DECLINED = "declined"
    EXPIRED = "expired"
    USED = "used"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at a table: `bot` says that it is none of people."""

    name: str
    bot: bool
    host: bool


@dataclass(frozen=True, slots=True)
class Similar:
    """An open table that anybody may join."""

    code: str
    name: str
    rules: str
    free: int
    seats: int


@dataclass(frozen=True, slots=True)
class InvitePage:
    """What whoever holds an invitation sees of it and its table.

    `host` is whose table it is now, "" if nobody's; `sender` who invited, "" if that person is gone or it is the same.
    `seat_of` is the viewer's seat: they sit there already. `other` says that the invitation was for somebody else than
    the viewer. With a `fault` nothing is shown of who sits there.
    """

    table: Table
    personal: bool
    name: str
    host: str
    sender: str
    rules: RulesInWords
    clocks: tuple[tuple[str, str], ...]
    estimate: str
    sitters: Sequence[Sitter]
    free: int
    fault: Fault | None
    seated: bool
    other: bool
    expires: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A table to which a person is invited and where a seat is free. personal: by mail, which they may decline."""

    code: str
    table: str
    host: str
    rules: str
    free: int
    seats: int
    personal: bool


def preset_of(rules: Any) -> str:
    """Return what rules as they are stored are called."""
    return rules_in_words(ruleset_of(rules)).name


def addresses_of(user: User) -> frozenset[str]:
    """Return the addresses that a person has shown to be theirs, in lower case."""
    rows = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return frozenset(map(str.lower, rows))


def live_invites(now: datetime) -> QuerySet[Invite]:
    """Return the invitations that somebody may still sit down by, as far as they themselves say."""
    return Invite.objects.filter(revoked=None, declined=None, expires__gt=now)


def invite_fault(*, invite: Invite, table: Table, user: User | None, now: datetime) -> Fault | None:
    """Return why an invitation lets a person, or somebody unknown, not sit down; None if it does."""
    ended = {Table.Status.CLOSED: Fault.CLOSED, Table.Status.OVER: Fault.OVER, Table.Status.RUNNING: Fault.STARTED}
    checks = (
        (Fault.REVOKED, invite.revoked is not None),
        (ended.get(Table.Status(table.status)), table.status != Table.Status.OPEN),
        (Fault.DECLINED, invite.declined is not None),
        (Fault.EXPIRED, invite.expires <= now),
    )
    found = next((fault for fault, holds in checks if holds), None)
    if found is None and _used(invite):
        found = Fault.USED
    if found is None and (seats_free(table) == 0 or _kept_apart(table, user)):
        found = Fault.FULL
    return found


def _used(invite: Invite) -> bool:
    """Tell whether as many as may have come by an invitation."""
    return invite.accepted is not None if invite.email else uses_of(invite) >= invite.uses


def uses_of(invite: Invite) -> int:
    """Return how many people have sat down by an invitation and not left again before the start."""
    return Holder.objects.filter(invite=invite, user__isnull=False).values("user").distinct().count()


def seats_free(table: Table) -> int:
    """Return how many seats of a table nobody holds."""
    return table.seats - Holder.objects.filter(table=table, until=None).count()


def _kept_apart(table: Table, user: User | None) -> bool:
    """Tell whether a person and the host of a table keep apart: told as if no seat were free."""
    return user is not None and kept_apart(table.host_id, user.pk)


def invite_page(*, invite: Invite, viewer: User | None, now: datetime) -> InvitePage:
    """Return what an invitation shows to whoever opened it; nothing is written."""
    table = invite.table
    seated = viewer is not None and Holder.objects.filter(table=table, user=viewer, until=None).exists()
    fault = None if seated else invite_fault(invite=invite, table=table, user=viewer, now=now)
    other = bool(viewer is not None and invite.email and invite.email not in addresses_of(viewer))
    host, sender = (table.host.name if table.host else ""), (invite.sender.name if invite.sender else "")
    return InvitePage(
        table=table,
        personal=bool(invite.email),
        name=invite.name,
        host=host,
        sender="" if invite.sender_id == table.host_id else sender,
        rules=rules_in_words(ruleset_of(table.rules)),
        clocks=clock_facts(table),
        estimate="" if fault else _estimate(table, now),
        sitters=() if fault else sitters_of(table),
        free=seats_free(table),
        fault=fault,
        seated=seated,
        other=other,
        expires=invite.expires,
    )


def _estimate(table: Table, now: datetime) -> str:
    """Say how long a table will take those who sit there, and as many others as there are free seats."""
    seated = Holder.objects.filter(table=table, until=None, user__isnull=False)
    people = list(seated.values_list("user", flat=True))
    responses = usual_responses(people, now)
    paces = [*map(responses.get, people), *[None] * seats_free(table)]
    return estimate_words(table=table, people=paces)


def sitters_of(table: Table) -> list[Sitter]:
    """Return who sits at a table, by their seats."""
    rows = Holder.objects.filter(table=table, until=None).order_by("seat__number")
    return [
        Sitter(each.name, bool(each.bot), each.user_id is not None and each.user_id == table.host_id) for each in rows
    ]


def similar_tables(*, table: Table, viewer: User | None) -> list[Similar]:
    """Return at most three open tables that anybody may join: the same rules first, then as many seats."""
    rows = with_taken(Table.objects.filter(status=Table.Status.OPEN, joins=Table.Joins.LOBBY)).exclude(pk=table.pk)
    if viewer is not None:
        away = Block.objects.filter(Q(owner=viewer) | Q(other=viewer)).values_list("owner", "other")
        rows = rows.exclude(host__in={each for pair in away for each in pair} | {viewer.pk})
        rows = rows.exclude(pk__in=Holder.objects.filter(user=viewer).values("table"))
    found = list(rows.filter(taken__lt=F("seats")).order_by("-created")[:30])
    found.sort(key=lambda each: (each.rules != table.rules, abs(each.seats - table.seats)))
    return [
        Similar(each.code, each.name, preset_of(each.rules), each.seats - each.taken, each.seats) for each in found[:3]
    ]


def with_taken(rows: QuerySet[Table]) -> Any:
    """Return tables with how many of their seats are held, as `taken`: asked of those alone that are looked at."""
    held = Holder.objects.filter(table=OuterRef("pk"), until=None).order_by().values("table")
    return rows.annotate(taken=Coalesce(Subquery(held.annotate(count=Count("pk")).values("count")), 0))


def invited(*, viewer: User, now: datetime) -> list[Asked]:
    """Return the open tables that a person was asked to and has no seat at, the newest first.

    They are asked by an invitation to one of their addresses, or as one of those whose table is opened again.
    """
    mine = live_invites(now).filter(email__in=addresses_of(viewer), accepted=None).exclude(email="")
    here = Holder.objects.filter(user=viewer)
    again = Table.objects.filter(like__in=here.filter(until=None).values("table"))
    asked = Table.objects.filter(pk__in=mine.values("table").union(again.values("pk")), status=Table.Status.OPEN)
    rows = with_taken(asked.exclude(pk__in=here.values("table"))).filter(taken__lt=F("seats"))
    rows = rows.annotate(personal=Exists(mine.filter(table=OuterRef("pk"))))
    found = rows.select_related("host").fetch_mode(FETCH_RAISE).order_by("-created")[:20]
    apart = apart_from(viewer)
    return [_asked(each) for each in found if each.host_id not in apart]


def _asked(table: Any) -> Asked:
    host = table.host.name if table.host else ""
    rules, free = preset_of(table.rules), table.seats - table.taken
    return Asked(table.code, table.name, host, rules, free, table.seats, table.personal)


def name_instead(table: Table, name: str) -> str:
    """Return another name if somebody who sits at a table is called that, or looks like it; "" if nobody is."""
    names = [each.name for each in sitters_of(table) if not each.bot]
    return suggested(name, names) if any(looks(name) & looks(each) for each in names) else ""
