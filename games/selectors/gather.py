"""A table that waits for people, as one of those sees it who may."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from accounts.names import looks, suggested
from games.models import Holder, Invite, Table
from games.rules.ruleset import ruleset_of
from games.selectors.access import invite_to, kept_apart, may_sit
from games.selectors.company import NotAtTable, by_code
from games.selectors.estimate import deals_left_by, estimate_words, span_words, usual_responses
from games.selectors.options import (
    JOINS_WORDS,
    LEVEL_WORDS,
    STARTS_WORDS,
    TIE_WORDS,
    WATCH_WORDS,
    RulesInWords,
    rules_in_words,
)
from games.selectors.paces import clock_facts


@dataclass(frozen=True, slots=True)
class Place:
    """A seat, counted from 1 as people do. kind: "me", "person", "bot" or "free".

    code: of the person's page, "" if the viewer may not look at it. response: how long they usually take, in words.
    left: how many deals they left. level: what the bot is called by.
    """

    seat: int
    kind: str
    name: str = ""
    host: bool = False
    code: str = ""
    response: str = ""
    left: int = 0
    level: str = ""

    @property
    def number(self) -> int:
        """The seat's number on the page."""
        return self.seat + 1


@dataclass(frozen=True, slots=True)
class Gathering:
    """A table before its start (or one that was closed before it).

    asked: the viewer may sit down, seats permitting. removed: the host took them away, and has not invited them since.
    ties: what becomes of equal losses, "" where there is one deal only. clocks: what there is to know of its clocks.
    called: the name they would have here. fewer: how many play if free seats are left out, 0 if the rules do not let so
    few.
    """

    table: Table
    host: str
    rules: RulesInWords
    ties: str
    joins: str
    watch: str
    starts: str
    clocks: tuple[tuple[str, str], ...]
    estimate: str
    places: tuple[Place, ...]
    hosts: bool
    seated: bool
    asked: bool
    removed: bool
    called: str
    fewer: int

    @property
    def free(self) -> tuple[Place, ...]:
        """The seats at which nobody sits."""
        return tuple(each for each in self.places if each.kind == "free")

    @property
    def others(self) -> tuple[Place, ...]:
        """The seats that other people and bots hold."""
        return tuple(each for each in self.places if each.kind in ("person", "bot"))

    @property
    def people(self) -> tuple[Place, ...]:
        """The seats that other people hold."""
        return tuple(each for each in self.places if each.kind == "person")

    @property
    def closed(self) -> bool:
        """Whether it will never start."""
        return self.table.status == Table.Status.CLOSED


def gathering(*, viewer: User, code: str, invited: Collection[int] = (), now: datetime) -> Gathering | None:
    """Return a table as it is before its start; None if it has started.

    *invited* are the invitations by which the viewer came.

    Raises:
        NotAtTable: there is no such table, or the viewer may not look at it.
    """
    table = by_code(Table.objects.select_related("host"), code)
    if table.status not in (Table.Status.OPEN, Table.Status.CLOSED):
        return None
    rows = list(Holder.objects.filter(table=table).select_related("seat", "user"))
    holders = [each for each in rows if each.until is None]
    mine = next((each for each in holders if each.user_id == viewer.pk), None)
    inside = mine is not None or table.host_id == viewer.pk
    invite = invite_to(table=table, user=viewer, remembered=invited, now=now) if mine is None else None
    asked = mine is None and may_sit(table, viewer, invite) and not (viewer.guest and invite is None)
    if not inside and not (asked or _looks_on(table)):
        raise NotAtTable
    if not inside and (table.status == Table.Status.CLOSED or kept_apart(table.host_id, viewer.pk)):
        raise NotAtTable
    removed = asked and _taken_off([each for each in rows if each.user_id == viewer.pk], invite)
    return _gathering(table, viewer, holders, asked=asked, removed=removed, now=now)


def table_like(*, viewer: User, code: str) -> Table | None:
    """Return a table of which a person may make one like it: one at which they sat, or that anybody could join."""
    sat = Q(pk__in=Holder.objects.filter(user=viewer).values("table"))
    rows = Table.objects.filter(sat | Q(joins=Table.Joins.LOBBY))
    try:
        return by_code(rows, code)
    except NotAtTable:
        return None


def _taken_off(past: Sequence[Holder], invite: Invite | None) -> bool:
    """Tell whether the host took away who sat at these seats, and has not invited them since."""
    return any(each.until is not None and (invite is None or invite.created <= each.until) for each in past)


def _looks_on(table: Table) -> bool:
    """Tell whether everybody who is signed in may look at a table that waits."""
    return table.joins == Table.Joins.LOBBY or table.watch == Table.Watch.ANYONE


def _gathering(
    table: Table, viewer: User, holders: Sequence[Holder], *, asked: bool, removed: bool, now: datetime
) -> Gathering:
    rules = ruleset_of(table.rules)
    people = [each.user_id for each in holders if each.user_id is not None]
    responses = usual_responses(people, now)
    seated = viewer.pk in people
    known = seated or table.host_id == viewer.pk or _looks_on(table)
    places = _places(table, viewer, holders, responses, known=known)
    free = table.seats - len(holders)
    names = [each.name for each in holders if not each.bot]
    taken = any(looks(viewer.name) & looks(name) for name in names)
    return Gathering(
        table=table,
        host=table.host.name if table.host else "",
        rules=rules_in_words(rules),
        ties=TIE_WORDS[table.tie_break] if table.deals > 1 else "",
        joins=JOINS_WORDS[table.joins],
        watch=WATCH_WORDS[table.watch],
        starts=STARTS_WORDS[table.starts],
        clocks=clock_facts(table),
        estimate=estimate_words(table=table, people=[*map(responses.get, people), *[None] * free]),
        places=places,
        hosts=table.host_id == viewer.pk,
        seated=seated,
        asked=asked,
        removed=removed,
        called=suggested(viewer.name, names) if taken else viewer.name,
        fewer=len(holders) if free and len(holders) in rules.seats else 0,
    )


def _places(
    table: Table, viewer: User, holders: Sequence[Holder], responses: Mapping[int, timedelta], *, known: bool
) -> tuple[Place, ...]:
    left = deals_left_by([each.user_id for each in holders if each.user_id is not None])
    taken = {each.seat.number: _place(each, table, viewer, responses, left, known=known) for each in holders}
    return tuple(taken.get(seat) or Place(seat, "free") for seat in range(table.seats))


def _place(
    holder: Holder,
    table: Table,
    viewer: User,
    responses: Mapping[int, timedelta],
    left: Mapping[int, int],
    *,
    known: bool,
) -> Place:
    user = holder.user
    if user is None:
        return Place(holder.seat.number, "bot", holder.name, level=LEVEL_WORDS.get(holder.bot, ""))
    return Place(
        seat=holder.seat.number,
        kind="me" if user == viewer else "person",
        name=holder.name,
        host=user.pk == table.host_id,
        code=user.code if known else "",
        response=span_words(responses.get(user.pk)),
        left=left.get(user.pk, 0),
    )
