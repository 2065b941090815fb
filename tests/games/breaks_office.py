"""Ways to break each constraint of the database that what operators do has."""

from typing import Any

from games.models import Audit, Correction, Game
from tests.games.breaks import Ways, result
from tests.games.breaks_clocks import sitting
from tests.games.stored import NOW


def audit(game: Game, **changes: Any) -> Audit:
    return Audit.objects.create(**{"action": "correct", "why": "So.", "at": NOW, "game": game} | changes)


def correction(game: Game, **changes: Any) -> Correction:
    lost = {"loser": 0, "holder": sitting(game), "cards_left": 3, "before": {}}
    return Correction.objects.create(**{"game": game, "number": 1, "audit": audit(game), **lost, **changes})


def _twice(game: Game) -> None:
    for _ in range(2):
        correction(game)


OFFICE_BREAKS: Ways = {
    "audit_has_a_reason": [lambda game: audit(game, why="")],
    "correction_number_once_a_game": [_twice],
    "correction_number_from_1": [lambda game: correction(game, number=0)],
    "correction_void_xor_loser": [
        lambda game: correction(game, void=True),
        lambda game: correction(game, void=True, holder=None),
        lambda game: correction(game, void=True, loser=None, holder=None),
        lambda game: correction(game, loser=None),
        lambda game: correction(game, holder=None),
        lambda game: correction(game, cards_left=None),
        lambda game: correction(game, loser=None, holder=None, cards_left=None),
    ],
    "correction_loser_0_to_11": [lambda game: correction(game, loser=12)],
    "result_stopped_is_void": [lambda game: result(game, stopped=True)],
}
