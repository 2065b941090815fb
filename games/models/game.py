"""A game: what was dealt, its log, the waste as it lies, and the projections that lists need."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from games.models.table import Table, new_code, seat_between, span_field
from games.rules.cards import PACK

KEY_LENGTH = 64
"""The most characters of an idempotency key."""
_HASH_LENGTH = 32


def game_code() -> str:
    """Return a new game's code, which nobody can guess."""
    return new_code(10)


def _is_hash(field: str) -> Exact:
    return Exact(Length(field), _HASH_LENGTH)


class Game(models.Model):
    """One deal of a table's series.

    The rules are the table's as they were when the game began. `version` counts entries of the log and alone decides
    whether a move is stale; `revision` grows with everything that a board shows. Both, `status` and `last_hash` are
    projections: the deal and the log are the game.

    Of one that is over `next_at` is when the next deal of its table is dealt, and `objected` who asked to wait with it.
    `broken` counts how often the sweep failed at it running; it is set `aside` then, until somebody has seen to it.
    """

    class Status(models.TextChoices):
        """Whether the game is still being played."""

        RUNNING = "running"
        OVER = "over"

    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=10, unique=True, default=game_code, editable=False)
    dealer = models.PositiveSmallIntegerField()
    rules = models.JSONField()
    rules_version = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8, choices=Status, default=Status.RUNNING)
    version = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    last_hash = models.BinaryField(max_length=_HASH_LENGTH)
    created = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    objected = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    broken = models.PositiveSmallIntegerField(default=0, db_default=0)
    aside = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="game_number_once_a_table"),
            models.CheckConstraint(condition=Q(number__gte=1), name="game_number_from_1"),
            models.CheckConstraint(condition=seat_between("dealer"), name="game_dealer_0_to_11"),
            models.CheckConstraint(condition=Q(rules_version__gte=1), name="game_rules_version_from_1"),
            models.CheckConstraint(condition=Q(version__gte=0, revision__gte=0), name="game_version_from_0"),
            models.CheckConstraint(
                condition=Q(status="running", ended__isnull=True) | Q(status="over", ended__isnull=False),
                name="game_over_has_an_end",
            ),
            models.CheckConstraint(condition=_is_hash("last_hash"), name="game_last_hash_32"),
            models.CheckConstraint(condition=Q(next_at__isnull=True) | Q(status="over"), name="game_next_after_end"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="game_next"),
            # What operators look for among a million games that are over.
            models.Index(fields=["id"], condition=Q(status="running"), name="game_running"),
            models.Index(fields=["aside"], condition=Q(aside__isnull=False), name="game_aside"),
        ]

    def __str__(self) -> str:
        return f"game {self.code}"


# Deal and WastePile have no check constraints: PostgreSQL quotes the whole row when one fails, and errors are logged.


class Deal(models.Model):
    """What was dealt in a game and the 32 bytes it was shuffled with: secret until the game is over.

    `hands` holds one text of card codes a seat, seat 0 first; `hash` is the first of the game's chain
    (`games.services.chain`). Never changed, never deleted. Registered in no admin; shows counts only.
    """

    game = models.OneToOneField(Game, on_delete=models.PROTECT)
    hands = models.JSONField()
    secret = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=_HASH_LENGTH)

    def __str__(self) -> str:
        return f"deal of {len(self.hands)} hands"


class WastePile(models.Model):
    """The waste of a game in the order in which it lies: secret, and shuffled before each draw (rules.md 7.2).

    `cards` are codes with spaces between. Registered in no admin; shows counts only.
    """

    game = models.OneToOneField(Game, on_delete=models.PROTECT)
    cards = models.TextField(blank=True, default="")
    shuffles = models.PositiveSmallIntegerField(default=0)
    shuffled_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"waste of {len(self.cards.split())} cards, shuffled {self.shuffles} times"


class Move(models.Model):
    """One entry of a game's log, never changed and never deleted (PostgreSQL refuses both).

    `number` counts from 1. `actor` says who acted; a draw has the actor of the play that it follows and no key.
    `hash` chains the entry to all before it (`games.services.chain`).
    """

    class Kind(models.TextChoices):
        """What the entry is (rules.md 12)."""

        PLAY = "play"
        TAKE = "take"
        DRAW = "draw"

    class Actor(models.TextChoices):
        """Who made the entry."""

        HAND = "hand"
        ORDER = "order"
        TIMEOUT = "timeout"
        BOT = "bot"
        ADMIN = "admin"

    game = models.ForeignKey(Game, on_delete=models.PROTECT, db_index=False)
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=4, choices=Kind)
    seat = models.PositiveSmallIntegerField()
    card = models.CharField(max_length=2, blank=True, default="")
    victim = models.PositiveSmallIntegerField(null=True, blank=True)
    actor = models.CharField(max_length=7, choices=Actor)
    key = models.CharField(max_length=KEY_LENGTH, blank=True, default="")
    at = models.DateTimeField()
    hash = models.BinaryField(max_length=_HASH_LENGTH)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="move_number_once_a_game"),
            models.UniqueConstraint(fields=["game", "key"], condition=~Q(key=""), name="move_key_once_a_game"),
            models.CheckConstraint(condition=Q(number__gte=1), name="move_number_from_1"),
            models.CheckConstraint(condition=seat_between("seat"), name="move_seat_0_to_11"),
            models.CheckConstraint(
                condition=Q(kind="play", card__in=[each.code for each in PACK], victim__isnull=True)
                | Q(kind="draw", card__in=[each.code for each in PACK], victim__isnull=True, key="")
                | (Q(kind="take", card="", victim__isnull=False) & seat_between("victim") & ~Q(victim=F("seat"))),
                name="move_kind_and_columns_agree",
            ),
            models.CheckConstraint(
                condition=Q(actor__in=["hand", "order", "timeout", "bot", "admin"]), name="move_actor_known"
            ),
            models.CheckConstraint(condition=_is_hash("hash"), name="move_hash_32"),
        ]

    def __str__(self) -> str:
        # No card: what was played face down is secret for a while.
        return f"entry {self.number}"


class Turn(models.Model):
    """A seat from which the game awaits a card, since `since`; the row goes when the seat has played.

    `number` is how many entries the log had when it began. `due_at` is when somebody must look: for a bot soon after it
    should have played, for a person the deadline, if any. A person's clock runs from `ran_from` (null: `since`) with
    what was in their `bank` then and what the turn was `extended` by; `warn_at` is when they are reminded, `order_at`
    when their only card goes by itself. `nudges` counts the deadlines that passed and were waited on.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, db_index=False)
    seat = models.PositiveSmallIntegerField()
    since = models.DateTimeField()
    number = models.PositiveIntegerField(default=0, db_default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    ran_from = models.DateTimeField(null=True, blank=True)
    bank = span_field()
    extended = span_field()
    warn_at = models.DateTimeField(null=True, blank=True)
    order_at = models.DateTimeField(null=True, blank=True)
    nudges = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat"], name="turn_once_a_seat"),
            models.CheckConstraint(condition=seat_between("seat"), name="turn_seat_0_to_11"),
            models.CheckConstraint(
                condition=Q(due_at__isnull=True) | Q(due_at__gte=F("since")), name="turn_due_after_since"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="turn_due"),
            models.Index(fields=["warn_at"], condition=Q(warn_at__isnull=False), name="turn_warn"),
            models.Index(fields=["order_at"], condition=Q(order_at__isnull=False), name="turn_order"),
        ]

    def __str__(self) -> str:
        return f"turn of seat {self.seat}"
