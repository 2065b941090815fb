"""How far people have seen their games: what came later is told when they are back (R25)."""

from games.models import Seen
from games.services.locks import writing


def seen_set(*, user_id: int, game_id: int, number: int) -> None:
    """Keep in mind that a person was shown a game up to an entry; what they saw before stays seen."""
    with writing():
        earlier = Seen.objects.filter(user=user_id, game=game_id, number__lt=number)
        if earlier.update(number=number):
            return
        # Whoever comes second of two at once finds the row of the first.
        Seen.objects.bulk_create([Seen(user_id=user_id, game_id=game_id, number=number)], ignore_conflicts=True)
        earlier.update(number=number)
