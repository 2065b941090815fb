"""Corrections as an operator leaves them, for tests of what is shown of them."""

from datetime import datetime
from typing import Any

from games.models import Audit, Correction, Game, Holder
from games.selectors.effective import effective_of
from tests.games.stored import NOW


def corrected(
    game: Game,
    loser: int | None,
    *,
    cards: int = 0,
    why: str = "A slip",
    by: Holder | None = None,
    at: datetime = NOW,
) -> Correction:
    """Another end of a game that is over: lost by a seat, that of whoever sits there unless told *by* whom, or void."""
    before = effective_of([game])[game.pk]
    after: dict[str, Any] = {"loser": loser, "void": loser is None, "cards_left": None if loser is None else cards}
    action = Audit.Action.VOID if loser is None else Audit.Action.CORRECT
    audit = Audit.objects.create(action=action, why=why, at=at, table_id=game.table_id, game=game, after=after)
    if loser is not None and by is None:
        by = Holder.objects.filter(table=game.table_id, seat__number=loser).latest("since", "pk")
    return Correction.objects.create(
        game=game,
        number=before.number + 1,
        audit=audit,
        before=before.result.as_dict(),
        holder=by if loser is not None else None,
        **after,
    )
