"""A person's games, as the start page lists them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.db.models import FETCH_RAISE, F, Q
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import User
from games.models import Game, Holder, Result, Table, Turn
from games.selectors.cast import Cast
from games.selectors.games import result_of, rules_of
from games.selectors.playbill import charging
from games.selectors.sentences import verdict

FINISHED_SHOWN = 20
"""How many finished games the start page lists."""
RUNNING_SHOWN = 100
"""How many games in play it lists."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list. now: whom it waits for, or how it ended. deal: "2 of 5", "" for a single one."""

    code: str
    table: str
    deal: str
    players: SafeString
    now: SafeString


@dataclass(frozen=True, slots=True)
class Home:
    """A person's games: those that wait for them, those that wait for others, the last finished ones.

    between: the last deal of each series of theirs whose next one has not been dealt; it is not among the finished.
    """

    mine: tuple[GameLine, ...]
    between: tuple[GameLine, ...]
    waiting: tuple[GameLine, ...]
    finished: tuple[GameLine, ...]


def home_of(viewer: User) -> Home:
    """Return a person's games, those that have waited longest first; five queries, however many there are."""
    games = Game.objects.all().fetch_mode(FETCH_RAISE).select_related("table")
    now = games.filter(table__holder__user=viewer, table__holder__until=None, status=Game.Status.RUNNING)
    running = list(now.order_by("-created")[:RUNNING_SHOWN])
    # Those of a table that they have left as well, if they were there when the game began.
    there = Q(table__holder__until=None) | Q(table__holder__until__gt=F("created"))
    past = games.filter(there, table__holder__user=viewer, status=Game.Status.OVER)
    over = list(past.order_by("-ended", "-pk")[:FINISHED_SHOWN])
    casts = _casts((game.table_id for game in (*running, *over)), viewer)
    turns = _turns(running)
    results = {each.game_id: each for each in Result.objects.filter(game__in=over).select_related("holder")}
    # The one whose card has been awaited longest comes first.
    running.sort(key=lambda game: min((turn.since for turn in turns[game.pk]), default=game.created))
    waits = {game.pk: {turn.seat for turn in turns[game.pk]} for game in running}
    lines = {game.pk: _line(game, casts, _waits_for(waits[game.pk], casts[game.table_id])) for game in running}
    is_mine = {game.pk: casts[game.table_id].viewer in waits[game.pk] for game in running}
    ended = {game.pk: _line(game, casts, _ended(game, results.get(game.pk), casts)) for game in over}
    between = _between(running, over, casts)
    return Home(
        mine=tuple(lines[game.pk] for game in running if is_mine[game.pk]),
        between=tuple(ended[pk] for pk in ended if pk in between),
        waiting=tuple(lines[game.pk] for game in running if not is_mine[game.pk]),
        finished=tuple(ended[pk] for pk in ended if pk not in between),
    )


def _between(running: Iterable[Game], over: Iterable[Game], casts: Mapping[int, Cast]) -> frozenset[int]:
    """Return the deals after which the viewer may deal the next; *over* begins with what ended last."""
    played = {game.table_id for game in running}
    newest: dict[int, Game] = {}
    for game in over:
        newest.setdefault(game.table_id, game)
    waits = Table.Status.RUNNING
    return frozenset(
        game.pk
        for key, game in newest.items()
        if game.table.status == waits and key not in played and casts[key].viewer is not None
    )


def _turns(games: Iterable[Game]) -> Mapping[int, list[Turn]]:
    turns = defaultdict[int, list[Turn]](list)
    for turn in Turn.objects.filter(game__in=list(games)):
        turns[turn.game_id].append(turn)
    return turns


def _casts(table_ids: Iterable[int], viewer: User) -> Mapping[int, Cast]:
    rows = Holder.objects.filter(table_id__in=set(table_ids), until=None).order_by("seat__number")
    tables = defaultdict[int, list[tuple[str, int | None]]](list)
    for table_id, name, user_id in rows.values_list("table_id", "name", "user_id"):
        tables[table_id].append((name, user_id))
    return {key: _cast(seats, viewer) for key, seats in tables.items()}


def _cast(seats: list[tuple[str, int | None]], viewer: User) -> Cast:
    names, users = zip(*seats, strict=True)
    return Cast(names, users.index(viewer.pk) if viewer.pk in users else None)


def _line(game: Game, casts: Mapping[int, Cast], now: SafeString) -> GameLine:
    cast, table = casts[game.table_id], game.table
    others = ((cast.who(seat),) for seat in range(len(cast.names)) if seat != cast.viewer)
    deal = f"{game.number} of {table.deals}" if table.deals > 1 else ""
    return GameLine(game.code, table.name, deal, format_html_join(", ", "{}", others), now)


def _waits_for(seats: set[int], cast: Cast) -> SafeString:
    if not seats:
        # It has ended since it was found in play.
        return escape("Over")
    if cast.viewer in seats:
        return escape("Your turn")
    if len(seats) == 1:
        return format_html("{}\u2019s turn", cast.who(min(seats)))
    return format_html("{} to play", len(seats))


def _ended(game: Game, result: Result | None, casts: Mapping[int, Cast]) -> SafeString:
    if result is None:
        return escape("Over")
    cast = replace(casts[game.table_id], donkey=rules_of(game).game == "donkey")
    return verdict(result_of(result), charging(cast, result, game.ended))
