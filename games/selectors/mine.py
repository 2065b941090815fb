"""What waits for a person: the same turns are counted in titles, listed on the start page, and led to after a card."""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import BigIntegerField, Count, F, QuerySet, Window

from accounts.models import User
from games.models import Game, Turn
from games.selectors.prepared import Given, Prepared


@dataclass(frozen=True, slots=True)
class NextGame:
    """The game to go to next, and how many wait. wait: for how many seconds its link stands before it is followed.

    wait is 0 where nobody is led on: the person does not want it, or the table that they are at goes on any moment.
    """

    code: str
    count: int
    wait: int = 0


def turns_of(user: User) -> QuerySet[Turn]:
    """Return the turns in which a person is awaited themselves, the soonest deadline first."""
    return _turns(user)


def _turns(user: User | Given) -> QuerySet[Turn]:
    found = Turn.objects.filter(
        game__table__holder__user=user,
        game__table__holder__until=None,
        game__table__holder__stand_in="",
        game__table__holder__seat__number=F("seat"),
    )
    return found.order_by(F("due_at").asc(nulls_last=True), "since", "pk")


def mine_count(user: User) -> int:
    """Return how many games wait for a person, however many there are."""
    return turns_of(user).count()


def next_of(user: User, game: Game, wait: int = 0) -> NextGame | None:
    """Return which other game waits for a person first, None if none does, in one query."""
    found = _NEXT(user=user.pk, game=game.pk)
    return NextGame(found[0][0], found[0][1], wait) if found else None


def _others() -> QuerySet[Any, Any]:
    turns = _turns(Given("user", BigIntegerField())).exclude(game=Given("game", BigIntegerField()))
    return turns.annotate(total=Window(Count("pk"))).values_list("game__code", "total")[:1]


_NEXT: Final = Prepared(_others)
