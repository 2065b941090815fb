"""Which deals are to be rated: written down with what happened, and worked out later by a task (`services.ratings`)."""

from django.db import transaction

from accounts.models import User
from games import effects
from games.models import Game, RatedDeal, RatingPool


def deal_to_rate(*, game: Game) -> None:
    """Let a game that is over be rated, or rated anew, if its table counts; in the transaction that is open."""
    if not game.table.rated or game.ended is None:
        return
    pool, _ = RatingPool.objects.get_or_create(kind=game.rules["game"], seats=game.table.seats)
    fields = {"pool": pool, "ended": game.ended, "stale": True}
    RatedDeal.objects.update_or_create(game=game, defaults=fields)
    transaction.on_commit(effects.ratings_sent_for)


def deals_to_rate_again(*, user: User) -> None:
    """Let all that a person was rated by be rated anew: they have become another, in the transaction that is open."""
    RatedDeal.objects.filter(ratedseat__holder__user=user).update(stale=True)
    transaction.on_commit(effects.ratings_sent_for)
