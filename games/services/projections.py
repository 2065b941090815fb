"""What lists need, written with each entry: whose turn it is, status, version, result."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import BigIntegerField, BinaryField, IntegerField, Q

from games import effects
from games.models import Answer, Game, Holder, Result, Table, Turn
from games.rules import outcome
from games.rules.state import GameState
from games.selectors.games import Held, game_state
from games.selectors.prepared import Columns, Given, Prepared
from games.selectors.reach import reach_of
from games.services.bot_pace import bot_pause
from games.services.changes import Adding, Changing
from games.services.clocks import clocks_of, turns_begun, turns_settled
from games.services.orders import orders_dropped, orders_set
from games.services.planned import next_planned
from games.services.rating_marks import deal_to_rate
from games.services.turn_notices import over_told, turn_told


def bots_of(held: Mapping[int, Held]) -> frozenset[int]:
    """Return the seats at which bots play, for themselves or for a person who is not there."""
    return frozenset(seat for seat, holder in held.items() if holder.bot)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why turns end and begin: entry `number` of the log (None: no entry), and the person `by` whose hand it came.

    `hows` says by seat how turns end.
    """

    number: int | None = None
    hows: Mapping[int, Answer.How] = field(default_factory=dict)
    by: int | None = None


NO_ENTRY: Final = Cause()
_TURN: Final = Columns(Turn)
_TURNS: Final = Prepared(
    lambda: Turn.objects.filter(game=Given("game", BigIntegerField())).order_by("pk").values_list(*_TURN.names)
)
_TURN_OVER: Final = Changing(lambda: Turn.objects.filter(pk=Given("turn", BigIntegerField())))
_TURNS_BEGUN: Final = Adding(Turn)
# Without what says whether the game is over: PostgreSQL would look anew whether its result is there.
_MOVED: Final = Changing(
    lambda: Game.objects.filter(pk=Given("game", BigIntegerField())),
    version=Given("version", IntegerField()),
    revision=Given("revision", IntegerField()),
    last_hash=Given("last_hash", BinaryField()),
    broken=0,
)


def turns_set(
    *,
    game: Game,
    state: GameState,
    kept: Iterable[int],
    held: Mapping[int, Held],
    cause: Cause = NO_ENTRY,
    now: datetime,
) -> None:
    """Let exactly the awaited seats have a turn; those of *kept* keep the one they have, the others' begin now.

    `held` is who plays there from now on: whoever comes to a seat does so after `turn_closed`.
    """
    kept = set(kept).intersection(state.awaited)
    turns = [_TURN.row(each) for each in _TURNS(game=game.pk)]
    ended = [turn for turn in turns if turn.seat not in kept]
    begun = _begun(game, state, set(state.awaited) - kept, bots_of(held), now)
    people = [turn for turn in (*ended, *begun) if held[turn.seat].awaited_user is not None]
    clocks = clocks_of(game=game, held=held, turns=people) if people else None
    turns_settled(game=game, turns=ended, held=held, hows=cause.hows, number=cause.number, clocks=clocks, now=now)
    for turn in ended:
        _TURN_OVER(turn=turn.pk)
    orders_dropped(state=state, turns=[turn for turn in turns if turn.seat in kept])
    turns_begun(game=game, turns=begun, held=held, clocks=clocks)
    reach = reach_of([held[turn.seat].awaited_user for turn in begun])
    orders_set(game=game, state=state, turns=begun, held=held, reach=reach, now=now)
    _TURNS_BEGUN(begun)
    turn_told(game=game, turns=begun, held=held, reach=reach, by=cause.by, now=now)


def _begun(game: Game, state: GameState, seats: Collection[int], bots: frozenset[int], now: datetime) -> list[Turn]:
    """Return turns that begin now, lowest seat first; those of bots say when the bot should have played."""
    pause = bot_pause(state, bots)
    return [
        Turn(
            game=game,
            seat=seat,
            since=now,
            number=state.entries,
            due_at=now + pause if pause is not None and seat in bots else None,
        )
        for seat in sorted(seats)
    ]


