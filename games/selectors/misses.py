"""Whether somebody missed the last turn that was theirs to play: after the next miss a bot keeps their seat (R29)."""

from typing import Final

from django.db.models import F, Q, QuerySet

from games.models import Answer

_MISSED: Final = frozenset({Answer.How.TIMEOUT.value, Answer.How.NUDGE.value})
_SAYS_NOTHING: Final = (Answer.How.ORDER, Answer.How.OTHER)


def hows(answers: QuerySet[Answer]) -> QuerySet[Answer, str]:
    """Return how turns of a person ended in which they could have shown that they are there, the last first."""
    since_back = Q(holder__back=None) | Q(at__gt=F("holder__back"))
    shown = answers.filter(since_back).exclude(how__in=_SAYS_NOTHING)
    return shown.order_by("-at", "-pk").values_list("how", flat=True)


def is_miss(how: str | None) -> bool:
    """Tell whether a turn that ended so was missed; none was, none yet."""
    return how in _MISSED


def missed_before(holder_id: int) -> bool:
    """Tell whether a person missed the last turn in which they could have shown that they are there."""
    return is_miss(hows(Answer.objects.filter(holder=holder_id)).first())
