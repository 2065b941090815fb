"""Tables, seats and who holds them."""

from datetime import timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.history import DeskHistory
from accounts.names import NAME_STORED, POINTS_A_SIGN
from games.rules.shuffle import Source, system_source

# Nothing that looks like another sign, and no letter of a suit and no vowel, so that no code spells a card or a word.
CODE_ALPHABET = "23456789bfgjkmnpqrtvwxyz"
MAX_SEATS = 12
MAX_DEALS = 50
NAME_LENGTH = 60
"""The most signs of a table's name."""
TITLE_LENGTH = 40
"""The most signs of what a loser is called."""

_ZERO: Final = timedelta(0)


def new_code(length: int, source: Source = system_source) -> str:
    """Return a code of *length* characters for an address; each carries 4.6 bits of the source."""
    return "".join(CODE_ALPHABET[source(len(CODE_ALPHABET))] for _ in range(length))


def table_code() -> str:
    """Return a new table's code."""
    return new_code(8)


def seat_between(field: str) -> Q:
    """Say that *field* is a seat's number."""
    return Q(**{f"{field}__gte": 0, f"{field}__lt": MAX_SEATS})


def span_field() -> "models.DurationField[timedelta, timedelta]":
    """Return a column for a length of time that is zero unless somebody says more."""
    return models.DurationField(default=_ZERO, db_default=_ZERO)


def _pace_fits() -> Q:
    """Say what `games.clocks.pace.Pace` says: the four lengths fit the kind of pace."""
    none = Q(pace="none", pace_start=_ZERO, pace_increment=_ZERO, pace_cap=_ZERO, pace_grace=_ZERO)
    full = Q(pace_start__gt=_ZERO, pace_increment=F("pace_start"), pace_cap=F("pace_start"), pace_grace=_ZERO)
    kept = Q(pace_start__gt=_ZERO, pace_increment__gt=_ZERO, pace_grace__gte=_ZERO)
    bank = kept & Q(pace_start__lte=F("pace_cap"), pace_increment__lte=F("pace_cap"))
    return none | (Q(pace__in=["move", "live"]) & full) | (Q(pace="bank") & bank)


class Table(models.Model):
    """A series of deals by the same seats under the same rules (rules.md 11).

    `seats` is their number; `title` what the loser is called, for display only; `tie_break` what is compared where
    losses are equal (`games.rules.scoring.TIE_BREAKS`), "" for nothing. Until it is `started` seats are free or
    change hands; `joins` says who may take one, `starts` whether the last who sits down starts it. `watch` says who may
    look on, `rated` whether its deals count for ratings. `warned` is when its host was told that it will be closed.
    `like` is the table that it repeats.

    The columns that begin with `pace` are those of `games.clocks.pace.Pace`; `rest` are the weekdays on which its
    clocks stand still, 0 being Monday ("45": Friday and Saturday), in its `zone`. `missed` says what becomes of a turn
    whose time is up, `vacations` whether the days away of its people count here. `next` says how the next deal begins,
    `rest_between` how long after the last one at the earliest.
    """

    class Status(models.TextChoices):
        """What there is to do: sit down, play, look back; a closed one was never played."""

        OPEN = "open"
        RUNNING = "running"
        OVER = "over"
        CLOSED = "closed"

    class Joins(models.TextChoices):
        """Who may take a free seat."""

        INVITED = "invited"
        LINK = "link"
        LOBBY = "lobby"

    class Watch(models.TextChoices):
        """Who may look on without a seat."""

        NOBODY = "nobody"
        LINK = "link"
        ANYONE = "anyone"

    class Starts(models.TextChoices):
        """When the first deal is dealt: with the last seat taken, or when the host says so."""

        FULL = "full"
        HOST = "host"

    class Paces(models.TextChoices):
        """How the time for a card is measured out."""

        NONE = "none"
        MOVE = "move"
        BANK = "bank"
        LIVE = "live"

    class Missed(models.TextChoices):
        """What becomes of a turn whose time is up: a bot plays it, it is waited on, or a bot keeps the seat."""

        BOT = "bot"
        NUDGE = "nudge"
        KEEP = "keep"

    class Next(models.TextChoices):
        """When the next deal begins: ten minutes after the last unless somebody objects, at once, when asked for."""

        WAIT = "wait10"
        ONCE = "once"
        ASK = "ask"

    code = models.CharField(max_length=8, unique=True, default=table_code, editable=False)
    name = models.CharField(max_length=NAME_LENGTH * POINTS_A_SIGN)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    rules = models.JSONField()
    rules_version = models.PositiveSmallIntegerField()
    seats = models.PositiveSmallIntegerField()
    deals = models.PositiveSmallIntegerField(default=1)
    title = models.CharField(max_length=TITLE_LENGTH * POINTS_A_SIGN, default="Last Hand")
    tie_break = models.CharField(max_length=7, blank=True, default="", db_default="")
    show_voids = models.BooleanField(default=True)
    rated = models.BooleanField(default=False, db_default=False)
    status = models.CharField(max_length=7, choices=Status, default=Status.OPEN)
    joins = models.CharField(max_length=7, choices=Joins, default=Joins.INVITED)
    watch = models.CharField(max_length=6, choices=Watch, default=Watch.NOBODY)
    starts = models.CharField(max_length=4, choices=Starts, default=Starts.FULL)
    pace = models.CharField(max_length=4, choices=Paces, default=Paces.NONE, db_default="none")
    pace_start = span_field()
    pace_increment = span_field()
    pace_cap = span_field()
    pace_grace = span_field()
    rest = models.CharField(max_length=6, blank=True, default="", db_default="")
    zone = models.CharField(max_length=64, default="UTC", db_default="UTC")
    missed = models.CharField(max_length=5, choices=Missed, default=Missed.BOT, db_default="bot")
    vacations = models.BooleanField(default=True, db_default=True)
    next = models.CharField(max_length=6, choices=Next, default=Next.WAIT, db_default="wait10")
    rest_between = span_field()
    like = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True)
    created = models.DateTimeField()
    started = models.DateTimeField(null=True, blank=True)
    closed = models.DateTimeField(null=True, blank=True)
    warned = models.DateTimeField(null=True, blank=True)

    history: ClassVar[Any] = DeskHistory("name")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(seats__gte=3, seats__lte=MAX_SEATS), name="table_seats_3_to_12"),
            models.CheckConstraint(condition=Q(deals__gte=1, deals__lte=MAX_DEALS), name="table_deals_1_to_50"),
            models.CheckConstraint(condition=Q(rules_version__gte=1), name="table_rules_version_from_1"),
            models.CheckConstraint(
                condition=Q(status="open", started__isnull=True, closed__isnull=True)
                | Q(status__in=["running", "over"], started__isnull=False, closed__isnull=True)
                | Q(status="closed", started__isnull=True, closed__isnull=False),
                name="table_status_and_times_agree",
            ),
            models.CheckConstraint(
                condition=Q(
                    joins__in=["invited", "link", "lobby"],
                    watch__in=["nobody", "link", "anyone"],
                    starts__in=["full", "host"],
                ),
                name="table_choices_known",
            ),
            models.CheckConstraint(condition=_pace_fits(), name="table_pace_fits"),
            models.CheckConstraint(
                condition=Q(
                    missed__in=["bot", "nudge", "keep"], next__in=["wait10", "once", "ask"], rest_between__gte=_ZERO
                ),
                name="table_clocks_known",
            ),
            models.CheckConstraint(
                condition=Q(tie_break="") | Q(tie_break__in=["cards", "first", "longest"]), name="table_tie_break_known"
            ),
        ]
        indexes: ClassVar = [
            # The lobby, and the tables that never started.
            models.Index(fields=["created"], condition=Q(status="open"), name="table_open_by_age"),
            # What operators look for among a million tables that are over.
            models.Index(fields=["status", "id"], condition=~Q(status="over"), name="table_not_over"),
        ]

    def __str__(self) -> str:
        return self.name


