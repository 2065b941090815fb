"""What is stored of that which stops the clocks of a table or gives more time, read in one query."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Cast, Coalesce

from games.models import Answer, Ballot, Extension, Game, Halt, Holder, Pause, Turn, Vacation, Vote
from games.selectors.misses import hows
from games.selectors.prepared import Given, Prepared

_DAY: Final = timedelta(days=1)
_HALT_SHOWN: Final = _DAY
"""How long a board says that the site was away."""


class StopRow(NamedTuple):
    """One of the rows that the one query finds; what its columns mean depends on `what`."""

    what: str
    one: int | None = None
    two: int | None = None
    three: int | None = None
    start: datetime | None = None
    end: datetime | None = None
    first: date | None = None
    last: date | None = None
    text: str = ""
    why: str = ""
    flag: bool = False


_TYPES: Final[Mapping[str, Any]] = {
    "what": CharField,
    "one": BigIntegerField,
    "two": BigIntegerField,
    "three": BigIntegerField,
    "start": DateTimeField,
    "end": DateTimeField,
    "first": DateField,
    "last": DateField,
    "text": CharField,
    "why": CharField,
    "flag": BooleanField,
}
_NONE: Final = StopRow("")
_GAME, _TABLE = Given("game", BigIntegerField()), Given("table", BigIntegerField())
_NOW: Final = Given("now", DateTimeField())


def stop_rows(*, game: Game, people: Sequence[int], seated: bool, now: datetime) -> list[StopRow]:
    """Return all rows that say something of a game's table and its people; who has no seat there reads fewer."""
    asked = _asked(len(people) if game.table.vacations else 0, seated)
    found = asked(
        game=game.pk,
        table=game.table_id,
        now=now,
        halts=max(now - _HALT_SHOWN, game.created),
        day=(now - _DAY).date(),
        **{f"person_{at}": each for at, each in enumerate(people)},
    )
    return [StopRow(*row) for row in found]


@lru_cache(maxsize=64)
def _asked(people: int, seated: bool) -> Prepared:  # noqa: FBT001 - a key
    """Return the query about so many people who may be away."""
    return Prepared(lambda: _all(people, seated=seated))


def _all(people: int, *, seated: bool) -> QuerySet[Any, Any]:
    halts = Halt.objects.exclude(until__lte=Given("halts", DateTimeField()))
    last = Coalesce(Subquery(hows(_answers())[:1]), Value(""))
    turn = {"one": F("seat"), "two": F("nudges"), "start": F("due_at"), "end": F("order_at"), "text": last}
    parts = [
        _part("pause", Pause.objects.filter(table=_TABLE, until__gt=_NOW), start=F("since"), end=F("until")),
        _part("halt", halts, start=F("since"), end=F("until"), text=F("kind"), why=F("why")),
        _part("turn", Turn.objects.filter(game=_GAME), **turn),
    ]
    if people:
        who: list[Any] = [Given(f"person_{at}", BigIntegerField()) for at in range(people)]
        gone = Vacation.objects.filter(user__pk__in=who, last__gte=Given("day", DateField()))
        span = {"start": F("made"), "end": F("ended"), "first": F("first"), "last": F("last"), "text": F("zone")}
        parts.append(_part("away", gone, one=F("user_id"), **span))
    if seated:
        parts += _asking()
    return parts[0].union(*parts[1:], all=True)


def _answers() -> QuerySet[Answer]:
    """Return the turns that have ended of whoever holds the seat of a turn now."""
    here = Holder.objects.filter(seat__table=_TABLE, seat__number=OuterRef(OuterRef("seat")), until=None)
    return Answer.objects.filter(holder__in=here.values("pk"))


def _asking() -> list[QuerySet[Any, Any]]:
    """Return the parts of the query that only those who sit at the table read."""
    vote = Vote.objects.filter(table=_TABLE, done=None, closes__gt=_NOW)
    ballots = Ballot.objects.filter(vote__in=vote.values("pk"))
    about = {"one": F("pk"), "two": F("holder_id"), "three": F("days"), "end": F("closes"), "text": F("kind")}
    return [
        _part("vote", vote, **about),
        _part("ballot", ballots, one=F("holder_id"), two=F("pk"), flag=F("yes")),
        _part("extension", Extension.objects.filter(game=_GAME), one=F("user_id")),
    ]


def _part(what: str, rows: QuerySet[Any, Any], **columns: Any) -> QuerySet[Any, Any]:
    """Return rows of one kind with the columns of `StopRow`; those that are not given hold nothing."""
    given = {"what": Value(what)} | columns
    every = {f"a_{name}": given.get(name, Cast(Value(getattr(_NONE, name)), kind())) for name, kind in _TYPES.items()}
    found: QuerySet[Any, Any] = rows.annotate(**every).values_list(*every)
    return found
