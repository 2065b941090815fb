"""What has come due: found by its index alone, so that it costs what is due and not what is stored."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from games.models import Game, Holder, Turn

AT_ONCE: Final = 500
"""The most of a kind that one sweep looks at; the next one takes the rest."""


@dataclass(frozen=True, slots=True)
class DueTurns:
    """Turns at which somebody must look, those first that have waited longest.

    bots: (game id, version) of the games whose bot is late. people: (game id, seat) of those whose time may be up.
    astray: ids of games that were set aside and have turns that come due. full: there may be more.
    """

    bots: tuple[tuple[int, int], ...] = ()
    people: tuple[tuple[int, int], ...] = ()
    astray: tuple[int, ...] = ()
    full: bool = False


def turns_due(*, now: datetime, grace: timedelta) -> DueTurns:
    """Return the turns that have come due; bots only if they are late by *grace*."""
    moment = max(now, now - grace)
    rows = Turn.objects.filter(due_at__lte=moment).order_by("due_at", "pk").values_list("game_id", "seat", "due_at")
    turns = [(game, seat, due) for game, seat, due in rows[:AT_ONCE] if due is not None]
    if not turns:
        return DueTurns()
    games = Game.objects.only("table_id", "version", "aside").in_bulk({game for game, _, _ in turns})
    aside = {pk for pk, game in games.items() if game.aside is not None}
    bots = _bots({game.table_id for game in games.values()})
    late: dict[tuple[int, int], None] = {}
    people = []
    for game_id, seat, due in turns:
        game = games[game_id]
        if game_id in aside:
            continue
        if (game.table_id, seat) not in bots:
            if due <= now:
                people.append((game_id, seat))
        elif due <= now - grace:
            late[game_id, game.version] = None
    return DueTurns(tuple(late), tuple(people), tuple(sorted(aside)), full=len(turns) == AT_ONCE)


def _bots(tables: Collection[int]) -> frozenset[tuple[int, int]]:
    """Return (table id, seat) wherever a bot plays at some tables, be it for a person who is not there."""
    rows = Holder.objects.filter(~Q(bot="") | ~Q(stand_in=""), table__in=tables, until=None)
    return frozenset(rows.values_list("table_id", "seat__number"))


def warnings_due(*, now: datetime) -> list[tuple[int, int]]:
    """Return (game id, seat) of those whom to remind of their deadline."""
    rows = Turn.objects.filter(warn_at__lte=now).order_by("warn_at", "pk")
    return list(rows.values_list("game_id", "seat")[:AT_ONCE])


def orders_due(*, now: datetime) -> list[tuple[int, int]]:
    """Return (game id, seat) of those whose only card goes by itself."""
    rows = Turn.objects.filter(order_at__lte=now).order_by("order_at", "pk")
    return list(rows.values_list("game_id", "seat")[:AT_ONCE])


def deals_due(*, now: datetime) -> list[int]:
    """Return the games after which the next one of their series is to be dealt."""
    return list(Game.objects.filter(next_at__lte=now).order_by("next_at", "pk").values_list("pk", flat=True)[:AT_ONCE])