def seat_changed(*, game: Game, seat: int, held: Mapping[int, Held], by: int | None = None, now: datetime) -> None:
    """Store what follows for a table's last game from somebody else playing at a seat; its turn there is closed."""
    if game.status != Game.Status.RUNNING:
        board_changed(game=game)
        return
    state, kept = game_state(game), set(held) - {seat}
    turns_set(game=game, state=state, kept=kept, held=held, cause=Cause(by=by), now=now)
    game_projected(game=game, state=state, last_hash=bytes(game.last_hash), held=held, now=now)


def game_projected(
    *,
    game: Game,
    state: GameState,
    last_hash: bytes,
    held: Mapping[int, Held],
    by: int | None = None,
    now: datetime,
) -> None:
    """Store what the game's state means for lists, and its result when it is over; once committed, tell the world.

    `by` is the person by whose hand it came to that: they need not be told.
    """
    game.version = state.entries
    game.revision += 1
    game.last_hash = last_hash
    if state.result is not None:
        _ended(game, state.result, held, by, now)
    # It works again, whatever went wrong at it before.
    game.broken = 0
    _MOVED(game=game.pk, version=game.version, revision=game.revision, last_hash=last_hash)
    if state.result is not None:
        game.save(update_fields=["status", "ended", "next_at"])
    if game.next_at is not None and game.next_at <= now:
        transaction.on_commit(partial(effects.next_sent_for, game.pk))
    pause = bot_pause(state, bots_of(held))
    bots_in = None if pause is None else pause.total_seconds()
    _told(game, by=by, bots_in=bots_in)


def _ended(game: Game, result: outcome.Result, held: Mapping[int, Held], by: int | None, now: datetime) -> None:
    """Store how a game has ended and what comes after it, and write down who shall be told."""
    loser = result.loser
    game.status, game.ended = Game.Status.OVER, now
    Result.objects.create(
        game=game,
        loser=loser,
        holder_id=None if loser is None else _charged(game, loser, held),
        void=result.void,
        cards_left=result.cards_left,
        away=list(result.away),
        stopped=result.stopped,
    )
    deal_to_rate(game=game)
    closed = game.table.status == Table.Status.OVER
    if closed or game.number >= game.table.deals or abandoned(game.table_id, held):
        series_ended(game.table)
    else:
        next_planned(game=game, held=held, now=now)
    if not result.stopped:
        over_told(game=game, held=held, by=by, now=now)


def charged_holder(*, game: Game, seat: int) -> Holder | None:
    """Return the person to whom a loss of this seat in this game is charged: who sat there last, if only for a while.

    Whoever leaves during a game leaves a bot that plays on, but not for its own account. None if only bots sat there.
    """
    sat = Holder.objects.filter(table_id=game.table_id, seat__number=seat, bot="")
    return sat.filter(Q(until=None) | Q(until__gt=game.created)).order_by("-since", "-pk").first()


def _charged(game: Game, seat: int, held: Mapping[int, Held]) -> int:
    person = charged_holder(game=game, seat=seat) if held[seat].user_id is None else None
    return person.pk if person else held[seat].holder_id


def abandoned(table_id: int, held: Mapping[int, Held]) -> bool:
    """Tell whether every person has left a table, so that nobody will ask for its next deal.

    Those for whom bots stand in have not left it.
    """
    return (
        all(each.user_id is None for each in held.values())
        and Holder.objects.filter(table_id=table_id, bot="").exists()
    )


def series_ended(table: Table) -> None:
    """Store that a table's series is over; this transaction holds the table."""
    table.status = Table.Status.OVER
    table.save(update_fields=["status"])


def board_changed(*, game: Game) -> None:
    """Count a change of what a game's board shows beside the log; once committed, tell the world."""
    game.revision += 1
    game.save(update_fields=["revision"])
    _told(game)


def _told(game: Game, *, by: int | None = None, bots_in: float | None = None) -> None:
    told = partial(effects.tell, game.pk, game.version, game.revision, table_id=game.table_id, by=by, bots_in=bots_in)
    transaction.on_commit(told)
