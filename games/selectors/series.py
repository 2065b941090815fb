"""The series of one table: its deals, and who has lost how many (rules.md 11)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from accounts.models import User
from games.models import Game, Table
from games.rules.ruleset import ruleset_of
from games.rules.scoring import Deal, Standing, standings
from games.selectors.cast import Cast
from games.selectors.company import NotAtTable
from games.selectors.effective import Effective, effective_of
from games.selectors.options import RulesInWords, rules_in_words
from games.selectors.paces import clock_facts
from games.selectors.playbill import charging
from games.selectors.sentences import verdict
from games.selectors.sight import Sight, Viewer, table_sight


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A seat in the standings; legs count in Donkey only.

    code: of the page of whoever sits there, "" for bots and for those whom the viewer has not met. instead: for whom a
    bot plays on there, else "".
    """

    place: int
    name: str
    code: str
    you: bool
    instead: str
    losses: int
    legs: int


@dataclass(frozen=True, slots=True)
class DealLine:
    """One deal of the series, and how it ended if it has. open: the viewer may look at it."""

    number: int
    code: str
    ended: SafeString
    open: bool


@dataclass(frozen=True, slots=True)
class Series:
    """A table's series as one viewer sees it; `title` is what its losers are called.

    can_deal: the viewer may deal the next one. seated, left: they have a seat, or had one. alone: all the others there
    are bots now.
    """

    code: str
    name: str
    title: str
    deals: int
    donkey: bool
    can_deal: bool
    seated: bool
    left: bool
    alone: bool
    over: bool
    rules: RulesInWords
    clocks: tuple[tuple[str, str], ...]
    standings: tuple[StandingLine, ...]
    games: tuple[DealLine, ...]


def newest_code(table: Table) -> str:
    """Return the code of the game that was dealt last at a table, "" if none was."""
    return Game.objects.filter(table=table).order_by("-number").values_list("code", flat=True).first() or ""


def series_of(*, viewer: Viewer, code: str, invited: Collection[int] = ()) -> Series:
    """Return the standings and the deals of a table. *invited* are the invitations by which the viewer came.

    Raises:
        NotAtTable: there is no such table, it has not started, or the viewer may not look at it.
    """
    sight = table_sight(viewer=viewer, code=code, invited=invited)
    table, holders = sight.table, sight.holders
    if table.started is None:
        raise NotAtTable
    rules = ruleset_of(table.rules)
    donkey = rules.game == "donkey"
    cast = Cast(tuple(each.name for each in holders), sight.seat, donkey=donkey, instead=sight.instead)
    games = list(Game.objects.filter(table=table).order_by("number"))
    ended = effective_of(games)
    deals = [Deal(each.number, each.dealer, ended[each.pk].result) for each in games if each.pk in ended]
    may_look = sight.seat is not None or sight.watches
    pages = _pages(sight)
    return Series(
        code=table.code,
        name=table.name,
        title=table.title,
        deals=table.deals,
        donkey=donkey,
        can_deal=sight.seat is not None and table.status == Table.Status.RUNNING and 0 < len(ended) == len(games),
        seated=sight.seat is not None,
        left=sight.left,
        alone=sight.alone,
        over=table.status == Table.Status.OVER,
        rules=rules_in_words(rules),
        clocks=clock_facts(table),
        standings=tuple(_standing(each, cast, pages) for each in standings(len(holders), deals)),
        games=tuple(_deal(each, ended.get(each.pk), cast, may_look=may_look) for each in games),
    )


def _pages(sight: Sight) -> Mapping[int, str]:
    """Return the codes of people's pages by their seats, for those who have met them here."""
    if sight.seat is None and not sight.left:
        return {}
    users = {each.user_id: each.seat.number for each in sight.holders if each.user_id is not None}
    return {users[pk]: code for pk, code in User.objects.filter(pk__in=users).values_list("pk", "code")}


def _standing(each: Standing, cast: Cast, pages: Mapping[int, str]) -> StandingLine:
    seat = each.seat
    return StandingLine(
        place=each.place,
        name=cast.names[seat],
        code=pages.get(seat, ""),
        you=seat == cast.viewer,
        instead=cast.instead.get(seat, ""),
        losses=each.losses,
        legs=each.legs,
    )


def _deal(game: Game, end: Effective | None, cast: Cast, *, may_look: bool) -> DealLine:
    told = verdict(end.result, charging(cast, end, game.ended)) if end else escape("In play")
    return DealLine(game.number, game.code, told, open=end is not None or may_look)
