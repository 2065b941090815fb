"""What becomes of a turn whose time is up (R29), and people who come back to their seat."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from accounts.models import User
from games.bots import bot_named
from games.clocks.spans import ZERO
from games.models import Answer, Bank, Game, Halt, Holder, MissedTurn, Move, Table, Turn, Vacation
from games.rules import moves
from games.rules.errors import IllegalMove
from games.rules.moves import Play
from games.rules.shuffle import system_source
from games.rules.state import GameState
from games.rules.view import seat_view
from games.selectors.clocks import TableClocks
from games.selectors.games import BrokenGame, Held, game_state, held_seats
from games.selectors.halts import HOLD, clocks_halted
from games.selectors.misses import missed_before
from games.selectors.vacations import away_of
from games.services.clocks import answered, clocks_of, turn_closed, turn_timed
from games.services.errors import NotYourSeat
from games.services.going_on import next_moved
from games.services.locks import game_if_free, table_locked, writing
from games.services.play import Attempt, move_entered
from games.services.projections import board_changed
from games.services.stand_ins import PLAYS_ON, stand_in_ended, stand_in_set
from games.services.turn_notices import nudge_told, stood_in_told
from games.services.votes import vote_recounted


class TimedOut(NamedTuple):
    """What became of a turn whose time was up: a bot made entry `number`, or it is waited on (None).

    `stood_in` says that a bot keeps the seat from now on.
    """

    number: int | None
    stood_in: bool = False


def turn_due(*, game_id: int, seat: int, now: datetime) -> TimedOut | None:
    """Do what the table has chosen for a person's turn whose time is up; None if it is not up, or nobody's.

    Safe to call twice, late or in two places: the time is worked out anew, whatever is stored. Nothing is done to a
    game that somebody else holds at this moment.

    Raises:
        BrokenGame: the game cannot be what is stored, or the bot chose what the rules refuse.
    """
    with writing():
        game = game_if_free(game_id)
        if game is None or game.status != Game.Status.RUNNING or game.aside is not None:
            return None
        held, turn = held_seats(game.table_id), Turn.objects.filter(game=game, seat=seat).first()
        if turn is None or held[seat].awaited_user is None:
            return None
        clocks = clocks_of(game=game, held=held, turns=[turn])
        if not _is_up(game, turn, held[seat], clocks, now):
            return None
        late = _Late(game, turn, held, clocks, now)
        again = missed_before(held[seat].holder_id)
        if game.table.missed == Table.Missed.NUDGE and not again:
            return _waited_on(late)
        return _played(late, keeps=again or game.table.missed == Table.Missed.KEEP)


def came_back(*, table_id: int, user: User, now: datetime) -> bool:
    """Give a person their seat back for whom a bot stands in; False if none does.

    Raises:
        TableGone: there is no such table.
        NotYourSeat: they do not sit there.
    """
    with writing():
        table = table_locked(table_id)
        holder = Holder.objects.filter(table=table, user=user, until=None).select_related("seat").first()
        if holder is None:
            raise NotYourSeat
        if not holder.stand_in:
            return False
        stand_in_ended(table=table, holder=holder, now=now)
        next_moved(table=table, now=now)
        vote_recounted(table=table, now=now)
        return True


class _Late(NamedTuple):
    """A turn whose time is up, in a game that this transaction holds."""

    game: Game
    turn: Turn
    held: Mapping[int, Held]
    clocks: TableClocks
    now: datetime

    @property
    def person(self) -> Held:
        return self.held[self.turn.seat]


def _is_up(game: Game, turn: Turn, held: Held, clocks: TableClocks, now: datetime) -> bool:
    """Tell whether the time of a turn is up; what is stored of it is put right."""
    before = turn.due_at
    turn_timed(turn, held, clocks)
    if turn.due_at != before:
        turn.save(update_fields=["due_at", "warn_at"])
        board_changed(game=game)
    return turn.due_at is not None and turn.due_at <= now and not clocks_halted(now, HOLD)


def _waited_on(late: _Late) -> TimedOut:
    """Let a person have as much time again as a new turn would bring, and tell them."""
    game, turn, now = late.game, late.turn, late.now
    answered(game, turn, late.person, late.clocks, Answer.How.NUDGE, None, now).save()
    _miss_stored(late, None)
    turn.ran_from, turn.extended, turn.nudges = now, ZERO, turn.nudges + 1
    turn.bank = Bank.objects.get(game=game, seat=turn.seat).left
    # So that they are reminded of the new time as well.
    turn.due_at = None
    turn_timed(turn, late.person, late.clocks)
    turn.save()
    board_changed(game=game)
    nudge_told(game=game, turn=turn, held=late.person, now=now)
    return TimedOut(None)


def _played(late: _Late, *, keeps: bool) -> TimedOut:
    """Let a bot play a turn, and keep the seat if *keeps* says so."""
    game, seat, now = late.game, late.turn.seat, late.now
    state = game_state(game)
    move, number = _chosen(state, seat), state.entries + 1
    _miss_stored(late, number)
    turn_closed(game=game, seat=seat, held=late.held, how=Answer.How.TIMEOUT, number=number, now=now)
    held = late.held
    if keeps:
        stand_in_set(holder_id=late.person.holder_id, now=now)
        held = {**held, seat: late.person._replace(bot=PLAYS_ON)}
    try:
        move_entered(game=game, held=held, attempt=Attempt(move, state.entries, Move.Actor.TIMEOUT, now))
    except IllegalMove as error:
        # Their sentence may name a card of the person's, and this goes to a log.
        raise BrokenGame(game.code, f"the rules refuse a bot's move ({error.code})", number) from None
    if keeps:
        stood_in_told(game=game, seat=seat, user_id=late.person.user_id, now=now)
        vote_recounted(table=game.table, now=now)
    return TimedOut(number, stood_in=keeps)


def _chosen(state: GameState, seat: int) -> moves.Move:
    """Return the card that a bot plays for a person whose time is up; it takes no hand for them."""
    view = seat_view(state, seat)
    plays = tuple(move for move in view.legal if isinstance(move, Play))
    return bot_named(PLAYS_ON).choose(replace(view, legal=plays), system_source) or plays[0]


def _miss_stored(late: _Late, number: int | None) -> None:
    turn = late.turn
    if turn.due_at is None:
        raise ValueError("Only a turn with a deadline can be missed.")
    MissedTurn.objects.create(
        game=late.game,
        seat=turn.seat,
        holder_id=late.person.holder_id,
        number=number,
        due_at=turn.due_at,
        at=late.now,
        excuse=_excuse(late),
    )


def _excuse(late: _Late) -> MissedTurn.Excuse:
    """Return what excuses a person: that the site stood still in their turn, or days away that do not count there."""
    since = late.turn.ran_from or late.turn.since
    halts = Halt.objects.filter(Q(until=None) | Q(until__gt=since), since__lt=late.now)
    kind = halts.order_by("-since", "-pk").values_list("kind", flat=True).first()
    if kind is not None:
        return MissedTurn.Excuse.OUTAGE if kind == Halt.Kind.OUTAGE else MissedTurn.Excuse.FREEZE
    away = not late.game.table.vacations and _was_away(late.person.user_id, since, late.now)
    return MissedTurn.Excuse.VACATION if away else MissedTurn.Excuse.NONE


def _was_away(user_id: int | None, since: datetime, until: datetime) -> bool:
    spans = [away_of(row).span for row in Vacation.objects.filter(user=user_id)]
    return any(span.start < until and span.end > since for span in spans if span.length)
