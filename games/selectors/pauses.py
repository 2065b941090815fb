"""What stops the clocks of a table or gives more time, as its board shows it to one viewer; read in one query."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    F,
    QuerySet,
    Value,
)
from django.db.models.functions import Cast

from games.clocks.days import Away
from games.clocks.pace import Pace
from games.models import Ballot, Extension, Game, Halt, Holder, Pause, Table, Turn, Vacation, Vote
from games.selectors.clocks import pace_of
from games.selectors.sight import Viewer
from games.selectors.vacations import away_until

MOST_DAYS: Final = 14
"""For how many days one vote may pause a table, or lengthen a pause."""
SLOW_A_DEAL: Final = 3
"""How often the players of a slow table together may give everybody more time in a deal."""
LIVE_A_PERSON: Final = 10
"""How often each player of a live table may (R52)."""
_DAY: Final = timedelta(days=1)
_HALT_SHOWN: Final = _DAY
"""How long a board says that the site was away."""


def extension_of(pace: Pace) -> timedelta:
    """Return how much time everybody is given at once: a day, or at a live table another card's."""
    return pace.start if pace.live else _DAY


def votes_needed(voters: int) -> int:
    """Return how many of those who have a say must say yes: more than half."""
    return voters // 2 + 1


def has_say(holder: Holder, about: int | None) -> bool:
    """Tell whether the holder of a seat has a say in a vote: people who are there, but whoever it is about."""
    here = holder.until is None and holder.user_id is not None and not holder.stand_in
    return here and holder.pk != about


