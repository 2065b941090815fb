"""Finished games as records (rules.md 12)."""

from games.models import Game, Result
from games.rules.record import Record, record_dict
from games.selectors.effective import effective_of
from games.selectors.games import entries_of, hands_dealt, result_of, rules_of


def game_record(game: Game) -> dict[str, object]:
    """Return the record of a finished game (rules.md 12), with all hands.

    Its result is that of its moves; what counts instead, if an operator has corrected it, stands beside it as `counts`.

    Raises:
        Result.DoesNotExist: if the game is not over; a running game has no record, its hands are secret.
    """
    result = result_of(Result.objects.get(game_id=game.pk))
    found = record_dict(Record(rules_of(game), game.dealer, hands_dealt(game), entries_of(game)), result)
    counts = effective_of([game])[game.pk]
    return found | {"counts": counts.result.as_dict()} if counts.corrected else found
