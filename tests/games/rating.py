"""Deals that count for ratings, made without playing them."""

import datetime as dt
from collections.abc import Sequence
from random import Random
from typing import Any

from accounts.models import User
from games.models import Game, Holder, Move, RatedDeal, Result, Table
from games.rules.ruleset import Ruleset
from games.services.locks import writing
from games.services.rating_marks import deal_to_rate
from games.services.tables import SeatPlan, TablePlan, table_create
from tests.games.breaks import HASH
from tests.games.stored import NOW

HOUR = dt.timedelta(hours=1)


def rated_table(seats: Sequence[User | str], *, game: Any = "getaway", rated: bool = True, deals: int = 50) -> Table:
    """A running table of people and bots (by their level) that counts for ratings."""
    plan = TablePlan(host=None, name="Rated", rules=Ruleset(game=game), deals=deals, rated=rated)
    plans = [SeatPlan(bot=each) if isinstance(each, str) else SeatPlan(user=each) for each in seats]
    table = table_create(plan=plan, seats=plans, now=NOW)
    Table.objects.filter(pk=table.pk).update(status="running", started=NOW)
    table.refresh_from_db()
    return table


def deal(
    table: Table, loser: int | None, ended: dt.datetime, *, stopped: bool = False, by_bots: Sequence[int] = ()
) -> Game:
    """A deal of a table that was lost by a seat (None: by nobody), with two cards played at each seat."""
    number = Game.objects.filter(table=table).count() + 1
    with writing():
        game = Game.objects.create(
            table=table,
            number=number,
            dealer=0,
            rules=table.rules,
            rules_version=table.rules_version,
            status="over",
            last_hash=HASH,
            created=ended - HOUR,
            ended=ended,
        )
        holder = None if loser is None else Holder.objects.get(table=table, seat__number=loser, until=None)
        void = {"void": loser is None, "stopped": stopped, "cards_left": None if loser is None else 1}
        Result.objects.create(game=game, loser=loser, holder=holder, away=[], **void)
        Move.objects.bulk_create(_moves(game, table.seats, by_bots))
        deal_to_rate(game=game)
    return game


def _moves(game: Game, seats: int, by_bots: Sequence[int]) -> list[Move]:
    return [
        Move(
            game=game,
            number=at + 1,
            kind="play",
            seat=at % seats,
            card="AS",
            actor="timeout" if at % seats in by_bots else "hand",
            at=game.created,
            hash=HASH,
        )
        for at in range(2 * seats)
    ]


def why(game: Game) -> str:
    """Why a deal does not count, once it was looked at."""
    found = RatedDeal.objects.get(game=game)
    assert not found.stale
    return found.why


def shuffled(users: Sequence[User], count: int, random: Random) -> list[User | str]:
    """So many at a table: people, and sometimes bots."""
    levels = ("random", "easy", "medium")
    people = random.sample(users, count)
    return [random.choice(levels) if random.random() < 0.25 else each for each in people]
