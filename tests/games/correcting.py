"""Corrections as an operator leaves them, for tests of what is shown of them."""

from datetime import datetime
from typing import Any

from accounts.models import User
from games.models import Audit, Correction, Game, Holder
from games.selectors.effective import effective_of
from tests.games.stored import NOW


def corrected(
    game: Game,
    loser: int | None,
    *,
    cards: int = 0,
    why: str = "A slip",
    by: User | None = None,
    undoes: Correction | None = None,
    at: datetime = NOW,
) -> Correction:
    """Another end of a game that is over: lost by a seat, charged to who sat there last, or void."""
    before = effective_of([game])[game.pk]
    after: dict[str, Any] = {"loser": loser, "void": loser is None, "cards_left": None if loser is None else cards}
    action = Audit.Action.VOID if loser is None else Audit.Action.UNDO if undoes else Audit.Action.CORRECT
    audit = Audit.objects.create(action=action, by=by, why=why, at=at, table_id=game.table_id, game=game, after=after)
    sat = Holder.objects.filter(table=game.table_id).order_by("since", "pk")
    return Correction.objects.create(
        game=game,
        number=before.number + 1,
        audit=audit,
        before=before.result.as_dict(),
        holder=None if loser is None else sat.filter(seat__number=loser).last(),
        undoes=undoes,
        **after,
    )
