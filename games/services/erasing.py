"""Forgetting a person: their seats stay as a former player's, what others played stays whole, all else goes (S38)."""

import re
from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Q

from accounts.forgetting import addresses_of, person_forgotten
from accounts.models import User
from accounts.names import POINTS_A_SIGN, signs
from games.models import Audit, Ballot, Holder, Invite, Notice, Report, Table
from games.models.office import WHY_LENGTH
from games.models.table import NAME_LENGTH, TITLE_LENGTH
from games.selectors.options import TITLES
from games.services.errors import NotYourSeat, TableClosed, TableOver
from games.services.hosting import newest_game
from games.services.locks import table_locked, writing
from games.services.projections import board_changed
from games.services.reports import reports_forgotten
from games.services.seats import host_passed, seat_left

FORMER: Final = "Former player"
_FORMER: Final = re.compile(rf"{FORMER} (\d+)")


def person_erased(*, user_id: int, now: datetime, due: bool = True) -> bool:
    """Erase a person, table by table and then themselves; False if there is nobody to erase, or not yet.

    With *due* only somebody is erased whose time to think again is over. It may be called again after it was broken
    off: it goes on where it was.

    At open tables their seat is free again, at running ones a bot plays on; a table of theirs passes to the person who
    has sat there longest. Games, results and logs are not touched: they name seats, not people.
    """
    user = _shut_out(user_id, now, due=due)
    if user is None:
        return False
    # Also what operators called them until they gave them another name.
    names = {user.name, *User.history.filter(id=user.pk).values_list("name", flat=True)}
    # Until nothing is left: a table that they were just sitting down at is found the second time.
    gone = False
    while not gone:
        for table_id in _tables_of(user):
            names.update(Holder.objects.filter(table=table_id, user=user).values_list("name", flat=True))
            _left(table_id, user, now)
            _made_former(table_id, user, names)
        gone = _deleted(user, names, now)
    return True


def _deleted(user: User, names: Collection[str], now: datetime) -> bool:
    """Delete a person with what is left of them; False if they have sat down somewhere meanwhile."""
    with writing():
        # Waits for whoever is just seating them, and lets nobody else begin: a seat refers to this row.
        User.objects.select_for_update().filter(pk=user.pk).first()
        if _tables_of(user):
            return False
        _mails_dropped(user)
        reports = Report.objects.filter(Q(by=user) | Q(about=user))
        Report.history.filter(id__in=list(reports.values_list("pk", flat=True))).delete()
        _answers_unnamed(user, names)
        reports_forgotten(user=user, former=FORMER, now=now)
        _reasons_unnamed(Q(person=user), names, FORMER)
        person_forgotten(user=user, names=names)
        return True


def _shut_out(user_id: int, now: datetime, *, due: bool) -> User | None:
    """Let a person act no more, and return them; None if they are not to be erased."""
    with writing():
        user = User.objects.select_for_update().filter(pk=user_id).first()
        if user is None or (due and (user.erase_at is None or user.erase_at > now)):
            return None
        # If this is broken off, the task for those whose time is over goes on with it.
        user.is_active, user.erase_at = False, min(user.erase_at or now, now)
        user.save(update_fields=["is_active", "erase_at"])
        return user


def _tables_of(user: User) -> list[int]:
    sat = Holder.objects.filter(user=user).values("table")
    return list(Table.objects.filter(Q(pk__in=sat) | Q(host=user)).order_by("pk").values_list("pk", flat=True))


def _left(table_id: int, user: User, now: datetime) -> None:
    """Let a person leave a table, as far as there is anything to leave."""
    try:
        seat_left(table_id=table_id, user=user, now=now)
    except (TableOver, TableClosed):
        # They stay in its past.
        return
    except NotYourSeat:
        with writing():
            table = table_locked(table_id)
            if table.host_id == user.pk and table.status in (Table.Status.OPEN, Table.Status.RUNNING):
                host_passed(table=table, user=user, now=now)


