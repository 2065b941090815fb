"""A person as others know them: what they have played, how they play, and the tables that one has in common."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import (
    FETCH_RAISE,
    BigIntegerField,
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.db.models.lookups import Exact

from accounts.models import Block, User
from games.models import Correction, Holder, Result, Table
from games.selectors.estimate import Reliability, deals_left_by, reliability, span_words, usual_responses

TABLES_SHOWN: Final = 20
"""How many tables in common are listed."""


class NoSuchPerson(Exception):
    """There is nobody with this code, or nobody whom the viewer has met: nobody learns which."""


@dataclass(frozen=True, slots=True)
class CommonTable:
    """A table at which both sit or sat; `code` is "" where the viewer has no seat any more."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's page.

    games: finished deals they played to the end, or left. lost, first: how many of them they lost, and were the first
    to get away from. left: deals that they left to a bot. response: in how long they usually play a card, in words, ""
    if they have not played among people. reliability: how often they answer in time. blocked: the viewer keeps them
    away.
    """

    code: str
    name: str
    you: bool
    blocked: bool
    games: int
    lost: int
    first: int
    left: int
    response: str
    reliability: Reliability
    tables: tuple[CommonTable, ...]


def profile(*, viewer: User, code: str, office: bool = False, now: datetime) -> Profile:
    """Return a person's page for one who has met them: at a table, now or once, or at one that is open to both.

    *office*: the viewer runs the site, and has just shown so.

    Raises:
        NoSuchPerson: there is nobody with this code, or the viewer has not met them.
    """
    person = person_found(viewer=viewer, code=code, office=office)
    played = _played(person)
    return Profile(
        code=person.code,
        name=person.name,
        you=person == viewer,
        blocked=Block.objects.filter(owner=viewer, other=person).exists(),
        games=played["games"],
        lost=played["lost"],
        first=played["first"],
        left=deals_left_by([person.pk]).get(person.pk, 0),
        response=span_words(usual_responses([person.pk], now).get(person.pk)),
        reliability=reliability(person.pk, now),
        tables=_in_common(viewer, person),
    )


def person_found(*, viewer: User, code: str, office: bool = False) -> User:
    """Return the person with this code for one who may look at their page: who has met them, or runs the site.

    Raises:
        NoSuchPerson: there is nobody with this code, or the viewer has not met them.
    """
    # PostgreSQL refuses a NUL in a text, and no code holds one.
    person = None if "\0" in code else User.objects.all().fetch_mode(FETCH_RAISE).filter(code=code).first()
    if person is None or not (office or met(viewer, person)):
        raise NoSuchPerson
    return person


def met(viewer: User, person: User) -> bool:
    """Tell whether one person may look at another's page."""
    if viewer == person:
        return True
    theirs = Holder.objects.filter(user=person)
    if theirs.filter(table__holder__user=viewer).exists():
        return True
    if Block.objects.filter(Q(owner=viewer, other=person) | Q(owner=person, other=viewer)).exists():
        # Who has blocked somebody finds them still, to take it back.
        return Block.objects.filter(owner=viewer, other=person).exists()
    seen = Q(status=Table.Status.OPEN, joins=Table.Joins.LOBBY) | Q(
        status__in=[Table.Status.OPEN, Table.Status.RUNNING], watch=Table.Watch.ANYONE
    )
    if viewer.email:
        seen |= Q(
            Exists(
                Table.objects.filter(pk=OuterRef("pk"), invite__email=viewer.email, invite__revoked=None).filter(
                    status=Table.Status.OPEN
                )
            )
        )
    return (
        Table.objects.filter(seen)
        .filter(Q(host=person) | Q(Exists(theirs.filter(table=OuterRef("pk"), until=None))))
        .exists()
    )


def _played(person: User) -> dict[str, int]:
    """Count the finished games that a person held a seat in, those charged to them, those they got away first in."""
    at, game = "game__table__holder__", "game__"
    there = Q(**{f"{at}user": person, f"{at}since__lte": F(f"{game}ended")}) & (
        Q(**{f"{at}until": None}) | Q(**{f"{at}until__gt": F(f"{game}created")})
    )
    stayed = Q(**{f"{at}until": None}) | Q(**{f"{at}until__gte": F(f"{game}ended")})
    return _as_counted(Result.objects.filter(there)).aggregate(
        games=Count("pk", distinct=True),
        lost=Count("pk", filter=Q(charged=person.pk), distinct=True),
        first=Count("pk", filter=stayed & Q(**{f"{at}seat__number": F("was_first")}), distinct=True),
    )


def _as_counted(results: QuerySet[Result]) -> QuerySet[Any, Any]:
    """Return results with who is `charged` and which seat `was_first` to get away as it counts.

    Who has lost by a correction did not get away: the next one was the first then.
    """
    newest = Correction.objects.filter(game=OuterRef("game")).order_by("-number")
    away = [Cast(KeyTextTransform(at, "away"), IntegerField()) for at in (0, 1)]
    corrected = results.annotate(newest=Subquery(newest.values("number")[:1]))
    by, lost_by = newest.values("holder__user")[:1], newest.values("loser")[:1]
    return corrected.annotate(
        charged=Case(When(newest=None, then=F("holder__user")), default=Subquery(by), output_field=BigIntegerField()),
        was_first=Case(
            When(Q(Exact(away[0], Subquery(lost_by))), then=away[1]), default=away[0], output_field=IntegerField()
        ),
    )


def _in_common(viewer: User, person: User) -> tuple[CommonTable, ...]:
    if viewer == person:
        return ()
    both = Table.objects.filter(holder__user=viewer).filter(holder__user=person).distinct().order_by("-created", "-pk")
    sits = Exists(Holder.objects.filter(table=OuterRef("pk"), user=viewer, until=None))
    rows = both.annotate(sits=sits).values_list("name", "code", "sits")[:TABLES_SHOWN]
    return tuple(CommonTable(name, code if mine else "") for name, code, mine in rows)
