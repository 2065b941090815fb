"""What stops the clocks of a table or gives more time, as its board shows it to one viewer; read in one query."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.clocks.days import Away
from games.clocks.pace import Pace
from games.models import Game, Holder, Table, Vote
from games.selectors.clocks import pace_of
from games.selectors.misses import is_miss
from games.selectors.paces import length_words
from games.selectors.shown import Shown
from games.selectors.sight import Viewer
from games.selectors.stop_rows import StopRow, stop_rows
from games.selectors.times import since_tag, time_tag
from games.selectors.vacations import away_until

MOST_DAYS: Final = 14
"""For how many days one vote may pause a table, or lengthen a pause."""
SLOW_A_DEAL: Final = 3
"""How often the players of a slow table together may give everybody more time in a deal."""
LIVE_A_PERSON: Final = 10
"""How often each player of a live table may (R52)."""
_DAY: Final = timedelta(days=1)
_DAYS: Final = format_html_join(
    "", "<option{}>{}</option>", ((" selected" if day == 3 else "", day) for day in range(1, MOST_DAYS + 1))
)


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
class PauseShown(Shown):
    """A pause that is on, and when it ends by itself; `ends` says so on a page."""

    since: datetime
    until: datetime
    ends: SafeString


@dataclass(frozen=True, slots=True)
class HaltShown(Shown):
    """A time in which all clocks of the site stand still, or stood: `until` is None while it lasts.

    `began` and `ended` (else "") say so on a page; `why` is the sentence of who stopped them, without its full stop.
    """

    kind: str
    since: datetime
    until: datetime | None
    why: str
    began: SafeString
    ended: SafeString


@dataclass(frozen=True, slots=True)
class VoteShown(Shown):
    """A question to the people of the table, open until it `closes`; `ends` says so on a page.

    asker: who asks. name: whom it is about, "" if nobody. yes, no: how many have said so, of `voters` who have a say;
    `needed` decide it. mine: what the viewer has said, None if nothing; may: whether they have a say.
    """

    id: int
    kind: str
    days: int
    asker: str
    name: str
    closes: datetime
    ends: SafeString
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
class TurnShown:
    """A turn that has begun: when its time is up, how often it was waited on, and whether its card goes by itself.

    missed: whether its person missed the turn before. That a card goes by itself is told of the viewer's own alone:
    nobody else may know (S12).
    """

    due: datetime | None
    nudges: int
    forced: bool
    missed: bool


@dataclass(frozen=True, slots=True)
class StopsShown(Shown):
    """What stops the clocks of a table now, and what its viewer may do about it.

    halts: those that last, and those that ended within a day. away: by seat, where days away count. given: how often
    everybody was given more time in this deal; left: how often it may be done still (by the viewer, if `live`); more:
    how much at once, "" if nobody has a deadline or the viewer may not. asks: what the viewer may ask the table now;
    bots: the seats, with their names, for which they may ask for a bot. alone: nobody else has a say. turns: by seat.
    """

    pause: PauseShown | None = None
    halts: tuple[HaltShown, ...] = ()
    vote: VoteShown | None = None
    away: Mapping[int, AwayShown] = field(default_factory=dict)
    given: int = 0
    left: int = 0
    more: str = ""
    live: bool = False
    asks: tuple[str, ...] = ()
    bots: tuple[tuple[int, str], ...] = ()
    alone: bool = False
    turns: Mapping[int, TurnShown] = field(default_factory=dict)

    @property
    def stand(self) -> bool:
        """Whether the clocks of the whole table stand still now."""
        return self.pause is not None or any(each.until is None for each in self.halts)

    @property
    def days(self) -> SafeString:
        """For how many days one may ask, to choose from."""
        return _DAYS


def stops_shown(
    *,
    game: Game,
    rows: Iterable[Holder],
    viewer: Viewer,
    stored: Sequence[StopRow] | None = None,
    now: datetime,
) -> StopsShown:
    """Return what stops the clocks of a game's table, for its board; `rows` are those who sit there, each with a seat.

    Who does not sit there learns what stands still, and asks nothing of the table. *stored* is what is stored of it, if
    the caller knows it already.
    """
    if game.table.status != Table.Status.RUNNING:
        return StopsShown()
    here = [each for each in rows if each.until is None]
    mine = next((each for each in here if viewer.pk is not None and each.user_id == viewer.pk), None)
    found = stored if stored is not None else stops_of(game=game, rows=here, seated=mine is not None, now=now)
    shown = StopsShown(
        pause=next((_pause(row, now) for row in found if row.what == "pause"), None),
        halts=tuple(_halt(row, now) for row in found if row.what == "halt"),
        away=_away(here, found, now),
        turns=_turns(found, mine),
    )
    return shown if mine is None else _asked(shown, game, here, mine, found, now)


def stops_of(*, game: Game, rows: Iterable[Holder], seated: bool = True, now: datetime) -> list[StopRow]:
    """Return what is stored of it, in one query: all of it for those who sit there."""
    people = [each.user_id for each in rows if each.until is None and each.user_id is not None]
    return stop_rows(game=game, people=people, seated=seated, now=now)


def _turns(found: Iterable[StopRow], mine: Holder | None) -> Mapping[int, TurnShown]:
    own = None if mine is None else mine.seat.number
    rows = {row.one: row for row in found if row.what == "turn" and row.one is not None}
    return {seat: _turn(row, mine=seat == own) for seat, row in rows.items()}


def _turn(row: StopRow, *, mine: bool) -> TurnShown:
    return TurnShown(row.start, row.two or 0, forced=mine and row.end is not None, missed=is_miss(row.text))


def _pause(row: StopRow, now: datetime) -> PauseShown:
    until = _at(row.end)
    return PauseShown(_at(row.start), until, time_tag(until, now))


def _halt(row: StopRow, now: datetime) -> HaltShown:
    began, ended = since_tag(_at(row.start), now), since_tag(row.end, now) if row.end else SafeString()
    return HaltShown(row.text, _at(row.start), row.end, row.why.rstrip(" ."), began, ended)


def _at(moment: datetime | None) -> datetime:
    """Return a moment that its row must have."""
    if moment is None:
        raise ValueError("A pause without an end.")
    return moment


def _away(here: Iterable[Holder], found: Iterable[StopRow], now: datetime) -> Mapping[int, AwayShown]:
    """Return until when people are away, by their seats."""
    aways: dict[int | None, list[Away]] = {}
    for row in found:
        if row.what == "away" and row.first and row.last:
            days = Away(row.first, row.last, ZoneInfo(row.text), _at(row.start), row.end)
            aways.setdefault(row.one, []).append(days)
    seats = {each.seat.number: away_until(aways.get(each.user_id, ()), now) for each in here if each.user_id}
    return {seat: AwayShown(gone.last, gone.span.end) for seat, gone in seats.items() if gone is not None}


def _asked(
    shown: StopsShown, game: Game, here: Sequence[Holder], mine: Holder, found: Sequence[StopRow], now: datetime
) -> StopsShown:
    """Add what one who sits at the table is asked, and may ask."""
    awaited = [each for each in here if has_say(each, None) and each.seat.number in shown.turns]
    late = [each for each in awaited if shown.turns[each.seat.number].nudges]
    asked = [_vote(row, here, mine, found, now) for row in found if row.what == "vote" and _matters(row, late)]
    pace, given = pace_of(game.table), [row.one for row in found if row.what == "extension"]
    left = LIVE_A_PERSON - given.count(mine.user_id) if pace.live else SLOW_A_DEAL - len(given)
    alone = sum(has_say(each, None) for each in here) == 1
    may, free = not mine.stand_in, not mine.stand_in and not asked
    return replace(
        shown,
        vote=asked[0] if asked else None,
        given=len(given),
        left=max(left, 0),
        more=length_words(extension_of(pace)) if may and pace.timed and awaited and left > 0 else "",
        live=pace.live,
        asks=_asks(pace, pauses=shown.pause is not None, alone=alone) if free else (),
        bots=tuple((each.seat.number, each.name) for each in late if free and each != mine),
        alone=alone,
    )


def _asks(pace: Pace, *, pauses: bool, alone: bool) -> tuple[str, ...]:
    """Return what can be asked of a table: nothing by one who is alone with bots and has all the time they want."""
    if pauses:
        return ("extend", "resume")
    return ("pause",) if pace.timed or not alone else ()


def _matters(row: StopRow, late: Iterable[Holder]) -> bool:
    """Tell whether a vote is not about somebody who has played meanwhile."""
    return row.text != Vote.Kind.BOT or any(each.pk == row.two for each in late)


def _vote(row: StopRow, here: Iterable[Holder], mine: Holder, found: Iterable[StopRow], now: datetime) -> VoteShown:
    voters = [each for each in here if has_say(each, row.two)]
    ballots = sorted((each for each in found if each.what == "ballot"), key=lambda each: each.two or 0)
    said, names = {each.one: bool(each.flag) for each in ballots}, {each.pk: each.name for each in here}
    answers = [said[each.pk] for each in voters if each.pk in said]
    closes = _at(row.end)
    return VoteShown(
        id=row.one or 0,
        kind=row.text,
        days=row.three or 0,
        asker=names.get(ballots[0].one or 0, "") if ballots else "",
        name=names.get(row.two or 0, ""),
        closes=closes,
        ends=time_tag(closes, now),
        yes=answers.count(True),
        no=answers.count(False),
        voters=len(voters),
        needed=votes_needed(len(voters)),
        mine=said.get(mine.pk),
        may=mine in voters,
    )