class Seat(models.Model):
    """A numbered place at a table, the same in every deal."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    number = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_once_a_table"),
            models.CheckConstraint(condition=seat_between("number"), name="seat_number_0_to_11"),
            # What a holder refers to on PostgreSQL, so that its seat is one of its table (migration 0002).
            models.UniqueConstraint(fields=["id", "table"], name="seat_with_table"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number}"


class Holder(models.Model):
    """Who sits or sat at a seat: a person or a bot of some level, from `since` until `until` (null: still).

    Replacing somebody closes one row and opens another, so that the past stays as it was. `name` is what the others
    read. The table is kept beside the seat for the sake of the constraints. `invite` is what the person came by. Of a
    person who was erased the row stays, without person or bot: past at a table that is played, open where all is over.

    `stand_in` is the level of a bot that plays for the person since `stood_in`, until they say that they are back;
    `back` is when they last did.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    bot = models.CharField(max_length=16, blank=True, default="")
    name = models.CharField(max_length=NAME_STORED)
    invite = models.ForeignKey("games.Invite", on_delete=models.SET_NULL, null=True, blank=True)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    stand_in = models.CharField(max_length=16, blank=True, default="", db_default="")
    stood_in = models.DateTimeField(null=True, blank=True)
    back = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "seat of somebody"
        verbose_name_plural = "who sat where"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(bot=""),
                name="holder_person_xor_bot",
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="holder_until_after_since"
            ),
            models.CheckConstraint(
                condition=Q(stand_in="") | Q(user__isnull=False) | Q(until__isnull=False),
                name="holder_stand_in_for_a_person",
            ),
            models.CheckConstraint(
                condition=Q(stand_in="", stood_in__isnull=True) | (~Q(stand_in="") & Q(stood_in__isnull=False)),
                name="holder_stand_in_since",
            ),
            models.UniqueConstraint(fields=["seat"], condition=Q(until=None), name="holder_one_a_seat"),
            models.UniqueConstraint(fields=["table", "user"], condition=Q(until=None), name="holder_one_seat_a_person"),
        ]
        indexes: ClassVar = [
            # The tables at which a person sits now.
            models.Index(fields=["user", "table"], condition=Q(until=None), name="holder_open_by_user"),
        ]

    def __str__(self) -> str:
        return self.name
