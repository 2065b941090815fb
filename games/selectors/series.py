"""The series of one table: its deals, who has lost how many, and how it goes on (rules.md 11, R31)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import User
from games.models import Game, Table
from games.rules.deal import next_dealer
from games.rules.ruleset import ruleset_of
from games.rules.scoring import totals
from games.selectors.acts import Act, acts_at
from games.selectors.cast import Cast
from games.selectors.charts import Steps, steps_of
from games.selectors.company import NotAtTable
from games.selectors.ends import ends_of
from games.selectors.estimate import estimate_words, span_words
from games.selectors.options import TIE_SHORT, TIE_WORDS, RulesInWords, rules_in_words
from games.selectors.paces import clock_facts
from games.selectors.sight import Sight, Viewer, table_sight
from games.selectors.standings import DealLine, StandingLine, Told, deal_line, standing_lines
from games.selectors.times import time_tag


@dataclass(frozen=True, slots=True)
class Series:
    """A table's series as one viewer sees it; `title` is what its losers are called.

    ties: what becomes of equal losses. tie_head: what is compared then, "" where nothing is.
    can_deal: the viewer may deal the next one. seated, left: they have a seat, or had one. office: they have none, and
    run the site. alone: all the others there are bots now. now: how it stands, in a sentence or two. playing: the code
    of the deal in play, "" if there is none that the viewer may look at. length: how long it takes, "" once it is over.
    chart: each line of the standings with its steps, none before the first deal is over. acts: what operators did here.
    """

    code: str
    name: str
    title: str
    deals: int
    donkey: bool
    ties: str
    tie_head: str
    can_deal: bool
    seated: bool
    left: bool
    office: bool
    alone: bool
    over: bool
    now: SafeString
    playing: str
    length: str
    rules: RulesInWords
    clocks: tuple[tuple[str, str], ...]
    standings: tuple[StandingLine, ...]
    chart: tuple[tuple[StandingLine, Steps], ...]
    games: tuple[DealLine, ...]
    acts: tuple[Act, ...]


def newest_code(table: Table) -> str:
    """Return the code of the game that was dealt last at a table, "" if none was."""
    return Game.objects.filter(table=table).order_by("-number").values_list("code", flat=True).first() or ""


def series_of(
    *, viewer: Viewer, code: str, invited: Collection[int] = (), office: bool = False, now: datetime
) -> Series:
    """Return the standings and the deals of a table. *invited* are the invitations by which the viewer came.

    *office*: they run the site, and have just shown so.

    Raises:
        NotAtTable: there is no such table, it has not started, or the viewer may not look at it.
    """
    sight = table_sight(viewer=viewer, code=code, invited=invited, office=office)
    if sight.table.started is None:
        raise NotAtTable
    return _series(sight, _told(sight), now)


def _told(sight: Sight) -> Told:
    """Ask what the lines of a series are told from."""
    table = sight.table
    games = list(Game.objects.filter(table=table).order_by("number"))
    donkey = ruleset_of(table.rules).game == "donkey"
    return Told(
        cast=Cast(tuple(each.name for each in sight.holders), sight.seat, donkey=donkey, instead=sight.instead),
        rows=sight.rows,
        games=games,
        ends=ends_of(table, games),
        pages=_pages(sight),
        looks=sight.seat is not None or sight.watches,
        whys=sight.seat is not None or sight.left or sight.office,
        tie_break=table.tie_break,
    )


def _series(sight: Sight, told: Told, now: datetime) -> Series:
    table, games = sight.table, told.games
    over, rules = table.status == Table.Status.OVER, ruleset_of(table.rules)
    lines, deals = standing_lines(told, over=over), told.deals
    waits = table.status == Table.Status.RUNNING and 0 < len(told.ends) == len(games)
    after = totals(table.seats, deals)
    return Series(
        code=table.code,
        name=table.name,
        title=table.title,
        deals=table.deals,
        donkey=told.cast.donkey,
        ties=TIE_WORDS[table.tie_break],
        tie_head=TIE_SHORT.get(table.tie_break, ""),
        can_deal=sight.seat is not None and waits,
        seated=sight.seat is not None,
        left=sight.left,
        office=sight.office and sight.seat is None,
        alone=sight.alone,
        over=over,
        now=_end(lines, table) if over else _goes_on(table, told, now),
        playing=games[-1].code if told.looks and games[-1].number not in told.ends else "",
        length="" if over else _length(table, told),
        rules=rules_in_words(rules),
        clocks=clock_facts(table),
        standings=lines,
        chart=tuple((each, steps_of(after, each.seat)) for each in lines) if after else (),
        games=tuple(deal_line(game, deal, told) for game, deal in zip(games, deals, strict=True)),
        acts=acts_at(table) if told.whys else (),
    )


def _pages(sight: Sight) -> Mapping[int, str]:
    """Return the codes of people's pages by their seats, for those who have met them here or run the site."""
    if sight.seat is None and not (sight.left or sight.office):
        return {}
    users = {each.user_id: each.seat.number for each in sight.holders if each.user_id is not None}
    return {users[pk]: code for pk, code in User.objects.filter(pk__in=users).values_list("pk", "code")}


def _goes_on(table: Table, told: Told, now: datetime) -> SafeString:
    """Say which deal is in play or comes next, and who deals it."""
    last, cast = told.games[-1], told.cast
    if last.number not in told.ends:
        return format_html("Deal {} of {} is in play, {}.", last.number, table.deals, told.dealt(last))
    dealer = next_dealer(ruleset_of(table.rules), table.seats, last.dealer)
    who = cast.say(dealer, "You deal", "{name} deals")
    said = format_html("{} next, deal {} of {}.", who, last.number + 1, table.deals)
    if last.next_at is None:
        return said
    return format_html("{} It starts by itself at {}.", said, time_tag(last.next_at, now))


def _end(lines: Sequence[StandingLine], table: Table) -> SafeString:
    """Say who has the first place of a series that is over, and who its title."""
    first, last = [each for each in lines if each.first], [each for each in lines if each.last]
    if not first:
        return escape("The series is over: nobody has lost more than another.")
    told = "{} {} first" if len(first) == 1 else "{} {} the first place"
    best = format_html(told, _names(first), _verb(first, "share", "are" if first[0].you else "is"))
    title = format_html("the title <b><bdi>{}</bdi></b> goes to {}", table.title, _names(last))
    return format_html("The series is over: {}, and {}.", best, title)


def _verb(lines: Sequence[StandingLine], many: str, one: str) -> str:
    return many if len(lines) > 1 else one


def _names(lines: Sequence[StandingLine]) -> SafeString:
    """Name seats as a list is read out."""
    names = [escape("you") if each.you else format_html("<bdi>{}</bdi>", each.name) for each in lines]
    if len(names) == 1:
        return names[0]
    return format_html("{} and {}", format_html_join(", ", "{}", ((each,) for each in names[:-1])), names[-1])


def _length(table: Table, told: Told) -> str:
    """Say how long the deals that are left will take, if they take as long as those before them usually did."""
    took = [end.game.ended - end.game.created for end in told.ends.values() if end.game.ended is not None]
    if not took:
        people = sum(each.until is None and not each.bot for each in told.rows)
        return estimate_words(table=table, people=[None] * people)
    usual, left = timedelta(seconds=median(each.total_seconds() for each in took)), table.deals - len(took)
    whole = usual * left + table.rest_between * (table.deals - len(told.games))
    deals = "1 deal is" if left == 1 else f"{left} deals are"
    return f"{span_words(usual)} a deal so far; {deals} left, {span_words(whole)}"
