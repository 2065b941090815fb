"""A game out of the database: its state is a fold of its log (architecture: decision 1)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import BigIntegerField, QuerySet

from accounts.models import User
from games.models import Deal, Game, Holder, Move, Result, Table
from games.rules import outcome
from games.rules.cards import Hand, card, hand_of
from games.rules.deal import start
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.replay import replay, steps
from games.rules.ruleset import RULES_VERSION, Ruleset, ruleset_of
from games.rules.state import GameState
from games.selectors.prepared import Given, Prepared


class BrokenGame(Exception):
    """What is stored of a game cannot be: entry `number` of its log, or the game as a whole when that is None.

    The message names no card: it goes to logs, and the game may be running.
    """

    def __init__(self, code: str, why: str, number: int | None = None) -> None:
        where = f"game {code}" if number is None else f"game {code}, entry {number}"
        super().__init__(f"{where}: {why}")


class Held(NamedTuple):
    """Who holds a seat now: a person (`user_id`), or nobody but a bot; `bot` is the level of the bot that plays there.

    For a person who is not there a bot may stand in: both are given then, and `stand_in` is true.
    """

    holder_id: int
    user_id: int | None
    bot: str

    @property
    def stand_in(self) -> bool:
        """Whether a bot plays for a person whose seat it still is."""
        return self.user_id is not None and bool(self.bot)

    @property
    def awaited_user(self) -> int | None:
        """The person who is to play there by themselves, None if a bot does."""
        return None if self.bot else self.user_id


def rules_of(game: Game) -> Ruleset:
    """Return the rules that a game began with.

    Raises:
        BrokenGame: if this program does not know their version.
    """
    if game.rules_version != RULES_VERSION:
        raise BrokenGame(game.code, f"rules version {game.rules_version} is not known")
    return ruleset_of(game.rules)


def hands_dealt(game: Game) -> tuple[Hand, ...]:
    """Return the hands as they were dealt: secret while the game runs."""
    found = _HANDS(game=game.pk)
    if not found:
        raise Deal.DoesNotExist
    return tuple(map(hand_of, found[0][0]))


def stored_entry(kind: str, seat: int, code: str, victim: int | None) -> Entry:
    """Return the entry that four columns of a move hold; the database sees to it that they agree."""
    if kind == Move.Kind.PLAY:
        return Play(seat, card(code))
    if kind == Move.Kind.DRAW:
        return Draw(seat, card(code))
    if victim is None:
        raise ValueError("a take needs a victim")
    return Take(seat, victim)


class Log(NamedTuple):
    """The log of a game: its entries, who made each (`Move.Actor`), and when; entry n stands at n - 1."""

    entries: tuple[Entry, ...]
    actors: tuple[str, ...]
    times: tuple[datetime, ...]


def log_of(game: Game) -> Log:
    """Return the log of a game, in one query."""
    return log_read(log_since(game, 1))


def log_since(game: Game, number: int) -> list[tuple[Any, ...]]:
    """Return what is stored of the entries of a game from a number on, each with its hash at the end, in one query."""
    return _LOG(game=game.pk, number=number)


def log_read(rows: Sequence[tuple[Any, ...]]) -> Log:
    """Return the log that such rows hold."""
    entries = tuple(stored_entry(*row[:4]) for row in rows)
    return Log(entries, tuple(row[4] for row in rows), tuple(row[5] for row in rows))


def _log() -> QuerySet[Any, Any]:
    rows = Move.objects.filter(game=Given("game", BigIntegerField()), number__gte=Given("number", BigIntegerField()))
    return rows.order_by("number").values_list("kind", "seat", "card", "victim", "actor", "at", "hash")


_LOG: Final = Prepared(_log)
_HANDS: Final = Prepared(lambda: Deal.objects.filter(game=Given("game", BigIntegerField())).values_list("hands"))
_HELD: Final = Prepared(
    lambda: (
        Holder.objects.filter(table=Given("table", BigIntegerField()), until=None)
        .order_by("seat__number")
        .values_list("seat__number", "pk", "user_id", "bot", "stand_in")
    )
)


def entries_of(game: Game) -> tuple[Entry, ...]:
    """Return the entries of a game's log."""
    return log_of(game).entries


def dealt_state(game: Game) -> GameState:
    """Return the state that a game started from, in one query.

    Raises:
        BrokenGame: if this program does not know the version of its rules.
    """
    return start(rules_of(game), game.dealer, hands_dealt(game))


def game_state(game: Game) -> GameState:
    """Return the state of a game as its log stands, in two queries.

    Raises:
        BrokenGame: if the rules refuse an entry of the log, or this program does not know their version.
    """
    done = replay(dealt_state(game), entries_of(game))
    if done.error is not None:
        raise BrokenGame(game.code, f"the rules refuse it ({done.error.code})", (done.at or 0) + 1)
    return stopped(game, done.state)


def states_of(game: Game, log: Log) -> tuple[GameState, ...]:
    """Return the state that a game started from and that after each entry of its log, in one query."""
    *before, last = steps(dealt_state(game), log.entries)
    return (*before, stopped(game, last))


def stopped(game: Game, state: GameState) -> GameState:
    """Return the last state of a game as it counts: one that an operator has ended is over, though its log is not."""
    if game.status != Game.Status.OVER or state.result is not None:
        return state
    return state._replace(result=outcome.Result.without_loser(state.away, stopped=True))


def seat_of(game: Game, user: User | AnonymousUser) -> int | None:
    """Return the seat that a person holds now at a game's table."""
    if user.pk is None:
        return None
    open_holder = Holder.objects.filter(table_id=game.table_id, user_id=user.pk, until=None)
    return open_holder.values_list("seat__number", flat=True).first()


def holders_of(table: Table) -> list[Holder]:
    """Return who holds the seats of a table now, seat 0 first, each with its seat."""
    return list(Holder.objects.filter(table=table, until=None).select_related("seat").order_by("seat__number"))


def held_seats(table_id: int) -> Mapping[int, Held]:
    """Return who holds each seat of a table now, by the seat's number."""
    return {seat: Held(holder, user, bot or stand_in) for seat, holder, user, bot, stand_in in _HELD(table=table_id)}


def result_of(stored: Result) -> outcome.Result:
    """Return a stored result as the rules write it."""
    return outcome.Result(tuple(stored.away), stored.loser, stored.void, stored.cards_left, stored.stopped)