def _made_former(table_id: int, user: User, names: Collection[str]) -> None:
    """Make a person a former player of a table, and nobody's host; invitations that they came by go."""
    with writing():
        table = table_locked(table_id)
        former = f"{FORMER} {_next_number(table)}"
        came_by = Holder.objects.filter(table=table, user=user).values_list("invite", flat=True)
        Invite.objects.filter(pk__in=list(came_by)).exclude(email="").delete()
        Ballot.objects.filter(holder__table=table, holder__user=user).delete()
        Holder.objects.filter(table=table, user=user).update(user=None, name=former, stand_in="", stood_in=None)
        if table.host_id == user.pk:
            table.host = None
        table.name = _without(table.name, names, former, NAME_LENGTH)
        table.title = _without(table.title, names, former, TITLE_LENGTH)
        for report in Report.objects.filter(table=table, kind=Report.Kind.TABLE):
            report.said = _without(report.said, names, former, NAME_LENGTH)
            report.save(update_fields=["said"])
        table.save(update_fields=["host", "name", "title"])
        _reasons_unnamed(Q(table=table), names, former)
        _history_unnamed(table, names, former)
        game = newest_game(table)
        if game is not None:
            board_changed(game=game)


def _next_number(table: Table) -> int:
    gone = Holder.objects.filter(table=table, user=None, bot="").values_list("name", flat=True)
    return max((int(found[1]) for found in map(_FORMER.fullmatch, gone) if found), default=0) + 1


def _without(text: str, names: Collection[str], former: str, most: int) -> str:
    """Return a table's name or title with a person's names taken out, where they stand as words; *most* signs of it."""
    if text in TITLES:
        return text
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", former, text, flags=re.IGNORECASE)
    return "".join(signs(text)[:most])[: most * POINTS_A_SIGN]


def _mails_dropped(user: User) -> None:
    """Delete what was or will be mailed to a person, and the invitations to them; those that they sent name nobody."""
    addresses = addresses_of(user)
    Notice.objects.filter(Q(user=user) | Q(email__in=addresses)).delete()
    Invite.objects.filter(email__in=addresses).delete()
    Invite.objects.filter(sender=user).update(sender=None)


def _reasons_unnamed(which: Q, names: Collection[str], former: str) -> None:
    """Take a person out of the reasons of what operators did at a table of theirs, or to them."""
    said = Q(pk=None)
    for name in names:
        said |= Q(why__icontains=name)
    for audit in Audit.objects.filter(which & said):
        why = _without(audit.why, names, former, WHY_LENGTH)[:WHY_LENGTH]
        if why != audit.why:
            _lifted()
            Audit.objects.filter(pk=audit.pk).update(why=why)


def _answers_unnamed(user: User, names: Collection[str]) -> None:
    """Take a person out of what was answered to their reports, and of why operators did what the answers say."""
    mine = Report.objects.filter(by=user)
    for report in mine.exclude(answer=""):
        report.answer = _without(report.answer, names, FORMER, WHY_LENGTH)[:WHY_LENGTH]
        report.save(update_fields=["answer"])
    about = Q(person__in=mine.values("about")) | Q(table__in=mine.values("table"))
    _reasons_unnamed(about, names, FORMER)
    for kept in User.history.filter(id__in=mine.values("about")):
        kept.history_change_reason = _without(kept.history_change_reason, names, FORMER, WHY_LENGTH)[:WHY_LENGTH]
        kept.save(update_fields=["history_change_reason"])


def _history_unnamed(table: Table, names: Collection[str], former: str) -> None:
    """Take a person out of what was kept of a table's names, and of why they were changed."""
    for kept in Table.history.filter(id=table.pk):
        kept.name = _without(kept.name, names, former, NAME_LENGTH)
        kept.history_change_reason = _without(kept.history_change_reason, names, former, WHY_LENGTH)[:WHY_LENGTH]
        kept.save(update_fields=["name", "history_change_reason"])


def _lifted() -> None:
    """Let reasons be changed in this transaction, which PostgreSQL refuses else."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL getaway.erasing = 'on'")
