"""What is told of somebody's turn: that it is there, that its time runs out or was up, that a bot plays for them."""

from datetime import datetime, timedelta
from typing import Any, Final

from games.clocks.clock import reminder
from games.clocks.spans import in_utc
from games.models import Game, Holder, Notice, Table, Turn
from games.rules.moves import Play
from games.rules.view import seat_view
from games.selectors.away import away_told
from games.selectors.clocks import run_of, table_clocks
from games.selectors.games import game_state
from games.selectors.misses import missed_before
from games.selectors.paces import length_words, missed_mine
from games.selectors.reach import Reach
from games.services.letters.letter import PUT_OFF_MOST, Later, News, facts
from games.services.presence import is_here

LOOKS: Final = timedelta(seconds=60)
"""When to look again for somebody who has the table before their eyes."""

TURN_KINDS: Final = frozenset({"your_turn", "deadline", "nudge"})


def turn_news(notice: Notice, game: Game, reach: Reach, now: datetime) -> News | Later | None:
    """Return what a notice about a turn tells; None once that turn is over, or somebody else's.

    It waits while the clock stands still for them, and while they look at the table.
    """
    holder = _holder(notice, game) if game.status == Game.Status.RUNNING else None
    if holder is None or holder.stand_in:
        return None
    turn = Turn.objects.filter(game=game, seat=holder.seat.number, number=notice.number or 0).first()
    if turn is None:
        return None
    later = _later(notice.kind, game, turn, reach.user.pk, now)
    if later is not None:
        return later
    if not _holds(notice.kind, turn, now):
        return None
    return _news(notice.kind, game, reach, _time(game, turn, holder, now), turn.due_at)


def _holds(kind: str, turn: Turn, now: datetime) -> bool:
    """Tell whether what a kind says of an open turn is true."""
    if kind == "deadline":
        return turn.due_at is not None and turn.due_at > now
    return turn.nudges > 0 if kind == "nudge" else True


def stood_in_news(notice: Notice, game: Game, reach: Reach, now: datetime) -> News | Later | None:
    """Return what a notice tells somebody for whom a bot plays; None once they are back, or one does so anew."""
    holder = _holder(notice, game) if game.table.status == Table.Status.RUNNING else None
    if holder is None or holder.stood_in != notice.created:
        return None
    if is_here(reach.user.pk, game.pk):
        return Later(now + LOOKS)
    return _news("stood_in", game, reach, {}, None)


def _holder(notice: Notice, game: Game) -> Holder | None:
    """Return the row by which the reader of a notice holds the seat that it is about."""
    rows = Holder.objects.filter(table=game.table_id, seat__number=notice.seat or 0, user=notice.user_id, until=None)
    return rows.select_related("seat").first()


def _later(kind: str, game: Game, turn: Turn, user_id: int, now: datetime) -> Later | None:
    """Return when to look again if now is no time to tell a person of their turn, or too early to tell of its end."""
    clocks = table_clocks(game.table, [user_id], turn.ran_from or turn.since)
    stops = clocks.of(user_id)
    ends = [span.end for span in stops.spans if span.start <= in_utc(now) < span.end]
    if ends:
        return Later(min(max(ends), in_utc(now) + PUT_OFF_MOST))
    near = reminder(clocks.pace, run_of(turn), stops) if kind == "deadline" else None
    if near is not None and near > in_utc(now):
        return Later(near)
    return Later(now + LOOKS) if is_here(user_id, game.pk) else None


def _time(game: Game, turn: Turn, holder: Holder, now: datetime) -> dict[str, Any]:
    """Return how many cards the reader may play, how much time there is, and what becomes of the turn then."""
    view = seat_view(game_state(game), turn.seat)
    told: dict[str, Any] = {"count": sum(isinstance(move, Play) for move in view.legal)}
    told["together"] = len(view.awaited) > 1
    if turn.due_at is None:
        return told
    missed = missed_mine(game.table, again=missed_before(holder.pk))
    return told | {"until": turn.due_at, "left": length_words(turn.due_at - now), "missed": missed}


def _news(kind: str, game: Game, reach: Reach, time: dict[str, Any], until: datetime | None) -> News:
    """Return the facts of a game, what happened since the reader's last card, and what there is to say of time."""
    context: dict[str, Any] = facts(game.table, game)
    context |= {"kind": kind, "deal": f"{game.number} of {game.table.deals}" if game.table.deals > 1 else ""}
    context |= {"until": None, "lines": away_told(reach.user, game, None, reach.wishes.faces)} | time
    return News(f"emails/{kind}", context, context["path"], f"game:{game.code}", until)