@dataclass(frozen=True, slots=True)
class PauseShown:
    """A pause that is on, and when it ends by itself."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class HaltShown:
    """A time in which all clocks of the site stand still, or stood: `until` is None while it lasts."""

    kind: str
    since: datetime
    until: datetime | None
    why: str


@dataclass(frozen=True, slots=True)
class VoteShown:
    """A question to the people of the table.

    name: whom it is about, "" if nobody. yes, no: how many have said so, of `voters` who have a say; `needed` decide
    it. mine: what the viewer has said, None if nothing; may: whether they have a say.
    """

    id: int
    kind: str
    days: int
    name: str
    closes: datetime
    yes: int
    no: int
    voters: int
    needed: int
    mine: bool | None
    may: bool


@dataclass(frozen=True, slots=True)
class AwayShown:
    """Until when somebody is away: the last day, by their own calendar, and the moment at which it ends."""

    last: date
    until: datetime


@dataclass(frozen=True, slots=True)
class StopsShown:
    """What stops the clocks of a table now, and what its viewer may do about it.

    halts: those that last, and those that ended within a day. away: by seat, where days away count. given: how often
    time was given in this deal; left: how often it may be still; length: how much at once, zero if nobody has a
    deadline or the viewer may not. asks: what the viewer may ask the table now; bots: the seats, with their names, for
    which they may ask for a bot.
    """

    pause: PauseShown | None = None
    halts: tuple[HaltShown, ...] = ()
    vote: VoteShown | None = None
    away: Mapping[int, AwayShown] | None = None
    given: int = 0
    left: int = 0
    length: timedelta = timedelta(0)
    live: bool = False
    asks: tuple[str, ...] = ()
    bots: tuple[tuple[int, str], ...] = ()

    @property
    def stand(self) -> bool:
        """Whether the clocks of the whole table stand still now."""
        return self.pause is not None or any(each.until is None for each in self.halts)


class _Row(NamedTuple):
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
_NONE: Final = _Row("")


def stops_shown(*, game: Game, rows: Iterable[Holder], viewer: Viewer, now: datetime) -> StopsShown:
    """Return what stops the clocks of a game's table, for its board; `rows` are those who sit there, each with a seat.

    Who does not sit there learns what stands still, and asks nothing of the table.
    """
    if game.table.status != Table.Status.RUNNING:
        return StopsShown()
    here = [each for each in rows if each.until is None]
    mine = next((each for each in here if viewer.pk is not None and each.user_id == viewer.pk), None)
    people = [each.user_id for each in here if each.user_id is not None]
    found = [_Row(*row) for row in _stored(game, people, now, seated=mine is not None)]
    pause = next((PauseShown(_at(row.start), _at(row.end)) for row in found if row.what == "pause"), None)
    shown = StopsShown(
        pause=pause,
        halts=tuple(HaltShown(row.text, _at(row.start), row.end, row.why) for row in found if row.what == "halt"),
        away=_away(here, found, now),
    )
    return shown if mine is None else _asked(shown, game, here, mine, found)


def _stored(game: Game, people: Sequence[int], now: datetime, *, seated: bool) -> Iterable[tuple[Any, ...]]:
    """Return all rows that say something, as the fields of `_Row`, in one query."""
    parts = [
        _part("pause", Pause.objects.filter(table=game.table_id, until__gt=now), start=F("since"), end=F("until")),
        _part(
            "halt",
            Halt.objects.exclude(until__lte=max(now - _HALT_SHOWN, game.created)),
            start=F("since"),
            end=F("until"),
            text=F("kind"),
            why=F("why"),
        ),
    ]
    if game.table.vacations and people:
        gone = Vacation.objects.filter(user__in=people, last__gte=(now - _DAY).date())
        span = {"start": F("made"), "end": F("ended"), "first": F("first"), "last": F("last"), "text": F("zone")}
        parts.append(_part("away", gone, one=F("user_id"), **span))
    if seated:
        parts += _asking(game, now)
    return parts[0].union(*parts[1:], all=True)


def _asking(game: Game, now: datetime) -> list[QuerySet[Any, Any]]:
    """Return the parts of the query that only those who sit at the table read."""
    vote = Vote.objects.filter(table=game.table_id, done=None, closes__gt=now)
    ballots = Ballot.objects.filter(vote__in=vote.values("pk"))
    about = {"one": F("pk"), "two": F("holder_id"), "three": F("days"), "end": F("closes"), "text": F("kind")}
    return [
        _part("vote", vote, **about),
        _part("ballot", ballots, one=F("holder_id"), flag=F("yes")),
        _part("turn", Turn.objects.filter(game=game.pk), one=F("seat"), two=F("nudges")),
        _part("extension", Extension.objects.filter(game=game.pk), one=F("user_id")),
    ]


def _part(what: str, rows: QuerySet[Any, Any], **columns: Any) -> QuerySet[Any, Any]:
    """Return rows of one kind with the columns of `_Row`; those that are not given hold nothing."""
    given = {"what": Value(what)} | columns
    every = {f"a_{name}": given.get(name, Cast(Value(getattr(_NONE, name)), kind())) for name, kind in _TYPES.items()}
    found: QuerySet[Any, Any] = rows.annotate(**every).values_list(*every)
    return found


def _at(moment: datetime | None) -> datetime:
    """Return a moment that its row must have."""
    if moment is None:
        raise ValueError("A pause without an end.")
    return moment


def _away(here: Iterable[Holder], found: Iterable[_Row], now: datetime) -> Mapping[int, AwayShown]:
    """Return until when people are away, by their seats."""
    aways: dict[int | None, list[Away]] = {}
    for row in found:
        if row.what == "away" and row.first and row.last:
            days = Away(row.first, row.last, ZoneInfo(row.text), _at(row.start), row.end)
            aways.setdefault(row.one, []).append(days)
    seats = {each.seat.number: away_until(aways.get(each.user_id, ()), now) for each in here if each.user_id}
    return {seat: AwayShown(gone.last, gone.span.end) for seat, gone in seats.items() if gone is not None}


def _asked(shown: StopsShown, game: Game, here: Sequence[Holder], mine: Holder, found: Sequence[_Row]) -> StopsShown:
    """Add what one who sits at the table is asked, and may ask."""
    vote = next((_vote(row, here, mine, found) for row in found if row.what == "vote"), None)
    pace, given = pace_of(game.table), [row.one for row in found if row.what == "extension"]
    left = LIVE_A_PERSON - given.count(mine.user_id) if pace.live else SLOW_A_DEAL - len(given)
    turns = {row.one: row.two or 0 for row in found if row.what == "turn"}
    awaited = [each for each in here if has_say(each, None) and each.seat.number in turns]
    may = not mine.stand_in
    ask = may and vote is None
    return StopsShown(
        pause=shown.pause,
        halts=shown.halts,
        vote=vote,
        away=shown.away,
        given=len(given),
        left=max(left, 0),
        length=extension_of(pace) if may and pace.timed and awaited and left > 0 else timedelta(0),
        live=pace.live,
        asks=() if not ask else ("extend", "resume") if shown.pause else ("pause",),
        bots=tuple((each.seat.number, each.name) for each in awaited if turns[each.seat.number] and each != mine)
        if ask
        else (),
    )


def _vote(row: _Row, here: Iterable[Holder], mine: Holder, found: Iterable[_Row]) -> VoteShown:
    voters = [each for each in here if has_say(each, row.two)]
    said = {each.one: bool(each.flag) for each in found if each.what == "ballot"}
    answers = [said[each.pk] for each in voters if each.pk in said]
    return VoteShown(
        id=row.one or 0,
        kind=row.text,
        days=row.three or 0,
        name=next((each.name for each in here if each.pk == row.two), ""),
        closes=_at(row.end),
        yes=answers.count(True),
        no=answers.count(False),
        voters=len(voters),
        needed=votes_needed(len(voters)),
        mine=said.get(mine.pk),
        may=mine in voters,
    )
