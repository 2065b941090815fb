"""What operators look for, found by indexes: codes and addresses as they are, names by how they begin."""

from typing import Final

from django.db.models import Q

from accounts.models import User
from accounts.roles import sees_addresses
from games.models import Game, Table

MOST: Final = 100
"""How many tables or people a search goes on with: more are no help."""


def people_found(term: str, reader: object) -> list[int]:
    """Return the ids of the people who are meant; addresses are looked for by who reads them alone."""
    wanted = Q(code=term.lower()) | Q(name__istartswith=term)
    if sees_addresses(reader) and "@" in term:
        wanted = Q(email=term.lower())
    return list(User.objects.filter(wanted).order_by("-pk").values_list("pk", flat=True)[:MOST])


def tables_found(term: str) -> list[int]:
    """Return the ids of the tables that are meant."""
    wanted = Q(code=term.lower()) | Q(name__istartswith=term)
    return list(Table.objects.filter(wanted).order_by("-pk").values_list("pk", flat=True)[:MOST])


def games_found(term: str) -> list[int]:
    """Return the ids of the games that are meant, by their codes or their tables."""
    rows = Game.objects.filter(Q(code=term.lower()) | Q(table__in=tables_found(term)))
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MOST])
