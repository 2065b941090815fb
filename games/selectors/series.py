"""The series of one table: its deals, and who has lost how many (rules.md 11)."""

from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from accounts.models import User
from games.models import Game, Result, Table
from games.rules.ruleset import ruleset_of
from games.rules.scoring import Standing, standings
from games.selectors.cast import Cast
from games.selectors.company import company
from games.selectors.games import result_of
from games.selectors.sentences import verdict


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A seat in the standings; legs count in Donkey only."""

    place: int
    name: str
    you: bool
    losses: int
    legs: int


@dataclass(frozen=True, slots=True)
class DealLine:
    """One deal of the series, and how it ended if it has."""

    number: int
    code: str
    ended: SafeString


@dataclass(frozen=True, slots=True)
class Series:
    """A table's series as one of its people sees it; `title` is what its losers are called."""

    name: str
    title: str
    deals: int
    donkey: bool
    standings: tuple[StandingLine, ...]
    games: tuple[DealLine, ...]


def newest_code(table: Table) -> str:
    """Return the code of the game that was dealt last at a table, "" if none was."""
    return Game.objects.filter(table=table).order_by("-number").values_list("code", flat=True).first() or ""


def series_of(*, viewer: User, code: str) -> Series:
    """Return the standings and the deals of a table.

    Raises:
        NotAtTable: there is no such table, or the viewer has no seat at it.
    """
    found = company(viewer=viewer, code=code)
    table, holders = found.table, found.holders
    donkey = ruleset_of(table.rules).game == "donkey"
    cast = Cast(tuple(each.name for each in holders), found.seat, donkey=donkey)
    games = Game.objects.filter(table=table).order_by("number").values_list("pk", "number", "code")
    results = {each.game_id: each for each in Result.objects.filter(game__table=table)}
    ended = [result_of(results[pk]) for pk, _, _ in games if pk in results]
    return Series(
        name=table.name,
        title=table.title,
        deals=table.deals,
        donkey=donkey,
        standings=tuple(_standing(each, cast) for each in standings(len(holders), ended)),
        games=tuple(DealLine(number, key, _ended(results.get(pk), cast)) for pk, number, key in games),
    )


def _standing(each: Standing, cast: Cast) -> StandingLine:
    return StandingLine(each.place, cast.names[each.seat], each.seat == cast.viewer, each.losses, each.legs)


def _ended(result: Result | None, cast: Cast) -> SafeString:
    return escape("In play") if result is None else verdict(result_of(result), cast)
