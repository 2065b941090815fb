"""Who played at which seat of a game, and when a seat changed hands (decision 23)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from games.models import Game, Holder
from games.selectors.cast import Cast
from games.selectors.effective import Effective
from games.selectors.games import Log, rules_of
from games.selectors.makers import BOT, HAND, ORDER, STAND_IN
from games.selectors.sentences import Line, handed

HANDED: Final = "Handed"
"""The kind of a line about a seat that changed hands."""


class Handover(NamedTuple):
    """A seat went from one holder to the next after entry `step` of the game."""

    step: int
    old: Holder
    new: Holder


@dataclass(frozen=True, slots=True)
class Playbill:
    """Who plays a game as one viewer meets them: `casts[n]` are those after the first n handovers."""

    casts: tuple[Cast, ...]
    handovers: tuple[Handover, ...]

    @property
    def cast(self) -> Cast:
        """Those who play now, or who played to the end."""
        return self.casts[-1]

    def at(self, step: int) -> Cast:
        """Return those who met entry *step*, counted from 1."""
        return self.casts[bisect_left(self.handovers, step, key=lambda each: each.step)]

    def after(self, step: int) -> Cast:
        """Return those who sit there when entry *step* and all that came before the next is done."""
        return self.casts[bisect_right(self.handovers, step, key=lambda each: each.step)]

    def ways(self, log: Log, *, over: bool) -> tuple[str, ...]:
        """Return how each entry was made, as the viewer may know it while the deal runs or when it is over (R29)."""
        made = zip(log.entries, log.actors, strict=True)
        return tuple(_way(actor, each.seat, self.at(number), over=over) for number, (each, actor) in enumerate(made, 1))

    def lines(self, step: int) -> tuple[Line, ...]:
        """Return the sentences about the seats that changed hands after entry *step* and before the next."""
        told = zip(self.handovers, self.casts, strict=False)
        return tuple(
            Line(step, HANDED, handed(each.new.seat.number, each.new.name, cast, bot=bool(each.new.bot)))
            for each, cast in told
            if each.step == step and not (each.old.bot and each.new.bot)
        )


def _way(actor: str, seat: int, cast: Cast, *, over: bool) -> str:
    """Return how an entry of a seat was made; a bot that plays for somebody is told from one that holds the seat."""
    if actor == ORDER and not over and seat != cast.viewer:
        return HAND
    return STAND_IN if actor == BOT and seat not in cast.bots else actor


def playbill_of(
    game: Game,
    rows: Sequence[Holder],
    viewer: int | None,
    times: Sequence[datetime],
    counts: Effective | None = None,
) -> Playbill:
    """Return who played a game, from all the holders of its table by seat and time, and the times of its entries.

    *counts*: its result, once it is over.
    """
    held = {seat: _during(game, each) for seat, each in groupby(rows, key=lambda row: row.seat.number)}
    last = {seat: each[-1] for seat, each in held.items()}
    cast = Cast(
        names=tuple(each[0].name for each in held.values()),
        viewer=viewer,
        donkey=rules_of(game).game == "donkey",
        show_voids=game.table.show_voids,
        bots=frozenset(seat for seat, each in held.items() if each[0].bot),
        charged=_charged(counts, last),
        voided=counts is not None and counts.voided,
    )
    handovers = tuple(_handovers(held, times))
    casts = [cast]
    for each in handovers:
        casts.append(_handed_on(casts[-1], each))
    return Playbill(tuple(casts), handovers)


def charging(cast: Cast, end: Effective, ended: datetime | None) -> Cast:
    """Return a cast in which the loser of a game that ended then, if it has one, is called as who is charged."""
    loser, holder = end.result.loser, end.holder
    if loser is None or holder is None or loser == cast.viewer:
        return replace(cast, voided=end.voided)
    names = list(cast.names)
    names[loser] = holder.name
    gone = holder.until is not None and ended is not None and holder.until < ended
    return replace(cast, names=tuple(names), charged=holder.name if gone else "")


def _during(game: Game, rows: Iterator[Holder]) -> list[Holder]:
    """Return who held a seat while the game ran, of all who ever did: at least one."""
    until = game.ended
    came = [row for row in rows if until is None or row.since <= until]
    first = next((at for at, row in enumerate(came) if row.until is None or row.until > game.created), len(came) - 1)
    return came[first:]


def _charged(counts: Effective | None, last: Mapping[int, Holder]) -> str:
    """Return the name of who lost and had left by then, "" if whoever sat there at the end lost."""
    if counts is None or counts.result.loser is None or counts.holder is None:
        return ""
    return "" if counts.holder.pk == last[counts.result.loser].pk else counts.holder.name


def _handovers(held: Mapping[int, Sequence[Holder]], times: Sequence[datetime]) -> list[Handover]:
    """Return who took over from whom, in order of time."""
    pairs = [pair for each in held.values() for pair in pairwise(each)]
    # What was played at the very moment came first: whoever played it was still there.
    pairs.sort(key=_when)
    steps = [sum(at <= new.since for at in times) for _, new in pairs]
    return [Handover(step, old, new) for step, (old, new) in zip(steps, pairs, strict=True)]


def _when(pair: tuple[Holder, Holder]) -> tuple[datetime, int]:
    return pair[1].since, pair[1].pk


def _handed_on(cast: Cast, each: Handover) -> Cast:
    """Return the cast after a handover; a bot plays on for the last person who left the seat."""
    seat, names = each.new.seat.number, list(cast.names)
    names[seat] = each.new.name
    for_whom = dict(cast.instead)
    person = for_whom.pop(seat, "") if each.old.bot else each.old.name
    if each.new.bot and person:
        for_whom[seat] = person
    bots = cast.bots | {seat} if each.new.bot else cast.bots - {seat}
    return replace(cast, names=tuple(names), instead=for_whom, bots=bots)
