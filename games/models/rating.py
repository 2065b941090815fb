"""Ratings: what each deal that counts did to those who played it, and where each person stands now."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game
from games.models.table import MAX_SEATS, Holder, seat_between

WORDS_LENGTH: Final = 120
"""The most characters of the words that say why a deal does not count."""


class RatingPool(models.Model):
    """People who are compared with each other: by deals of one game, by so many seats. Its row is the lock for them."""

    kind = models.CharField(max_length=8)
    seats = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "seats"], name="pool_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["getaway", "donkey"], seats__gte=3, seats__lte=MAX_SEATS), name="pool_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} with {self.seats}"


class RatedDeal(models.Model):
    """A deal of a table that counts for ratings, once it is over: in its pool deals count by (`ended`, game).

    `why` says why it does not count after all, "" if it does. `stale`: it, and what came after it, is to be worked out
    anew: it is new, or was corrected since. `rule` is the newest that there was when it ended: it stays, so that all
    is worked out to the same numbers ever after (1: bots have one number in all games; 2: one in each).
    """

    game = models.OneToOneField(Game, on_delete=models.PROTECT)
    pool = models.ForeignKey(RatingPool, on_delete=models.PROTECT, db_index=False)
    ended = models.DateTimeField()
    why = models.CharField(max_length=WORDS_LENGTH, blank=True, default="")
    stale = models.BooleanField(default=True)
    rule = models.PositiveSmallIntegerField(default=2, db_default=1)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "ended", "game"], name="rated_deal_in_order"),
            models.Index(fields=["pool"], condition=Q(stale=True), name="rated_deal_stale"),
        ]

    def __str__(self) -> str:
        return f"deal {self.game_id}"


class RatedSeat(models.Model):
    """What a deal did to the estimate of whoever held a seat in it: how good they are (`mu`), and how sure that is.

    Of a deal that does not count only the rows of erased people stay: what they were before is known from nowhere else.
    """

    deal = models.ForeignKey(RatedDeal, on_delete=models.CASCADE, db_index=False)
    seat = models.PositiveSmallIntegerField()
    holder = models.ForeignKey(Holder, on_delete=models.PROTECT)
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["deal", "seat"], name="rated_seat_once"),
            models.CheckConstraint(condition=seat_between("seat"), name="rated_seat_0_to_11"),
            models.CheckConstraint(condition=Q(sigma_before__gt=0, sigma__gt=0), name="rated_seat_unsure"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}"


class Rating(models.Model):
    """Where a person stands in a pool after so many deals; worked out from the rows above, and equal to them."""

    pool = models.ForeignKey(RatingPool, on_delete=models.PROTECT, db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    mu = models.FloatField()
    sigma = models.FloatField()
    deals = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "user"], name="rating_once"),
            models.CheckConstraint(condition=Q(sigma__gt=0, deals__gte=1), name="rating_of_deals"),
        ]

    def __str__(self) -> str:
        return f"rating {self.pk}"
