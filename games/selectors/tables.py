"""A person's games, as the start page lists them (R23)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import FETCH_RAISE, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Window
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import User
from games.models import Game, Holder, Table, Turn
from games.selectors.cast import Cast
from games.selectors.effective import Effective, effective_of
from games.selectors.games import rules_of
from games.selectors.mine import turns_of
from games.selectors.playbill import charging
from games.selectors.sentences import verdict
from games.selectors.times import time_tag

FINISHED_SHOWN: Final = 20
"""How many finished games the start page lists."""
RUNNING_SHOWN: Final = 100
"""How many games it lists that wait for the person, and as many that wait for others."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list. now: whom it waits for and until when, or how it ended. deal: "2 of 5", "" for a single one."""

    code: str
    table: str
    deal: str
    players: SafeString
    now: SafeString


@dataclass(frozen=True, slots=True)
class Home:
    """A person's games: those that wait for them, those that wait for others, the last finished ones.

    count: how many wait for them, listed or not. more: there are games that wait for others beside the listed ones.
    between: the last deal of each series of theirs whose next one has not been dealt; it is not among the finished.
    """

    mine: tuple[GameLine, ...]
    count: int
    between: tuple[GameLine, ...]
    waiting: tuple[GameLine, ...]
    more: bool
    finished: tuple[GameLine, ...]

    @property
    def unlisted(self) -> int:
        """How many games wait for the person beside the listed ones."""
        return self.count - len(self.mine)


class _There(NamedTuple):
    """Who sits at a table now, as the viewer meets them, and at which seats a bot plays."""

    cast: Cast
    bots: frozenset[int]


def home_of(viewer: User, now: datetime) -> Home:
    """Return a person's games, what must be done first first; six queries, however many there are."""
    games = Game.objects.all().fetch_mode(FETCH_RAISE).select_related("table")
    turns = turns_of(viewer).fetch_mode(FETCH_RAISE).select_related("game__table")
    found = list(turns.annotate(total=Window(Count("pk")))[:RUNNING_SHOWN])
    mine = [turn.game for turn in found]
    others, over = _waiting(games, viewer), _over(games, viewer)
    listed = [*mine, *others[:RUNNING_SHOWN]]
    there, awaited = _tables((game.table_id for game in (*listed, *over)), viewer), _turns(listed)
    casts = {key: each.cast for key, each in there.items()}
    lines = {game.pk: _line(game, casts, _waits_for(awaited[game.pk], there[game.table_id], now)) for game in listed}
    results = effective_of(over)
    ended = {game.pk: _line(game, casts, _ended(game, results.get(game.pk), casts)) for game in over}
    between = {game.pk: _line(game, casts, _next_deal(game, ended[game.pk].now, now)) for game in _between(over, casts)}
    return Home(
        mine=tuple(lines[game.pk] for game in mine),
        count=found[0].total if found else 0,
        between=tuple(between.values()),
        waiting=tuple(lines[game.pk] for game in others[:RUNNING_SHOWN]),
        more=len(others) > RUNNING_SHOWN,
        finished=tuple(ended[pk] for pk in ended if pk not in between),
    )


def _waiting(games: QuerySet[Game], viewer: User) -> Sequence[Game]:
    """Return the games in play that wait for others, the longest first, and one more than are listed."""
    mine = turns_of(viewer).filter(game=OuterRef("pk")).order_by()
    first = Turn.objects.filter(game=OuterRef("pk")).order_by("since").values("since")[:1]
    playing = games.filter(table__holder__user=viewer, table__holder__until=None, status=Game.Status.RUNNING)
    return list(playing.filter(~Exists(mine)).order_by(Subquery(first), "pk")[: RUNNING_SHOWN + 1])


