"""A guest who becomes part of an account: what they played, and all that hangs on it, is the account's."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Model, Q

from accounts.forgetting import person_forgotten
from accounts.models import Block, User
from accounts.services import sessions_ended
from games.models import (
    Audit,
    Extension,
    Game,
    Holder,
    Invite,
    Notice,
    Pause,
    PushDevice,
    Report,
    Seen,
    Table,
    Vacation,
)
from games.selectors.access import kept_apart
from games.services.letters.office import PERSON
from games.services.locks import writing
from games.services.office.acting import audited, reason, told
from games.services.office.errors import MergeUnfit
from games.services.office.holding import check_below, held
from games.services.office.seen import check_seen
from games.services.pauses import table_retimed
from games.services.rating_marks import deals_to_rate_again

MOVED: Final[Mapping[type[Model], Sequence[str]]] = {
    Extension: ["user"],
    Game: ["objected"],
    Invite: ["sender"],
    Notice: ["user"],
    Pause: ["by"],
    Table: ["host"],
    Vacation: ["user"],
}
"""What becomes the account's as it is. Seats, marks of what was seen, blocks and reports are looked at one by one."""

DROPPED: Final = frozenset(
    {
        "account.EmailAddress.user",
        "accounts.HistoricalUser.history_user",
        "accounts.User_groups.user",
        "accounts.User_user_permissions.user",
        "admin.LogEntry.user",
        "games.Audit.by",
        "games.Audit.person",
        "games.HistoricalReport.history_user",
        "games.HistoricalTable.history_user",
        "games.PushDevice.user",
        "games.Rating.user",
        "mfa.Authenticator.user",
        "usersessions.UserSession.user",
    }
)
"""What goes with the guest: none of it may let the guest's browser in to the account."""


def guest_merge(*, guest_id: int, into_id: int, by: User, why: str, seen: str, now: datetime) -> Audit:
    """Make a guest part of an account: their seats and results are its own, the guest's browser is signed out.

    What they are called at their tables stays.

    Raises:
        UserGone: there is no such guest, or no such account.
        Changed: the guest is not as the operator's page showed them.
        NotYourself, AboveYou: the account is not this operator's to change.
        MergeUnfit: why the two cannot be one.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    if guest_id == into_id:
        raise MergeUnfit("Choose another account: this is the guest.")
    with writing():
        people, tables = held([guest_id, into_id], lambda _: _tables_of(guest_id), whole=True)
        guest, into = sorted(people, key=lambda each: each.pk != guest_id)
        check_seen(guest, seen)
        for each in people:
            check_below(user=each, by=by)
        _check_fit(guest, into, tables)
        seats = _moved(guest, into)
        deals_to_rate_again(user=into)
        sessions_ended(guest)
        person_forgotten(user=guest, names=())
        for table in tables:
            # Somebody else sits there, for whom other days away may count.
            table_retimed(table=table)
        audit = audited(
            action=Audit.Action.MERGE,
            by=by,
            why=why,
            person=into,
            after={"tables": [each.code for each in tables], "seats": seats},
            now=now,
        )
        told(audit=audit, kind=PERSON, people=[into.pk], now=now)
        return audit


def _tables_of(guest_id: int) -> Q:
    return Q(pk__in=Holder.objects.filter(user=guest_id).values("table")) | Q(host=guest_id)


def _check_fit(guest: User, into: User, tables: Sequence[Table]) -> None:
    """Check that two people can be one.

    Raises:
        MergeUnfit: why they cannot.
    """
    if not guest.guest or into.guest:
        raise MergeUnfit("Only a guest, who has no address, becomes part of an account, which has one.")
    if not (guest.is_active and into.is_active) or guest.erase_at or into.erase_at:
        raise MergeUnfit("One of the two is kept out, or about to be deleted.")
    if kept_apart(guest.pk, into.pk):
        raise MergeUnfit("One of the two keeps the other away.")
    if Holder.objects.filter(user=into, table__in=tables).exists():
        raise MergeUnfit("Both have sat at the same table: nobody has two seats there.")
    if any(kept_apart(each.host_id, into.pk) for each in tables if each.host_id != guest.pk):
        raise MergeUnfit("The host of a table at which the guest sat and the account keep apart.")


def _moved(guest: User, into: User) -> int:
    """Let everything of a guest be the account's, and return how many seats that are."""
    seats = list(Holder.objects.filter(user=guest))
    for holder in seats:
        # Saved one by one: that rings for the person and the table.
        holder.user = into
        holder.save(update_fields=["user"])
    for model, names in MOVED.items():
        for name in names:
            model._default_manager.filter(**{name: guest}).update(**{name: into})  # noqa: SLF001 - as Django does
    for move in LOOKED_AT.values():
        move(guest, into)
    _wishes_moved(guest, into)
    PushDevice.objects.filter(user=guest).delete()
    return len(seats)


def _seen_moved(guest: User, into: User) -> None:
    """Keep the further mark of each game."""
    marks = dict(Seen.objects.filter(user=into).values_list("game", "number"))
    for row in Seen.objects.filter(user=guest):
        if row.game_id not in marks:
            row.user = into
            row.save(update_fields=["user"])
        elif row.number > marks[row.game_id]:
            Seen.objects.filter(user=into, game=row.game_id).update(number=row.number)


def _blocks_moved(guest: User, into: User) -> None:
    """Keep away whom either kept away, and from either; the two do not keep each other away."""
    pairs = [(into.pk, other) for other in Block.objects.filter(owner=guest).values_list("other", flat=True)]
    pairs += [(owner, into.pk) for owner in Block.objects.filter(other=guest).values_list("owner", flat=True)]
    for owner, other in pairs:
        Block.objects.get_or_create(owner_id=owner, other_id=other)


def _reports_moved(guest: User, into: User) -> None:
    """Let reports be by and about the account, but none about oneself, and none of which there is an open one."""
    for row in Report.objects.filter(Q(by=guest) | Q(about=guest)).select_related("table"):
        by = into.pk if row.by_id == guest.pk else row.by_id
        about = into.pk if row.about_id == guest.pk else row.about_id
        of_table = row.kind == Report.Kind.TABLE
        same = Report.objects.filter(by=by, kind=row.kind, state=Report.State.OPEN).exclude(pk=row.pk)
        same = same.filter(table=row.table_id) if of_table else same.filter(about=about)
        own = row.table.host_id if of_table and row.table is not None else about
        if by == own or (row.state == Report.State.OPEN and by and same.exists()):
            continue
        Report.objects.filter(pk=row.pk).update(by=by, about=about)


def _wishes_moved(guest: User, into: User) -> None:
    """Keep what the account has chosen, and of what it has not what the guest has."""
    if isinstance(guest.notices, dict) and isinstance(into.notices, dict):
        into.notices = {**guest.notices, **into.notices}
    into.zone, into.language = into.zone or guest.zone, into.language or guest.language
    into.save(update_fields=["notices", "zone", "language"])


LOOKED_AT: Final[Mapping[str, Callable[[User, User], None]]] = {
    "games.Seen": _seen_moved,
    "accounts.Block": _blocks_moved,
    "games.Report": _reports_moved,
}
