"""The clocks of turns as they are stored: deadlines are worked out anew whenever anything that they hang on changes.

A deadline is a function of the pace, the turn and the times in which the clock stood still (`games.clocks`): nothing is
ever added to one. What is stored of it serves lists and the sweep, which works it out again before it acts.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db.models import BigIntegerField

from games.clocks import clock
from games.models import Answer, Bank, Game, Turn
from games.selectors.clocks import TableClocks, pace_of, run_of, table_clocks
from games.selectors.games import Held
from games.selectors.prepared import Given, Prepared
from games.services.changes import Adding

_ANSWERS: Final = Adding(Answer)
_BANKS: Final = Adding(Bank, unique=("game", "seat"), update=("left",))
_LEFT: Final = Prepared(lambda: Bank.objects.filter(game=Given("game", BigIntegerField())).values_list("seat", "left"))


def clocks_of(*, game: Game, held: Mapping[int, Held], turns: list[Turn]) -> TableClocks:
    """Return how time runs at a game's table for the people of some of its turns, in one query."""
    users = {held[turn.seat].awaited_user for turn in turns} - {None}
    since = min((turn.ran_from or turn.since for turn in turns), default=game.created)
    return table_clocks(game.table, [user for user in users if user is not None], since)


def turn_timed(turn: Turn, held: Held, clocks: TableClocks) -> None:
    """Set when the time of a person's turn is up and when they are reminded; those of a bot stay as they are.

    Whoever has been reminded (no `warn_at` while there is a deadline) is not reminded again.
    """
    if held.bot:
        return
    run, stops = run_of(turn), clocks.of(held.user_id)
    reminded = turn.due_at is not None and turn.warn_at is None
    turn.due_at = clock.deadline(clocks.pace, run, stops)
    turn.warn_at = None if reminded or clocks.pace.live else clock.reminder(clocks.pace, run, stops)


def turns_begun(*, game: Game, turns: list[Turn], held: Mapping[int, Held], clocks: TableClocks | None = None) -> None:
    """Give turns that begin now what their seats have left, and a deadline; they are not stored yet.

    *clocks* say how time runs for their people, if the caller knows it already.
    """
    people = [turn for turn in turns if not held[turn.seat].bot]
    if not people or not pace_of(game.table).timed:
        return
    clocks = clocks or clocks_of(game=game, held=held, turns=people)
    left = dict(_LEFT(game=game.pk))
    for turn in people:
        turn.bank = left.get(turn.seat, clocks.pace.start)
        turn_timed(turn, held[turn.seat], clocks)


def turns_retimed(*, game: Game, held: Mapping[int, Held]) -> bool:
    """Work out all deadlines of a game that this transaction holds anew; tell whether any has changed."""
    turns = list(Turn.objects.filter(game=game))
    people = [turn for turn in turns if turn.seat in held and not held[turn.seat].bot]
    if not people:
        return False
    clocks, changed = clocks_of(game=game, held=held, turns=people), []
    for turn in people:
        before = turn.due_at
        turn_timed(turn, held[turn.seat], clocks)
        if turn.due_at != before:
            changed.append(turn)
    Turn.objects.bulk_update(changed, ["due_at", "warn_at"])
    return bool(changed)


def turns_settled(
    *,
    game: Game,
    turns: list[Turn],
    held: Mapping[int, Held],
    hows: Mapping[int, Answer.How],
    number: int | None,
    clocks: TableClocks | None = None,
    now: datetime,
) -> None:
    """Write down what turns of people cost that end with entry *number* (None: with no entry).

    `hows` says by seat how they end; the rest do by something else. *clocks* say how time runs for these people, if the
    caller knows it already.

    Called before the turns go, with who held the seats while they ran.
    """
    people = [turn for turn in turns if held[turn.seat].awaited_user is not None]
    if not people:
        return
    clocks = clocks or clocks_of(game=game, held=held, turns=people)
    answers = [
        answered(game, turn, held[turn.seat], clocks, hows.get(turn.seat, Answer.How.OTHER), number, now)
        for turn in people
    ]
    _ANSWERS(answers)


def turn_closed(
    *,
    game: Game,
    seat: int,
    held: Mapping[int, Held],
    how: Answer.How = Answer.How.OTHER,
    number: int | None = None,
    now: datetime,
) -> None:
    """End the turn of a seat, if it has one, before somebody else comes to play there; `held` is who does still."""
    turns = list(Turn.objects.filter(game=game, seat=seat))
    turns_settled(game=game, turns=turns, held=held, hows={seat: how}, number=number, now=now)
    Turn.objects.filter(game=game, seat=seat).delete()


def answered(
    game: Game, turn: Turn, held: Held, clocks: TableClocks, how: Answer.How, number: int | None, now: datetime
) -> Answer:
    """Settle a turn: store what its seat has left, and return the row that says where its time went."""
    settled = clock.settled(clocks.pace, run_of(turn), clocks.of(held.user_id), now)
    if clocks.pace.timed:
        _BANKS([Bank(game=game, seat=turn.seat, left=settled.bank)])
    spent = settled.spent
    return Answer(
        game=game,
        seat=turn.seat,
        holder_id=held.holder_id,
        number=number,
        since=turn.ran_from or turn.since,
        at=now,
        how=how,
        charged=spent.charged,
        free=spent.free,
        stood=spent.stood,
        late=spent.late,
        lost=settled.lost,
    )
