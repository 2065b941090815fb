"""What people shall be told of games in play: rows of the outbox, written in the transaction of what happened.

None of it is sent before it was looked at again (`games.services.letters`): most turns are over by then.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count

from accounts.models import User
from games.clocks.spans import ZERO
from games.models import Game, Notice, Pause, Table, Turn
from games.selectors.clocks import TableClocks, pace_of, run_of
from games.selectors.games import Held, held_seats
from games.selectors.reach import Reach, reach_of
from games.services.clocks import clocks_of, turn_timed
from games.services.errors import GameGone
from games.services.letters.ends import pause_key
from games.services.locks import game_locked, writing
from games.services.notices import notices_added

DELAY: Final = timedelta(seconds=90)
"""How long a notice waits: who is there plays meanwhile, and a run of bots' and automatic cards goes by."""

SOON: Final = timedelta(hours=36)
"""Whoever has less time for a card than that is told at once, unless they chose otherwise."""

LEAST_WARNED: Final = timedelta(minutes=30)
"""Nobody is reminded who has less time than that in all."""

MOST_PAUSES: Final = 6
"""How often a day somebody is told at most that one table pauses: its people may vote all day."""


def turn_told(
    *,
    game: Game,
    turns: Iterable[Turn],
    held: Mapping[int, Held],
    reach: Mapping[int, Reach],
    by: int | None = None,
    now: datetime,
) -> None:
    """Write down that people shall be told of turns that begin now; not the one *by* whose hand it came to that.

    *reach* is that of their people.

    Nobody is told of a table where they play with bots alone and have all the time they want.
    """
    waits = {held[turn.seat].awaited_user: turn for turn in turns}
    told = {user: turn for user, turn in waits.items() if user is not None and user != by}
    pace = pace_of(game.table)
    if not told or (_alone(held) and not pace.timed):
        return
    rows = []
    for user_id, turn in told.items():
        way = reach.get(user_id)
        channel = way.channel("your_turn", soon=_soon(turn, now), live=pace.live) if way else ""
        if way and channel:
            # A card that goes by itself does so before anybody would be told of it.
            delay = ZERO if pace.live and turn.order_at is None else DELAY
            rows.append(_turn_row("your_turn", game, turn, way, channel, now + delay, now))
    if rows:
        notices_added(rows, now)


def turn_warned(*, game_id: int, seat: int, now: datetime) -> bool:
    """Remind whoever is awaited at a seat, if four fifths of their time are used; tell whether they are to be told.

    It is worked out anew: a turn that was given more time is reminded of later.
    """
    with writing():
        try:
            game = game_locked(game_id)
        except GameGone:
            return False
        turn, held = Turn.objects.filter(game=game, seat=seat, warn_at__lte=now).first(), held_seats(game.table_id)
        if turn is None or game.status != Game.Status.RUNNING or game.aside is not None:
            return False
        clocks = clocks_of(game=game, held=held, turns=[turn])
        turn_timed(turn, held[seat], clocks)
        due = turn.warn_at is not None and turn.warn_at <= now
        if due:
            turn.warn_at = None
        turn.save(update_fields=["due_at", "warn_at"])
        return due and _warned(game, turn, held[seat], clocks, now)


def _warned(game: Game, turn: Turn, held: Held, clocks: TableClocks, now: datetime) -> bool:
    over = turn.due_at is None or turn.due_at <= now
    if over or held.awaited_user is None or run_of(turn).given(clocks.pace) < LEAST_WARNED:
        return False
    return _turn_noticed("deadline", game, turn, held, ZERO, now)


def nudge_told(*, game: Game, turn: Turn, held: Held, now: datetime) -> None:
    """Write down that a person shall be told that their time was up and that the table waits on; once a turn."""
    _turn_noticed("nudge", game, turn, held, DELAY, now)


def stood_in_told(*, game: Game, seat: int, user_id: int | None, now: datetime) -> None:
    """Write down that a person shall be told that a bot plays for them since this moment."""
    for reach in reach_of([user_id]).values():
        channel = reach.channel("stood_in", live=pace_of(game.table).live)
        if channel:
            key = f"stood_in:{game.pk}:{seat}:{now:%Y%m%d%H%M%S%f}"
            row = _row("stood_in", key, reach, channel, now + DELAY, now)
            row.table, row.game, row.seat, row.number = game.table, game, seat, game.version
            notices_added([row], now)


