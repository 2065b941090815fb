"""What turns cost their seats: banks of time, answers, missed turns, and time that was given."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game
from games.models.table import Holder, seat_between, span_field

_HOWS: Final = ["hand", "order", "timeout", "nudge", "other"]
_EXCUSES: Final = ["", "outage", "vacation", "freeze", "admin"]


class Bank(models.Model):
    """What a seat has left for its next turn in a game, written when a turn of a person ends; none yet: the start."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, db_index=False)
    seat = models.PositiveSmallIntegerField()
    left = span_field()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat"], name="bank_once_a_seat"),
            models.CheckConstraint(condition=seat_between("seat"), name="bank_seat_0_to_11"),
        ]

    def __str__(self) -> str:
        return f"bank of seat {self.seat}"


class Answer(models.Model):
    """The end of a turn that a person had, and where its time went (`games.clocks.clock.Spent`).

    `how` it ended: by their hand or order, by a time-out, with a fresh deadline (nudge: no entry, `number` is null), or
    otherwise (other: somebody took the hand, the seat went to a bot, the deal ended). `number` is that of the entry.
    """

    class How(models.TextChoices):
        """What ended the turn."""

        HAND = "hand"
        ORDER = "order"
        TIMEOUT = "timeout"
        NUDGE = "nudge"
        OTHER = "other"

    game = models.ForeignKey(Game, on_delete=models.PROTECT)
    seat = models.PositiveSmallIntegerField()
    holder = models.ForeignKey(Holder, on_delete=models.PROTECT)
    number = models.PositiveIntegerField(null=True, blank=True)
    since = models.DateTimeField()
    at = models.DateTimeField()
    how = models.CharField(max_length=7, choices=How)
    charged = span_field()
    free = span_field()
    stood = span_field()
    late = span_field()
    lost = span_field()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat", "number"], name="answer_once_an_entry"),
            models.CheckConstraint(condition=Q(how__in=_HOWS), name="answer_how_known"),
            models.CheckConstraint(condition=seat_between("seat"), name="answer_seat_0_to_11"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["holder", "-at"], name="answer_by_holder"),
        ]

    def __str__(self) -> str:
        return f"answer of seat {self.seat} ({self.how})"


class MissedTurn(models.Model):
    """A turn whose time was up: who missed it, when, and what excuses them. `number` is null for one waited on."""

    class Excuse(models.TextChoices):
        """Why it does not count against the person."""

        NONE = ""
        OUTAGE = "outage"
        VACATION = "vacation"
        FREEZE = "freeze"
        ADMIN = "admin"

    game = models.ForeignKey(Game, on_delete=models.PROTECT)
    seat = models.PositiveSmallIntegerField()
    holder = models.ForeignKey(Holder, on_delete=models.PROTECT)
    number = models.PositiveIntegerField(null=True, blank=True)
    due_at = models.DateTimeField()
    at = models.DateTimeField()
    excuse = models.CharField(max_length=8, choices=Excuse, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat", "due_at"], name="missed_once_a_deadline"),
            models.CheckConstraint(condition=seat_between("seat"), name="missed_seat_0_to_11"),
            models.CheckConstraint(condition=Q(excuse__in=_EXCUSES), name="missed_excuse_known"),
            models.CheckConstraint(condition=Q(at__gte=F("due_at")), name="missed_after_its_deadline"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["excuse", "id"], name="missed_by_excuse"),
        ]

    def __str__(self) -> str:
        return f"missed turn of seat {self.seat}"


class Extension(models.Model):
    """Time that a player gave to everybody whom a game awaited; what became of it stands in their turns."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField()
    length = models.DurationField()

    def __str__(self) -> str:
        return f"extension {self.pk}"
