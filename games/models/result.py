"""How games ended."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models.game import Game
from games.models.table import Holder, seat_between


class Result(models.Model):
    """The end of a game: `loser`, its `holder` and `cards_left` are null when the game is void (rules.md 8).

    `away` lists the seats that got away, in order. `stopped` says that an operator ended a game that could not go on.
    Never edited: a correction is a row of its own.
    """

    game = models.OneToOneField(Game, on_delete=models.PROTECT)
    loser = models.PositiveSmallIntegerField(null=True, blank=True)
    holder = models.ForeignKey(Holder, on_delete=models.PROTECT, null=True, blank=True)
    void = models.BooleanField(default=False)
    cards_left = models.PositiveSmallIntegerField(null=True, blank=True)
    away = models.JSONField()
    stopped = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(void=True, loser__isnull=True, holder__isnull=True, cards_left__isnull=True)
                | Q(void=False, loser__isnull=False, holder__isnull=False, cards_left__isnull=False),
                name="result_void_xor_loser",
            ),
            models.CheckConstraint(condition=Q(stopped=False) | Q(void=True), name="result_stopped_is_void"),
            models.CheckConstraint(
                condition=Q(loser__isnull=True) | seat_between("loser"), name="result_loser_0_to_11"
            ),
        ]

    def __str__(self) -> str:
        return "void" if self.void else f"seat {self.loser} lost"
