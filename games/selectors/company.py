"""Who sits at a table now: found by its code, for one of its people only."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import FETCH_RAISE, QuerySet

from accounts.models import User
from games.models import Game, Holder, Table
from games.selectors.games import holders_of


class NotAtTable(Exception):
    """There is no such table or game, or the person has no seat at it: nobody learns which."""


@dataclass(frozen=True, slots=True)
class Company:
    """A table and who sits at it now, seat 0 first; `seat` is the viewer's."""

    table: Table
    holders: Sequence[Holder]
    seat: int

    @property
    def alone(self) -> bool:
        """Whether all the others are bots."""
        return all(each.bot for each in self.holders if each.seat.number != self.seat)


def company(*, viewer: User, code: str) -> Company:
    """Find a table by its code, and who sits there.

    Raises:
        NotAtTable: there is no such table, or the viewer has no seat at it.
    """
    return _company_at(by_code(Table.objects.all(), code), viewer)


def by_code[Row: (Game, Table)](rows: QuerySet[Row], code: str) -> Row:
    """Return the one of some rows that has this code.

    Raises:
        NotAtTable: there is none.
    """
    # PostgreSQL refuses a NUL in a text, and no code holds one.
    found = None if "\0" in code else rows.fetch_mode(FETCH_RAISE).filter(code=code).first()
    if found is None:
        raise NotAtTable
    return found


def _company_at(table: Table, viewer: User) -> Company:
    holders = holders_of(table)
    seat = next((each.seat.number for each in holders if each.user_id == viewer.pk), None)
    if seat is None:
        raise NotAtTable
    return Company(table, holders, seat)
