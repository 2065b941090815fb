"""What operators do, and why: corrections of results, the audit of every action, and what people report."""

from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.history import DeskHistory
from games.models.game import Game
from games.models.table import NAME_LENGTH, Holder, Table, seat_between

WHY_LENGTH: Final = 300
"""The most characters of a reason."""

_PERSON: Final = settings.AUTH_USER_MODEL


class Audit(models.Model):
    """Something that an operator did: what, who, when, why, and what it was before and after.

    Its table, game and person are those that it was done to. The people of the table read `why`. `before` and `after`
    hold what changed, in plain words or numbers, and never a card.
    """

    class Action(models.TextChoices):
        """What was done."""

        CORRECT = "correct"
        VOID = "void"
        UNDO = "undo"
        END = "end"
        TAKE_UP = "take_up"
        REPLACE = "replace"
        FREE = "free"
        EXTEND = "extend"
        CLOSE = "close"
        FREEZE = "freeze"
        THAW = "thaw"
        RENAME = "rename"
        BAN = "ban"
        RELEASE = "release"
        MERGE = "merge"
        ANSWER = "answer"
        ROLE = "role"
        ADDRESS = "address"

    action = models.CharField(max_length=8, choices=Action)
    by = models.ForeignKey(_PERSON, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    why = models.CharField(max_length=WHY_LENGTH)
    at = models.DateTimeField()
    table = models.ForeignKey(Table, on_delete=models.SET_NULL, null=True, blank=True)
    game = models.ForeignKey(Game, on_delete=models.SET_NULL, null=True, blank=True)
    person = models.ForeignKey(_PERSON, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = "act of an operator"
        verbose_name_plural = "what operators did"
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(why=""), name="audit_has_a_reason"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["at"], name="audit_by_time"),
            models.Index(fields=["action", "id"], name="audit_by_action"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.pk}"


class Correction(models.Model):
    """Another end of a game that is over, as an operator found it: of several the one with the highest number counts.

    A row, never an edit; to undo one is to write another, which `undoes` it. `before` is what counted until then, as a
    record states a result; the other columns are those of `Result`.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, db_index=False)
    number = models.PositiveSmallIntegerField()
    audit = models.OneToOneField(Audit, on_delete=models.PROTECT)
    before = models.JSONField()
    loser = models.PositiveSmallIntegerField(null=True, blank=True)
    holder = models.ForeignKey(Holder, on_delete=models.PROTECT, null=True, blank=True)
    void = models.BooleanField(default=False)
    cards_left = models.PositiveSmallIntegerField(null=True, blank=True)
    undoes = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="correction_number_once_a_game"),
            models.CheckConstraint(condition=Q(number__gte=1), name="correction_number_from_1"),
            models.CheckConstraint(
                condition=Q(void=True, loser__isnull=True, holder__isnull=True, cards_left__isnull=True)
                | Q(void=False, loser__isnull=False, holder__isnull=False, cards_left__isnull=False),
                name="correction_void_xor_loser",
            ),
            models.CheckConstraint(
                condition=Q(loser__isnull=True) | seat_between("loser"), name="correction_loser_0_to_11"
            ),
        ]

    def __str__(self) -> str:
        return f"correction {self.number}"


class Report(models.Model):
    """What a person tells the operators of a name or of somebody, and what came of it; both read the answer.

    `said` is the name as it was then. `about` is whose it is, null for the name of a table.
    """

    class Kind(models.TextChoices):
        """What is reported: what somebody is called, how they behave, or what a table is called."""

        NAME = "name"
        PERSON = "person"
        TABLE = "table"

    class State(models.TextChoices):
        """What has come of it."""

        OPEN = "open"
        UPHELD = "upheld"
        DISMISSED = "dismissed"

    class Effect(models.TextChoices):
        """What was done."""

        NONE = "none"
        WARNED = "warned"
        RENAMED = "renamed"
        BANNED = "banned"

    kind = models.CharField(max_length=6, choices=Kind)
    by = models.ForeignKey(_PERSON, on_delete=models.SET_NULL, null=True, blank=True, related_name="reports")
    about = models.ForeignKey(_PERSON, on_delete=models.SET_NULL, null=True, blank=True, related_name="reported")
    table = models.ForeignKey(Table, on_delete=models.SET_NULL, null=True, blank=True)
    said = models.CharField(max_length=NAME_LENGTH * 8)
    words = models.CharField(max_length=500, blank=True, default="")
    at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    effect = models.CharField(max_length=7, choices=Effect, default=Effect.NONE)
    answer = models.CharField(max_length=WHY_LENGTH, blank=True, default="")
    answered_by = models.ForeignKey(_PERSON, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    answered = models.DateTimeField(null=True, blank=True)

    history: ClassVar[Any] = DeskHistory("state", "effect", "answer")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state="open", answered=None, effect="none")
                | Q(state="dismissed", answered__isnull=False, effect="none")
                | Q(state="upheld", answered__isnull=False),
                name="report_state_and_answer_agree",
            ),
            models.CheckConstraint(condition=Q(about=None) | ~Q(about=F("by")), name="report_not_oneself"),
            # One tap is one report; another comes once the first is answered.
            models.UniqueConstraint(fields=["by", "about", "kind"], condition=Q(state="open"), name="report_once_open"),
            models.UniqueConstraint(
                fields=["by", "table"], condition=Q(state="open", kind="table"), name="report_once_open_a_table"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["at", "id"], condition=Q(state="open"), name="report_open"),
            models.Index(fields=["state", "id"], name="report_by_state"),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} ({self.kind})"
