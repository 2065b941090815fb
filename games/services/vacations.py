"""Days away of people: they count at all their tables that allow it, as dates; no job begins or ends them (R28)."""

from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from accounts.models import User
from accounts.zones import zone_known
from games.clocks.days import Away, days_taken
from games.clocks.spans import Stops, ran
from games.models import Holder, Table, Vacation
from games.selectors.vacations import AHEAD, BUDGET, away_of
from games.services.errors import PersonGone, TableGone
from games.services.locks import table_locked, writing
from games.services.pauses import table_retimed
from games.services.stop_errors import DaysUnfit, VacationGone

_LONGEST: Final = timedelta(days=2 * BUDGET)
_DAY: Final = timedelta(days=1)
_MOST_A_DAY: Final = 20


def vacation_set(*, user: User, first: date, last: date, now: datetime) -> Vacation:
    """Let a person be away from the first day to the last, in the zone that is theirs now.

    Their clocks stand still meanwhile, at every table that allows it; they may play all the same.

    Raises:
        DaysUnfit: the days are in the past, too far ahead, the wrong way round, more than the person has left in a
            year, or they are away then already.
        PersonGone: they have just been erased.
    """
    with writing():
        person = _held(user)
        zone = person.zone if zone_known(person.zone) else "UTC"
        asked = Away(first, last, ZoneInfo(zone), now)
        _check_dates(asked)
        rows = list(Vacation.objects.filter(user=user))
        _check_often(rows, now)
        _check_budget(asked, [away_of(row) for row in rows])
        vacation = Vacation.objects.create(user=user, first=first, last=last, zone=zone, made=now)
    _tables_retimed(user)
    return vacation


def vacation_ended(*, user: User, vacation_id: int, now: datetime) -> None:
    """End days away of a person now; what was not taken yet is theirs again. Those that are over stay as they are.

    Raises:
        VacationGone: they have none of that number.
        PersonGone: they have just been erased.
    """
    with writing():
        _held(user)
        vacation = Vacation.objects.filter(user=user, pk=vacation_id).first()
        if vacation is None:
            raise VacationGone
        if away_of(vacation).span.end <= now:
            return
        vacation.ended = now
        if away_of(vacation).dates:
            vacation.save(update_fields=["ended"])
        else:
            vacation.delete()
    _tables_retimed(user)


def _held(user: User) -> User:
    """Return a person whose row this transaction now holds, so that what they are away for is counted one by one."""
    person = User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    if person is None:
        raise PersonGone
    return person


def _check_dates(asked: Away) -> None:
    """Check that days away begin today or in the year to come, and end after they begin."""
    today = asked.made.astimezone(asked.zone).date()
    if asked.first < today:
        raise DaysUnfit("Days away begin today at the earliest.", "first")
    if asked.first > today + AHEAD:
        raise DaysUnfit("Days away begin within a year from today.", "first")
    if asked.last < asked.first:
        raise DaysUnfit("The last day away must not be before the first.", "last")


def _check_often(rows: list[Vacation], now: datetime) -> None:
    """Check that somebody does not go and come back all day: each time is a row that their tables read."""
    if sum(row.made > now - _DAY for row in rows) >= _MOST_A_DAY:
        raise DaysUnfit("You have changed your days away often today: go on tomorrow.", "first")


def _check_budget(asked: Away, others: list[Away]) -> None:
    """Check that somebody has as many days left as they ask for, in each year."""
    if asked.last - asked.first > _LONGEST:
        raise DaysUnfit(f"You may be away {BUDGET} days a year: choose fewer.", "last")
    # Not by their dates: those of another zone are other hours.
    if not ran(asked.span.start, asked.span.end, Stops(tuple(each.span for each in others))):
        raise DaysUnfit("You are away on those days already.", "first")
    for year in sorted({asked.first.year, asked.last.year}):
        if days_taken([*others, asked], year) > BUDGET:
            left = BUDGET - days_taken(others, year)
            raise DaysUnfit(f"You have {left} of {BUDGET} days left in {year}: choose fewer.", "last")


def _tables_retimed(user: User) -> None:
    """Work out anew the deadlines at a person's tables, one transaction each; what is lost of it the sweep finds."""
    sits = Holder.objects.filter(user=user, until=None).values("table")
    tables = Table.objects.filter(pk__in=sits, status=Table.Status.RUNNING, vacations=True)
    for table_id in list(tables.order_by("pk").values_list("pk", flat=True)):
        with suppress(TableGone), writing():
            table_retimed(table=table_locked(table_id))