def over_told(*, game: Game, held: Mapping[int, Held], by: int | None = None, now: datetime) -> None:
    """Write down that the people of a table shall be told that a deal is over, or with its last one the series.

    Not the one *by* whose hand it ended, and nobody who plays with bots alone.
    """
    people = {each.user_id for each in held.values()} - {None, by}
    if _alone(held):
        return
    kind = "series_over" if game.table.status == Table.Status.OVER else "deal_over"
    rows = []
    for user_id, reach in reach_of(people).items():
        channel = reach.channel(kind, live=pace_of(game.table).live)
        if channel:
            row = _row(kind, f"{kind}:{game.pk}:{user_id}", reach, channel, now + DELAY, now)
            row.table, row.game = game.table, game
            rows.append(row)
    notices_added(rows, now)


def paused_told(*, table: Table, pause: Pause, by: User | None = None, now: datetime) -> None:
    """Write down that the people of a table shall be told of a pause that begins, goes on longer, or is over.

    Not the one *by* whom it came to that, nor who was told of pauses often enough today; of the end of one that they
    were told of they always are.
    """
    over = pause.until <= now
    people = set(_people(held_seats(table.pk))) - {by and by.pk}
    if not over:
        people -= _pauses_told(table, people, now)
    rows = []
    for user_id, reach in reach_of(people).items():
        channel = reach.channel("paused", live=pace_of(table).live)
        if channel:
            key = pause_key(pause, user_id)
            row = _row("resumed" if over else "paused", key, reach, channel, now + DELAY, now)
            row.table = table
            rows.append(row)
    notices_added(rows, now)
    _awoken(table, now)


def _pauses_told(table: Table, people: Collection[int], now: datetime) -> set[int]:
    """Return those of some people who were told often enough today that a table pauses."""
    rows = Notice.objects.filter(kind="paused", table=table, user__in=people, created__gt=now - timedelta(days=1))
    often = rows.values("user").annotate(times=Count("pk")).filter(times__gte=MOST_PAUSES)
    return set(often.values_list("user", flat=True))


def _awoken(table: Table, now: datetime) -> None:
    """Look soon again at what was put off at a table, since its clocks run or stand otherwise than they did."""
    put_off = Notice.objects.filter(table=table, sent=None, gone=None, due__gt=now + DELAY).exclude(channel="digest")
    put_off.update(due=now + DELAY)


def _people(held: Mapping[int, Held]) -> Collection[int]:
    return {each.user_id for each in held.values() if each.user_id is not None}


def _alone(held: Mapping[int, Held]) -> bool:
    return len(_people(held)) == 1


def _soon(turn: Turn, now: datetime) -> bool:
    return turn.due_at is not None and turn.due_at - now < SOON


def _turn_noticed(kind: str, game: Game, turn: Turn, held: Held, delay: timedelta, now: datetime) -> bool:
    """Write down what is about a turn, if its person wants to hear of it; tell whether they do."""
    rows = []
    for reach in reach_of([held.awaited_user]).values():
        channel = reach.channel(kind, live=pace_of(game.table).live)
        if channel:
            rows.append(_turn_row(kind, game, turn, reach, channel, now + delay, now))
    notices_added(rows, now)
    return bool(rows)


def _turn_row(kind: str, game: Game, turn: Turn, reach: Reach, channel: str, at: datetime, now: datetime) -> Notice:
    """Return the notice of a kind about a turn: there is one at most, which its key sees to."""
    row = _row(kind, f"{kind}:{game.pk}:{turn.seat}:{turn.number}", reach, channel, at, now)
    row.table, row.game, row.seat, row.number = game.table, game, turn.seat, turn.number
    return row


def _row(kind: str, key: str, reach: Reach, channel: str, at: datetime, now: datetime) -> Notice:
    due = reach.due(channel, at)
    return Notice(kind=kind, key=key, user=reach.user, channel=channel, due=due, created=now)
