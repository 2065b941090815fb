"""Ways to break each constraint of the database that ratings have."""

from typing import Any

from games.models import Game, Holder, RatedDeal, RatedSeat, Rating, RatingPool
from tests.games.breaks import Ways
from tests.games.stored import NOW, person


def pool(**changes: Any) -> RatingPool:
    return RatingPool.objects.create(**{"kind": "donkey", "seats": 4} | changes)


def rated(game: Game, **changes: Any) -> RatedSeat:
    row = RatedDeal.objects.filter(game=game).first() or RatedDeal.objects.create(game=game, pool=pool(), ended=NOW)
    holder = Holder.objects.filter(table=game.table).first()
    fields = {"seat": 0, "holder": holder, "mu_before": 25.0, "sigma_before": 8.0, "mu": 26.0, "sigma": 7.5}
    return RatedSeat.objects.create(**fields | {"deal": row} | changes)


def rating(**changes: Any) -> None:
    of = changes.pop("pool", None) or pool()
    Rating.objects.create(**{"pool": of, "user": person(), "mu": 25.0, "sigma": 8.0, "deals": 1} | changes)


def rating_twice(_: Game) -> None:
    of, user = pool(), person()
    for _times in range(2):
        rating(pool=of, user=user)


RATING_BREAKS: Ways = {
    "pool_once": [lambda _: [pool(), pool()]],
    "pool_known": [lambda _: pool(kind="whist"), lambda _: pool(seats=2), lambda _: pool(seats=13)],
    "rated_seat_once": [lambda game: [rated(game), rated(game)]],
    "rated_seat_0_to_11": [lambda game: rated(game, seat=12)],
    "rated_seat_unsure": [lambda game: rated(game, sigma=0.0), lambda game: rated(game, sigma_before=0.0)],
    "rating_once": [rating_twice],
    "rating_of_deals": [lambda _: rating(deals=0), lambda _: rating(sigma=0.0)],
}


def ratings_stored(game: Game) -> None:
    """Store what is right: two seats of a deal, two people and two pools."""
    rated(game), rated(game, seat=1)
    rating(pool=pool(seats=12))
    rating(pool=pool(kind="getaway"))
