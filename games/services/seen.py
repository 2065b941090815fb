"""How far people have seen their games: what came later is told when they are back (R25)."""

from typing import Any, Final

from django.db.models import BigIntegerField, IntegerField, QuerySet

from games.models import Seen
from games.selectors.prepared import Given
from games.services.changes import Adding, Changing
from games.services.locks import writing


def seen_set(*, user_id: int, game_id: int, number: int) -> None:
    """Keep in mind that a person was shown a game up to an entry; what they saw before stays seen."""
    with writing():
        seen_noted(user_id=user_id, game_id=game_id, number=number)


def seen_noted(*, user_id: int, game_id: int, number: int) -> None:
    """Do as `seen_set`, in the transaction that is open."""
    if _LATER(user=user_id, game=game_id, number=number):
        return
    # Whoever comes second of two at once finds the row of the first.
    if not _FIRST([Seen(user_id=user_id, game_id=game_id, number=number)]):
        _LATER(user=user_id, game=game_id, number=number)


_NUMBER: Final[Any] = Given("number", IntegerField())


def _earlier() -> QuerySet[Any, Any]:
    user, game = Given("user", BigIntegerField()), Given("game", BigIntegerField())
    return Seen.objects.filter(user=user, game=game, number__lt=_NUMBER)


_LATER: Final = Changing(_earlier, number=_NUMBER)
_FIRST: Final = Adding(Seen, unique=("user", "game"))
