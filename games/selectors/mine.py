"""What waits for a person: the same turns are counted in titles, listed on the start page, and led to after a card."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.db.models import BigIntegerField, Count, F, QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.models import User
from games.models import Game, Turn
from games.selectors.prepared import Given, Prepared
from games.selectors.shown import Shown


@dataclass(frozen=True, slots=True)
class NextGame(Shown):
    """The game to go to next, and how many wait. wait: for how many seconds its link stands before it is followed.

    wait is 0 where nobody is led on: the person does not want it, or the table that they are at goes on any moment.
    """

    code: str
    count: int
    wait: int = 0


def turns_of(user: User) -> QuerySet[Turn]:
    """Return the turns in which a person is awaited themselves, the soonest deadline first."""
    return _turns([user.pk]).order_by(*_FIRST)


_FIRST: Final = (F("due_at").asc(nulls_last=True), "since", "pk")


def _turns(people: Sequence[Any]) -> QuerySet[Turn]:
    return Turn.objects.filter(
        game__table__holder__user__pk__in=people,
        game__table__holder__until=None,
        game__table__holder__stand_in="",
        game__table__holder__seat__number=F("seat"),
    )


def mine_count(user: User) -> int:
    """Return how many games wait for a person, however many there are."""
    return turns_of(user).count()


def next_of(user: User, game: Game) -> NextGame | None:
    """Return which other game waits for a person first, None if none does, in one query."""
    return next_for({user.pk}, game).get(user.pk)


def next_for(people: Collection[int], game: Game) -> dict[int, NextGame]:
    """Return which other game waits first for each of these people for whom one does, in one query."""
    who = {f"person_{at}": each for at, each in enumerate(people)}
    found = _asked(len(people))(game=game.pk, **who) if people else []
    return {person: NextGame(code, count) for person, code, count, _ in found}


@lru_cache(maxsize=64)
def _asked(people: int) -> Prepared:
    """Return the query about so many people."""
    return Prepared(lambda: _others([Given(f"person_{at}", BigIntegerField()) for at in range(people)]))


def _others(people: Sequence[Given]) -> QuerySet[Any, Any]:
    turns = _turns(people).exclude(game=Given("game", BigIntegerField()))
    each = [F("game__table__holder__user")]
    turns = turns.annotate(
        person=each[0],
        total=Window(Count("pk"), partition_by=each),
        place=Window(RowNumber(), partition_by=each, order_by=_FIRST),
    )
    return turns.filter(place=1).values_list("person", "game__code", "total", "place")
