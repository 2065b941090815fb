"""People: keeping somebody out and letting them in again, and giving them another name."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from accounts.names import name_cleaned, name_problem
from accounts.services import sessions_ended
from games.models import Audit, Holder, Table
from games.services.errors import NameUnfit
from games.services.locks import table_locked, writing
from games.services.office.acting import PERSON, audited, reason, told
from games.services.office.errors import AboveYou, BannedAlready, BeingErased, NotBanned, NotYourself, UserGone
from games.services.office.seen import check_seen
from games.services.people import called_at
from games.services.seats import host_passed, seat_emptied
from games.services.stand_ins import stood_in
from games.services.votes import vote_recounted


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
        user = _held(user_id, by, seen)
        if not user.is_active:
            raise BannedAlready
        user.is_active = False
        user.save(update_fields=["is_active"])
        sessions_ended(user)
        tables = [table_locked(table_id) for table_id in _tables_of(user)]
        for table in tables:
            _kept_from(table, user, now)
        codes = [table.code for table in tables]
        audit = audited(
            action=Audit.Action.BAN,
            by=by,
            why=why,
            person=user,
            before={"active": True},
            after={"active": False, "tables": codes},
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
        user = _held(user_id, by, seen)
        if user.is_active:
            raise NotBanned
        if user.erase_at is not None and user.erase_at <= now:
            raise BeingErased
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
    """Give a person another name, by which they are called at every table where nobody looks called that.

    Raises:
        UserGone: there is no such person.
        Changed: they are not as the operator's page showed them.
        NotYourself, AboveYou: they are not this operator's to name.
        NameUnfit: what is wrong with the name.
        ReasonNeeded: no reason was given.
    """
    why, name = reason(why), name_cleaned(name)
    fault = name_problem(name)
    with writing():
        user = _held(user_id, by, seen)
        if fault or name == user.name:
            raise NameUnfit(fault or "That is what they are called already.")
        user.name = name
        user.save(update_fields=["name"])
        for table_id in _sits_at(user):
            called_at(table=table_locked(table_id), user=user)
        # Neither name: they may be erased one day.
        audit = audited(action=Audit.Action.RENAME, by=by, why=why, person=user, after={"of": "person"}, now=now)
        told(audit=audit, kind=PERSON, people=[user.pk], now=now)
        return audit


def held(user_id: int) -> User:
    """Return a person whose row this transaction now holds: before that of any table.

    Raises:
        UserGone: there is no such person.
    """
    # Not the whole lock: rows that refer to the person may be added meanwhile.
    user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    if user is None:
        raise UserGone
    return user


def check_below(*, user: User, by: User) -> None:
    """Check that an operator may act upon a person.

    Raises:
        NotYourself, AboveYou: they may not.
    """
    if user.pk == by.pk:
        raise NotYourself
    if user.is_superuser or (user.is_staff and not by.is_superuser):
        raise AboveYou


def _held(user_id: int, by: User, seen: str) -> User:
    user = held(user_id)
    check_seen(user, seen)
    check_below(user=user, by=by)
    return user


def _sits_at(user: User) -> Sequence[int]:
    rows = Holder.objects.filter(user=user, until=None).order_by("table_id")
    return list(rows.values_list("table_id", flat=True))


def _tables_of(user: User) -> Sequence[int]:
    """Return the tables that somebody who is kept out holds up: where they sit, and whose host they are."""
    live = Table.objects.filter(status__in=[Table.Status.OPEN, Table.Status.RUNNING])
    sits = Q(pk__in=Holder.objects.filter(user=user, until=None).values("table"))
    return list(live.filter(sits | Q(host=user)).order_by("pk").values_list("pk", flat=True))


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
