"""Tables and games in the database for tests, and everything that is in it as one value."""

import datetime as dt
import itertools
import json
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from django.apps import apps
from django.db import connection

from accounts.models import User
from games.models import Game, Move, Table, WastePile
from games.rules.cards import Card
from games.rules.deal import start
from games.rules.engine import apply
from games.rules.legality import draw_pool, legal_cards
from games.rules.moves import Draw, Play, Take
from games.rules.record import Record, record_of
from games.rules.ruleset import Ruleset
from games.rules.shuffle import Source, system_source
from games.rules.state import GameState
from games.selectors.games import game_state, held_seats
from games.services import dealing
from games.services.locks import table_locked, writing
from games.services.play import Outcome, move_play
from games.services.tables import SeatPlan, TablePlan, table_create, table_open
from tests.games.ahead import plain, skipped

NOW: Final = dt.datetime(2026, 1, 31, 12, 0, 0, 250, tzinfo=dt.UTC)
SECRET: Final = bytes(range(32))
ROOT: Final = Path(__file__).parents[2]
RECORDS: Final = ROOT / "tests" / "records"


_numbers = itertools.count()


def person(name: str = "Nani") -> User:
    return User.objects.create_user(f"person{next(_numbers)}@example.org", name=name)


def people(count: int) -> list[User]:
    return [person(f"P{number}") for number in range(count)]


def table_of(
    rules: Ruleset | None = None, *, persons: Sequence[User] = (), bots: int = 0, level: str = "random", deals: int = 1
) -> Table:
    """A table with people at the first seats and bots at the others."""
    plan = TablePlan(host=None, name="A table", rules=rules or Ruleset(), deals=deals)
    return table_create(plan=plan, seats=_seats(persons, bots, level), now=NOW)


def _seats(persons: Sequence[User], bots: int, level: str) -> list[SeatPlan]:
    return [*(SeatPlan(user=user) for user in persons), *(SeatPlan(bot=level) for _ in range(bots))]


def game_of(
    rules: Ruleset | None = None, *, persons: Sequence[User] = (), bots: int = 0, level: str = "random", dealer: int = 0
) -> Game:
    """The first game of such a table, always with the same cards."""
    plan, seats = TablePlan(host=None, name="A table", rules=rules or Ruleset()), _seats(persons, bots, level)
    return table_open(plan=plan, seats=seats, now=NOW, source=lambda _: dealer, secret=SECRET)


def recorded(name: str, line: int = 0, *, why: str | None = None) -> Record:
    """The record at a line, counted from 0, of a file; with *why*, only lines made for that are counted."""
    found = map(json.loads, (RECORDS / f"{name}.jsonl").read_text().splitlines())
    return record_of([each for each in found if each.get("why") == why][line])


def game_recorded(record: Record) -> Game:
    """A game with the deal of a record, before its first entry; people sit at every seat."""
    table = table_of(record.rules, persons=people(len(record.hands)))
    with writing():
        state = start(record.rules, record.dealer, record.hands)
        return dealing._stored(table_locked(table.pk), 1, state, SECRET, NOW)


def played(game: Game, record: Record, upto: int | None = None) -> None:
    """Play the entries of a record before *upto* by the writer; its draws are steered to the cards of the record."""
    moves = record.moves[:upto]
    state = game_state(game)
    for at, move in enumerate(moves):
        after = apply(state, move)
        if not isinstance(move, Draw):
            drawn = moves[at + 1] if after.due else None
            source = steered(game, after, drawn.card) if isinstance(drawn, Draw) else system_source
            play(game, move, version=at, source=source)
        state = after
    game.refresh_from_db()


def steered(game: Game, state: GameState, wanted: Card) -> Source:
    """A source by which the draw that is due gives a certain card."""
    if state.due == "next":
        return lambda _: draw_pool(state).index(wanted)
    place = WastePile.objects.get(game=game).cards.split().index(wanted.code)
    # The card changes places with the top one when its turn to be shuffled comes; every other stays where it is.
    return lambda below: 0 if below - 1 == place else below - 1


def play(game: Game, move: Play | Take, *, version: int | None = None, **changes: Any) -> Outcome:
    """Send a move for whoever holds the seat, at the game's version unless told otherwise."""
    held = held_seats(game.table_id)[move.seat]
    actor = Move.Actor.BOT if held.bot else Move.Actor.HAND
    if version is None:
        version = Game.objects.values_list("version", flat=True).get(pk=game.pk)
    given = {"game_id": game.pk, "seat": move.seat, "move": move, "version": version, "key": "", "now": NOW}
    return move_play(**given | {"actor": actor, "user_id": held.user_id} | changes)


def chosen(state: GameState, seat: int, seed: int = 0) -> Play:
    """A legal card of a seat that is awaited, always the same for the same seed; no bot, since bots change."""
    return Play(seat, Random(seed + state.entries).choice(legal_cards(state, seat)))


def play_on(game: Game, until: Callable[[GameState], bool], *, each: bool = False) -> GameState:
    """Play legal cards, no hand being taken, until a state is as wanted.

    The first card and the last go by the writer; those between by *each* one, or at once where it comes to the same.
    """
    state, quick = game_state(game), not each and plain(game)
    while not until(state):
        assert state.result is None, "the game ended first"
        play(game, chosen(state, state.awaited[0]), version=state.entries)
        state = game_state(game)
        if quick:
            state = skipped(game, state, until, lambda state: chosen(state, state.awaited[0]), NOW)
    game.refresh_from_db()
    return state


def over(game: Game) -> Game:
    """A game after it was played to its end."""
    play_on(game, lambda state: state.result is not None)
    return game


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of ours as the database gives it, to compare before and after."""
    found = {}
    with connection.cursor() as cursor:
        for name, select in _selects().items():
            cursor.execute(select)
            found[name] = cursor.fetchall()
    return found


@cache
def _selects() -> dict[str, str]:
    """What reads each table; to make it anew would take ten times as long as to ask."""
    models = [*apps.get_app_config("games").get_models(), *apps.get_app_config("accounts").get_models()]
    return {each.__name__: str(each._base_manager.order_by("pk").values_list().query) for each in models}


def in_threads(count: int, act: Callable[[int], object]) -> list[object]:
    """Run act(0) to act(count - 1) at once, in threads with connections of their own; return results or errors."""
    results: list[object] = [None] * count
    gate = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            connection.ensure_connection()
            gate.wait(30)
            results[number] = act(number)
        except Exception as error:  # noqa: BLE001 - what came of it is what the test looks at
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results
