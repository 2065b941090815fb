"""The standings of a series in words: each number with the deals behind it, each deal with how it ended and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from games.models import Game, Holder
from games.rules.scoring import Deal, How, Standing, standings
from games.selectors.cast import Cast, cards_text
from games.selectors.ends import Change, Ended, changes, charged_to, deal_of
from games.selectors.playbill import charging
from games.selectors.sentences import verdict

_NOBODY: Final[Mapping[How, str]] = {
    How.ENDLESS: "The deal was endless: nobody loses it.",
    How.STOPPED: "An operator stopped the deal: nobody loses it.",
    How.VOID: "An operator declared the deal void: nobody loses it.",
}
_MARKS: Final[Mapping[How, str]] = {How.ENDLESS: "Endless", How.STOPPED: "Stopped", How.VOID: "Void"}
_CORRECTED: Final = "Corrected"


@dataclass(frozen=True, slots=True)
class Reason:
    """A deal behind a number: how it counts, and what operators made of it. code: of its page, "" if it is closed."""

    number: int
    code: str
    text: SafeString
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A seat in the standings; legs count in Donkey only.

    code: of the page of whoever sits there, "" for bots and for those whom the viewer has not met. instead: for whom a
    bot plays on there, else "". first: they have the first place of a series that is over; last: its title.
    tie: what is compared where losses are equal, "" where nothing is. reasons: the deals behind the numbers.
    """

    seat: int
    place: int
    name: str
    code: str
    you: bool
    instead: str
    losses: int
    legs: int
    tie: str
    first: bool
    last: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class DealLine:
    """One deal of the series, who dealt it, and how it ended if it has. open: the viewer may look at it.

    mark: "Endless", "Stopped", "Void" or "Corrected", else "". changes: what operators made of its result.
    """

    number: int
    code: str
    dealt: SafeString
    ended: SafeString
    mark: str
    changes: tuple[Change, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What the lines are told from. looks: the viewer may look at a deal in play. whys: they may read the reasons."""

    cast: Cast
    rows: Sequence[Holder]
    games: Sequence[Game]
    ends: Mapping[int, Ended]
    pages: Mapping[int, str]
    looks: bool
    whys: bool
    tie_break: str

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The deals as the standings count them."""
        return tuple(deal_of(game, self.ends.get(game.number)) for game in self.games)

    def dealt(self, game: Game) -> SafeString:
        """Say who dealt a game, as they were called who sat there then."""
        sat = [each for each in self.rows if each.seat.number == game.dealer and each.since <= game.created]
        if sat and sat[-1].until is not None:
            return format_html("dealt by <bdi>{}</bdi>", sat[-1].name)
        return self.cast.say(game.dealer, "dealt by you", "dealt by {name}")


def standing_lines(told: Told, *, over: bool) -> tuple[StandingLine, ...]:
    """Return the standings of a series, best first; once it is *over* the first and the last are known."""
    found = standings(len(told.cast.names), told.deals, told.tie_break)
    # Where all are equal nobody is ahead of anybody.
    bottom = found[-1].place if over else 1
    return tuple(_line(each, told, first=each.place == 1 < bottom, last=each.place == bottom > 1) for each in found)


def _line(each: Standing, told: Told, *, first: bool, last: bool) -> StandingLine:
    seat, cast = each.seat, told.cast
    return StandingLine(
        seat=seat,
        place=each.place,
        name=cast.names[seat],
        code=told.pages.get(seat, ""),
        you=seat == cast.viewer,
        instead=cast.instead.get(seat, ""),
        losses=each.losses,
        legs=each.legs,
        tie=_tie(each, told.tie_break),
        first=first,
        last=last,
        reasons=tuple(_reasons(seat, told)),
    )


def _tie(each: Standing, tie_break: str) -> str:
    match tie_break:
        case "cards":
            return str(each.legs)
        case "first":
            return str(len(each.first))
        case "longest":
            return f"deal {each.lost[-1]}" if each.lost else "never"
        case _:
            return ""


def _reasons(seat: int, told: Told) -> Iterator[Reason]:
    """Give the deals that a seat has lost, or was first away in where that counts, and those that count no more."""
    for number, end in told.ends.items():
        result = end.counts.result
        if seat in end.lost_once:
            text = _lost(end, told.cast) if result.loser == seat else _lost_no_more(end, told.cast)
        elif told.tie_break == "first" and result.away[:1] == (seat,):
            text = escape("first away") if not result.void else _lost_no_more(end, told.cast)
        else:
            continue
        yield Reason(number, end.game.code, text, changes(end, told.cast, whys=told.whys))


def _lost(end: Ended, cast: Cast) -> SafeString:
    """Say by what a deal was lost, and by whom if they have left since."""
    holder, by_what = end.counts.holder, _by_what(end.counts.result.cards_left or 0, cast)
    if holder is None or holder.until is None:
        return format_html("lost {}", by_what)
    gone = end.game.ended is not None and holder.until < end.game.ended
    who = "lost {}, charged to <bdi>{}</bdi>, who had left" if gone else "lost {} by <bdi>{}</bdi>, who has left since"
    return format_html(who, by_what, holder.name)


def _by_what(count: int, cast: Cast) -> str:
    if cast.donkey:
        return f"as a donkey with {count} leg{'' if count == 1 else 's'}"
    return f"with {cards_text(count)}" if count else "as the last one left"


def _lost_no_more(end: Ended, cast: Cast) -> SafeString:
    if end.counts.result.loser is None:
        return escape("void, nobody lost")
    return format_html("lost by {}", charged_to(end.versions[-1], cast))


def deal_line(game: Game, deal: Deal, told: Told) -> DealLine:
    """Return a deal as the viewer may read of it."""
    end = told.ends.get(game.number)
    return DealLine(
        number=game.number,
        code=game.code,
        dealt=told.dealt(game),
        ended=_ended(deal, end, told.cast),
        mark=_MARKS.get(deal.how, _CORRECTED if deal.corrected else ""),
        changes=changes(end, told.cast, whys=told.whys) if end else (),
        open=end is not None or told.looks,
    )


def _ended(deal: Deal, end: Ended | None, cast: Cast) -> SafeString:
    if end is None:
        return escape("In play")
    if deal.how is not How.LOST:
        return escape(_NOBODY[deal.how])
    return verdict(end.counts.result, charging(cast, end.counts, end.game.ended))