def _over(games: QuerySet[Game], viewer: User) -> Sequence[Game]:
    """Return the games of the person that ended last, and whether another deal of their tables is in play."""
    # Those of a table that they have left as well, if they were there when the game began.
    was_there = Q(table__holder__until=None) | Q(table__holder__until__gt=F("created"))
    past = games.filter(was_there, table__holder__user=viewer, status=Game.Status.OVER)
    playing = Game.objects.filter(table=OuterRef("table"), status=Game.Status.RUNNING)
    return list(past.annotate(played_on=Exists(playing)).order_by("-ended", "-pk")[:FINISHED_SHOWN])


def _between(over: Iterable[Any], casts: Mapping[int, Cast]) -> list[Game]:
    """Return the deals after which the viewer may deal the next; *over* begins with what ended last."""
    newest: dict[int, Any] = {}
    for game in over:
        newest.setdefault(game.table_id, game)
    waits = Table.Status.RUNNING
    return [
        game
        for key, game in newest.items()
        if game.table.status == waits and not game.played_on and casts[key].viewer is not None
    ]


def _turns(games: Collection[Game]) -> Mapping[int, list[Turn]]:
    turns, aside = defaultdict[int, list[Turn]](list), {game.pk for game in games if game.aside is not None}
    for turn in Turn.objects.filter(game__in=games):
        # As on its board: whatever is stored, no time runs in a game that was set aside.
        turn.due_at = None if turn.game_id in aside else turn.due_at
        turns[turn.game_id].append(turn)
    return turns


def _tables(table_ids: Iterable[int], viewer: User) -> Mapping[int, _There]:
    rows = Holder.objects.filter(table_id__in=set(table_ids), until=None).order_by("seat__number")
    tables = defaultdict[int, list[Holder]](list)
    for row in rows.only("table_id", "name", "user_id", "bot", "stand_in"):
        tables[row.table_id].append(row)
    return {key: _there(seats, viewer) for key, seats in tables.items()}


def _there(seats: Sequence[Holder], viewer: User) -> _There:
    mine = next((seat for seat, each in enumerate(seats) if each.user_id == viewer.pk), None)
    bots = frozenset(seat for seat, each in enumerate(seats) if each.bot or each.stand_in)
    return _There(Cast(tuple(each.name for each in seats), mine), bots)


def _line(game: Game, casts: Mapping[int, Cast], now: SafeString) -> GameLine:
    cast, table = casts[game.table_id], game.table
    others = ((cast.who(seat),) for seat in range(len(cast.names)) if seat != cast.viewer)
    deal = f"{game.number} of {table.deals}" if table.deals > 1 else ""
    return GameLine(game.code, table.name, deal, format_html_join(", ", "{}", others), now)


def _waits_for(turns: Sequence[Turn], there: _There, now: datetime) -> SafeString:
    """Say for whom a game waits, and until when."""
    due, cast = {turn.seat: turn.due_at for turn in turns}, there.cast
    if not due:
        # It has ended since it was found in play.
        return escape("Over")
    if cast.viewer in due and cast.viewer not in there.bots:
        told = escape("Your turn" if len(due) == 1 else "Your turn: all may play now")
        return _until(told, due[cast.viewer], now, "by")
    if len(due) > 1:
        return format_html("{} to play", len(due))
    seat = min(due)
    if seat == cast.viewer:
        return escape("A bot plays for you")
    told = format_html("{}\u2019s turn", cast.who(seat))
    return told if seat in there.bots else _until(told, due[seat], now, "until")


def _until(told: SafeString, due: datetime | None, now: datetime, word: str) -> SafeString:
    return told if due is None else format_html("{}, {} {}", told, word, time_tag(due, now))


def _next_deal(game: Game, ended: SafeString, now: datetime) -> SafeString:
    """Say when the next deal is dealt by itself, or how the last one ended and that the next is to be dealt."""
    if game.next_at is None:
        return format_html("{} Deal the next one when you like.", ended)
    return format_html("Next deal at {}", time_tag(game.next_at, now))


def _ended(game: Game, result: Effective | None, casts: Mapping[int, Cast]) -> SafeString:
    if result is None:
        return escape("Over")
    cast = replace(casts[game.table_id], donkey=rules_of(game).game == "donkey")
    return verdict(result.result, charging(cast, result, game.ended))
