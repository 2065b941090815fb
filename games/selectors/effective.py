"""What counts of games that are over: the newest correction of each, else how it ended."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.models import Correction, Game, Holder, Result
from games.rules import outcome
from games.selectors.games import result_of
from games.selectors.prepared import Columns

_RESULT, _CHARGED = Columns(Result, whole=True), Columns(Holder, "holder__", whole=True)
_CORRECTION: Final = Columns(Correction, "game__correction__", whole=True)
_CHARGED_SINCE: Final = Columns(Holder, "game__correction__holder__", whole=True)
_PARTS: Final = (_RESULT, _CHARGED, _CORRECTION, _CHARGED_SINCE)
_NAMES: Final = [name for part in _PARTS for name in part.names]


@dataclass(frozen=True, slots=True)
class Effective:
    """What counts of a game that is over, and who is charged with it; `holder` is null if nobody is.

    number: of its newest correction, 0 for none. corrected: it counts otherwise than it ended; once a correction was
    undone it does not.
    """

    result: outcome.Result
    holder: Holder | None
    corrected: bool = False
    number: int = 0

    @property
    def voided(self) -> bool:
        """Whether an operator has voided it: the play had given a loser, or a correction had."""
        return self.corrected and self.result.loser is None


def effective_of(games: Iterable[Game | int]) -> Mapping[int, Effective]:
    """Return what counts of some games, given or by their ids, in one query; those that are not over are left out."""
    ids = {each.pk if isinstance(each, Game) else each for each in games}
    if not ids:
        return {}
    rows = Result.objects.filter(game__in=ids).order_by("game__correction__number")
    # A game with several corrections comes several times: the last is the one that counts.
    return {found[0].game_id: counted(*found) for found in map(_read, rows.values_list(*_NAMES))}


def counted(stored: Result, correction: Correction | None) -> Effective:
    """Return what counts of a game that ended so, if this is its newest correction; their holders come with them."""
    if correction is None:
        return Effective(result_of(stored), stored.holder)
    if _columns(correction) == _columns(stored):
        return Effective(result_of(stored), stored.holder, number=correction.number)
    return Effective(_corrected(stored, correction), correction.holder, corrected=True, number=correction.number)


def _columns(row: Result | Correction) -> tuple[int | None, int | None, bool, int | None]:
    return row.loser, row.holder_id, row.void, row.cards_left


def _corrected(stored: Result, correction: Correction) -> outcome.Result:
    """Return a result with another loser: who lost did not get away, and whoever had lost did, as the last."""
    loser, before = correction.loser, stored.loser
    away = [seat for seat in stored.away if seat != loser]
    if loser is not None and before is not None and before != loser:
        away.append(before)
    return outcome.Result(tuple(away), loser, correction.void, correction.cards_left)


def _read(row: tuple[Any, ...]) -> tuple[Result, Correction | None]:
    """Return a result and a correction of its game out of the columns of both."""
    parts, at = [], 0
    for each in _PARTS:
        parts.append(row[at : at + len(each.names)])
        at += len(each.names)
    stored = _RESULT.row(parts[0])
    stored.holder = _CHARGED.row(parts[1]) if parts[1][0] is not None else None
    if parts[2][0] is None:
        return stored, None
    correction = _CORRECTION.row(parts[2])
    correction.holder = _CHARGED_SINCE.row(parts[3]) if parts[3][0] is not None else None
    return stored, correction
