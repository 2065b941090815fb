"""Results corrected, deals voided and games ended by an operator, for tests."""

from typing import Any

from accounts.models import User
from games.models import Audit, Correction, Game
from games.selectors.effective import effective_of
from games.selectors.sight import looking
from games.selectors.updates import updates_for
from games.services.office.results import correction_undo, deal_void, game_end, result_correct
from games.services.office.seen import seen_of
from tests.games.office import WHY
from tests.games.stored import NOW


def correct(game: Game, by: User, loser: int | None, cards_left: int | None = None, **asked: Any) -> Correction:
    given: dict[str, Any] = {
        "game_id": game.pk,
        "by": by,
        "why": WHY,
        "loser": loser,
        "cards_left": cards_left,
        "now": NOW,
    }
    return result_correct(**given | {"seen": seen_of(game)} | asked)


def undo(correction: Correction, by: User, **asked: Any) -> Correction:
    given: dict[str, Any] = {"correction_id": correction.pk, "by": by, "why": WHY, "now": NOW}
    return correction_undo(**given | {"seen": seen_of(correction)} | asked)


def void(game: Game, by: User, **asked: Any) -> Audit:
    given: dict[str, Any] = {"game_id": game.pk, "by": by, "why": WHY, "now": NOW, "seen": seen_of(game)}
    return deal_void(**given | asked)


def end(game: Game, by: User, **asked: Any) -> Audit:
    given: dict[str, Any] = {"game_id": game.pk, "by": by, "why": WHY, "now": NOW, "seen": seen_of(game)}
    return game_end(**given | asked)


def counts(game: Game) -> tuple[int | None, int | None, str]:
    found = effective_of([game])[game.pk]
    return found.result.loser, found.result.cards_left, found.holder.name if found.holder else ""


def ended(game: Game) -> tuple[int, int, str]:
    """The loser that play gave, the cards that they held, and their name."""
    loser, cards, name = counts(game)
    assert loser is not None
    assert cards is not None
    return loser, cards, name


def said(game: Game, seat: int = 0) -> str:
    """What the board says of the end to who sits at a seat."""
    viewer = User.objects.get(holder__table=game.table_id, holder__seat__number=seat, holder__until=None)
    found = looking(viewer=viewer, code=game.code)
    board = updates_for(viewer=viewer, found=found, now=NOW)
    assert board is not None
    return board.banner.text
