"""Whether somebody missed the last turn that was theirs to play: after the next miss a bot keeps their seat (R29)."""

from typing import Final

from django.db.models import F, Q, QuerySet

from games.models import Answer

_MISSED: Final = frozenset({Answer.How.TIMEOUT.value, Answer.How.NUDGE.value})


def hows(answers: QuerySet[Answer]) -> QuerySet[Answer, str]:
    """Return how the turns of a person ended that a card or a miss ended, the last first.

    A card that went by itself counts as one by hand: else the others could tell afterwards which it was (S12).
    """
    since_back = Q(holder__back=None) | Q(at__gt=F("holder__back"))
    shown = answers.filter(since_back).exclude(how=Answer.How.OTHER)
    return shown.order_by("-at", "-pk").values_list("how", flat=True)


def is_miss(how: str | None) -> bool:
    """Tell whether a turn that ended so was missed; none was, none yet."""
    return how in _MISSED


def missed_before(holder_id: int) -> bool:
    """Tell whether a person missed the last turn that they had."""
    return is_miss(hows(Answer.objects.filter(holder=holder_id)).first())
