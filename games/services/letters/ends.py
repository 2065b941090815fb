"""What is told of ends and pauses: a deal or a series is over, a table's clocks stand still or run again."""

from datetime import datetime
from typing import Final

from games.models import Game, Notice, Pause, Seen, Table
from games.selectors.away import away_told, plain
from games.selectors.playbill import playbill_of
from games.selectors.reach import Reach
from games.selectors.sentences import verdict
from games.selectors.sight import Sitting, looking
from games.services.letters.letter import News, facts, sits
from games.services.presence import is_here

OVER_KINDS: Final = frozenset({"deal_over", "series_over"})
PAUSE_KINDS: Final = frozenset({"paused", "resumed"})


def over_news(notice: Notice, game: Game, reach: Reach) -> News | None:
    """Return what a notice tells of a game that is over; None to who has seen its end, or sits there no more."""
    user = reach.user
    if game.status != Game.Status.OVER or not sits(game.table, user) or is_here(user.pk, game.pk):
        return None
    if Seen.objects.filter(user=user, game=game, number__gte=game.version).exists():
        return None
    context = facts(game.table, game) | {
        "deal": f"{game.number} of {game.table.deals}" if game.table.deals > 1 else "",
        "said": verdict_told(reach, game),
        "lines": away_told(user, game, None, reach.wishes.faces),
        "next_at": game.next_at,
    }
    return News(f"emails/{notice.kind}", context, context["path"], f"game:{game.code}")


def verdict_told(reach: Reach, game: Game) -> str:
    """Return the sentence that says who has lost, as plain text."""
    found = looking(viewer=reach.user, code=game.code)
    seat = found.seat if isinstance(found, Sitting) else None
    # Who sits there in the end hangs on no time.
    bill = playbill_of(found.game, found.rows, seat, (), found.counts)
    return plain(verdict(found.counts.result, bill.cast)) if found.counts else ""


def pause_key(pause: Pause, user_id: int) -> str:
    """Return the key of what a person is told of a pause: of a pause that ends at another time they are told anew."""
    return f"paused:{pause.pk}:{user_id}:{pause.until:%Y%m%d%H%M%S%f}"


def _pause_told(pause: Pause, user_id: int) -> bool:
    """Tell whether a person has heard of a pause, whatever its end was then."""
    return Notice.objects.filter(key__startswith=f"paused:{pause.pk}:{user_id}:", sent__isnull=False).exists()


def pause_news(notice: Notice, table: Table, reach: Reach, now: datetime) -> News | None:
    """Return what a notice tells of a pause; None if its end has changed since, or its reader sees it."""
    pause = Pause.objects.filter(table=table, since__lte=now).order_by("-until", "-pk").first()
    if pause is None or pause_key(pause, reach.user.pk) != notice.key:
        return None
    if table.status != Table.Status.RUNNING or not sits(table, reach.user):
        return None
    on = pause.until > now
    game = Game.objects.filter(table=table).order_by("-number").first()
    if on != (notice.kind == "paused") or (game is not None and is_here(reach.user.pk, game.pk)):
        return None
    if not on and not _pause_told(pause, reach.user.pk):
        return None
    context = facts(table, game) | {"until": pause.until if on else None}
    return News(f"emails/{notice.kind}", context, context["path"], f"table:{table.code}", context["until"])
