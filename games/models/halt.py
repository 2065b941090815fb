"""When clocks stand still: pauses that a table voted for, days away of a person, outages and freezes of the site."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.table import Holder, Table

_DAYS_MOST: Final = 14


class Pause(models.Model):
    """A pause of a table, from `since` until `until`; to resume is to end it now. Cards may be played in it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    since = models.DateTimeField()
    until = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(until__gte=F("since")), name="pause_ends_after_its_start"),
        ]

    def __str__(self) -> str:
        return f"pause {self.pk}"


class Vote(models.Model):
    """A question to the people of a table, open until `closes` or until it is `done`, and then `passed` or not.

    `days` is how long to pause, or to pause longer. A vote for a `bot` is about the holder of a seat who keeps the
    others waiting.
    """

    class Kind(models.TextChoices):
        """What is asked."""

        PAUSE = "pause"
        EXTEND = "extend"
        RESUME = "resume"
        BOT = "bot"

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    kind = models.CharField(max_length=6, choices=Kind)
    days = models.PositiveSmallIntegerField(default=0)
    holder = models.ForeignKey(Holder, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    opened = models.DateTimeField()
    closes = models.DateTimeField()
    done = models.DateTimeField(null=True, blank=True)
    passed = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table"], condition=Q(done=None), name="vote_one_open_a_table"),
            models.CheckConstraint(
                condition=Q(kind__in=["pause", "extend"], days__gte=1, days__lte=_DAYS_MOST, holder=None)
                | Q(kind="resume", days=0, holder=None)
                | Q(kind="bot", days=0, holder__isnull=False),
                name="vote_kind_and_columns_agree",
            ),
            models.CheckConstraint(condition=Q(closes__gte=F("opened")), name="vote_closes_after_opened"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["closes"], condition=Q(done=None), name="vote_open"),
        ]

    def __str__(self) -> str:
        return f"vote {self.pk} ({self.kind})"


class Ballot(models.Model):
    """What a person at the table says to a vote: their last word counts."""

    vote = models.ForeignKey(Vote, on_delete=models.CASCADE)
    holder = models.ForeignKey(Holder, on_delete=models.CASCADE)
    yes = models.BooleanField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["vote", "holder"], name="ballot_once_a_holder"),
        ]

    def __str__(self) -> str:
        return f"ballot {self.pk}"


class Vacation(models.Model):
    """Days on which a person is away, `first` to `last`, in the zone where they said so (`games.clocks.days.Away`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    first = models.DateField()
    last = models.DateField()
    zone = models.CharField(max_length=64)
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="vacation_last_after_first"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "last"], name="vacation_by_user"),
        ]

    def __str__(self) -> str:
        return f"days away {self.pk}"


class Halt(models.Model):
    """A time in which all clocks of the site stand still: it was away (outage), or somebody stopped them (freeze).

    `until` is null while it lasts. Deadlines are put right in portions: up to the turn `upto`, all of them when
    `applied`.
    """

    class Kind(models.TextChoices):
        """Why."""

        OUTAGE = "outage"
        FREEZE = "freeze"

    kind = models.CharField(max_length=6, choices=Kind)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    why = models.CharField(max_length=200, blank=True, default="")
    upto = models.PositiveBigIntegerField(default=0)
    applied = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "stop of the clocks"
        verbose_name_plural = "stops of the clocks"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(kind__in=["outage", "freeze"]), name="halt_kind_known"),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gte=F("since")), name="halt_ends_after_start"),
            models.UniqueConstraint(fields=["kind"], condition=Q(until=None), name="halt_one_open_a_kind"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["until"], name="halt_by_end"),
        ]

    def __str__(self) -> str:
        return f"halt {self.pk} ({self.kind})"


class Pulse(models.Model):
    """When a part of the site was last seen at work: `at` only grows."""

    name = models.CharField(max_length=16, unique=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = "sign of life"
        verbose_name_plural = "signs of life"

    def __str__(self) -> str:
        return self.name
