"""People: keeping somebody out and letting them in again, and giving them another name."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from accounts.names import name_cleaned, name_problem
from accounts.services import sessions_ended
from games.models import Audit, Holder, Table
from games.services.errors import NameUnfit
from games.services.hosting import newest_game
from games.services.letters.office import PERSON
from games.services.locks import writing
from games.services.office.acting import audited, history, reason, told
from games.services.office.errors import BannedAlready, BeingErased, NotBanned
from games.services.office.holding import check_below, held
from games.services.office.merging import guest_merge
from games.services.office.seen import check_seen
from games.services.people import called_at
from games.services.projections import board_changed
from games.services.seats import host_passed, seat_emptied
from games.services.stand_ins import stood_in
from games.services.votes import vote_recounted

__all__ = ["banned", "guest_merge", "person_ban", "person_named", "person_release", "person_rename", "tables_of"]


def person_ban(*, user_id: int, by: User, why: str, seen: str, now: datetime) -> Audit:
    """Keep a person out: their sessions end, and bots play for them at once, so that their tables go on.

    Their seats stay theirs, except at tables that have not started; tables of theirs pass to others.

    Raises:
        UserGone: there is no such person.
        Changed: they are not as the operator's page showed them.
        NotYourself, AboveYou: they are not this operator's to keep out.
        BannedAlready: they are kept out.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        user, tables = _held(user_id, seen)
        return banned(user=user, tables=tables, by=by, why=why, now=now)


def banned(*, user: User, tables: Sequence[Table], by: User, why: str, now: datetime) -> Audit:
    """Keep a person out whom, with the tables of theirs, this transaction holds; *why* is a reason.

    Raises:
        NotYourself, AboveYou, BannedAlready: as `person_ban`.
    """
    check_below(user=user, by=by)
    if not user.is_active:
        raise BannedAlready
    with history(user, by=by, why=why):
        user.is_active = False
        user.save(update_fields=["is_active"])
    sessions_ended(user)
    waits = set(Table.objects.filter(_held_up([user.pk])).values_list("pk", flat=True))
    going_on = [table for table in tables if table.pk in waits]
    for table in going_on:
        _kept_from(table, user, now)
    audit = audited(
        action=Audit.Action.BAN,
        by=by,
        why=why,
        person=user,
        before={"active": True},
        after={"active": False, "tables": [table.code for table in going_on]},
        now=now,
    )
    told(audit=audit, kind=PERSON, people=[user.pk], now=now)
    return audit


def person_release(*, user_id: int, by: User, why: str, seen: str, now: datetime) -> Audit:
    """Let a person in again who was kept out; they take their seats back by saying that they are there.

    Raises:
        UserGone: there is no such person.
        Changed: they are not as the operator's page showed them.
        NotYourself, AboveYou: they are not this operator's to let in.
        NotBanned, BeingErased: they are not kept out, or are being erased.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        user, _ = _held(user_id, seen)
        check_below(user=user, by=by)
        if user.is_active:
            raise NotBanned
        if user.erase_at is not None and user.erase_at <= now:
            raise BeingErased
        with history(user, by=by, why=why):
            user.is_active = True
            user.save(update_fields=["is_active"])
        audit = audited(
            action=Audit.Action.RELEASE,
            by=by,
            why=why,
            person=user,
            before={"active": False},
            after={"active": True},
            now=now,
        )
        told(audit=audit, kind=PERSON, people=[user.pk], now=now)
        return audit


def person_rename(*, user_id: int, by: User, why: str, name: str, seen: str, now: datetime) -> Audit:
    """Give a person another name, by which they are called at every table, or by one like it if it is taken there.

    Raises:
        UserGone: there is no such person.
        Changed: they are not as the operator's page showed them.
        NotYourself, AboveYou: they are not this operator's to name.
        NameUnfit: what is wrong with the name.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        user, tables = _held(user_id, seen)
        return person_named(user=user, tables=tables, by=by, why=why, name=name, now=now)


def person_named(*, user: User, tables: Sequence[Table], by: User, why: str, name: str, now: datetime) -> Audit:
    """Give a person another name whom, with the tables of theirs, this transaction holds; *why* is a reason.

    Raises:
        NotYourself, AboveYou, NameUnfit: as `person_rename`.
    """
    check_below(user=user, by=by)
    name = name_cleaned(name)
    fault = name_problem(name)
    if fault or name == user.name:
        raise NameUnfit(fault or "That is what they are called already.")
    before = user.name
    with history(user, by=by, why=why):
        user.name = name
        user.save(update_fields=["name"])
    for table in tables:
        called_at(table=table, user=user, surely=True)
        _past_renamed(table, user, before)
    # Neither name: they may be erased one day.
    audit = audited(action=Audit.Action.RENAME, by=by, why=why, person=user, after={"of": "person"}, now=now)
    told(audit=audit, kind=PERSON, people=[user.pk], now=now)
    return audit


def _held(user_id: int, seen: str) -> tuple[User, Sequence[Table]]:
    """Return a person as the operator's page showed them, and the tables that they sit or sat at, or have.

    Raises:
        UserGone, Changed: there is no such person, or they are otherwise.
    """
    holding = held([user_id], tables_of)
    (user,) = holding.people
    check_seen(user, seen)
    return user, holding.tables


def _past_renamed(table: Table, user: User, before: str) -> None:
    """Call a person by their name at a table that they have left, too: they are still read about there."""
    past = Holder.objects.filter(table=table, user=user, name=before).exclude(until=None)
    game = newest_game(table) if past.update(name=user.name) else None
    if game is not None:
        board_changed(game=game)


def tables_of(user_ids: Collection[int]) -> Q:
    """Return what says which tables somebody sits or sat at, or is the host of."""
    return Q(pk__in=Holder.objects.filter(user__in=user_ids).values("table")) | _held_up(user_ids)


def _held_up(user_ids: Collection[int]) -> Q:
    """Return what says at which of them somebody plays or may, so that they wait for who is kept out."""
    sits = Q(pk__in=Holder.objects.filter(user__in=user_ids, until=None).values("table"))
    return Q(status__in=[Table.Status.OPEN, Table.Status.RUNNING]) & (sits | Q(host__in=user_ids))


def _kept_from(table: Table, user: User, now: datetime) -> None:
    """Let a table go on without somebody who is kept out."""
    holder = Holder.objects.filter(table=table, user=user, until=None).select_related("seat", "user").first()
    if holder is not None and table.status == Table.Status.OPEN:
        seat_emptied(table=table, holder=holder, now=now)
    elif holder is not None:
        stood_in(table=table, holder=holder, now=now)
        vote_recounted(table=table, now=now)
    if table.host_id == user.pk:
        host_passed(table=table, user=user, now=now)
