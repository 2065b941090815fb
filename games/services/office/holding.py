"""People with their tables, as one transaction holds them: the tables first, lowest first, then the people."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from django.db.models import Q

from accounts.models import User
from games.models import Table
from games.services.locks import table_locked
from games.services.office.errors import AboveYou, Changed, NotYourself, UserGone


class Held(NamedTuple):
    """People and tables whose rows this transaction holds."""

    people: Sequence[User]
    tables: Sequence[Table]


def held(user_ids: Collection[int], which: Callable[[Collection[int]], Q], *, whole: bool = False) -> Held:
    """Return people in the order of their ids, and the tables of theirs that *which* asks for.

    *whole*: nothing that refers to them may be added meanwhile. Whoever is just sitting down holds their table, so that
    tables come before people here as everywhere.

    Raises:
        UserGone: there is no such person.
        Changed: they have just sat down at another table.
    """
    tables = [table_locked(table_id) for table_id in _ids(which(user_ids))]
    rows = User.objects.select_for_update(no_key=not whole).filter(pk__in=user_ids).order_by("pk")
    people = list(rows)
    if len(people) != len(set(user_ids)):
        raise UserGone
    if _ids(which(user_ids)) != [each.pk for each in tables]:
        raise Changed
    return Held(people, tables)


def _ids(which: Q) -> Sequence[int]:
    return list(Table.objects.filter(which).order_by("pk").values_list("pk", flat=True))


def check_below(*, user: User, by: User) -> None:
    """Check that an operator may act upon a person.

    Raises:
        NotYourself, AboveYou: they may not.
    """
    if user.pk == by.pk:
        raise NotYourself
    if user.is_superuser or (user.is_staff and not by.is_superuser):
        raise AboveYou
