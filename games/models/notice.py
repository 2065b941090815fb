"""The outbox: what people shall be told by mail, written with what happened and looked at again when it is sent."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from games.models.game import Game
from games.models.invite import Invite
from games.models.table import Table


class Notice(models.Model):
    """Something to tell a person, or an address that has no person yet, once it is `due`.

    `key` says what it is about, so that nobody is told twice. It ends as `sent`, or as `gone` when it was no longer
    true or wanted by then; `tries` counts what failed. `channel` is how they are told: by mail, push, or with the day's
    digest. What is about a turn has its `seat` and the `number` of entries that the log had when it began.
    """

    kind = models.CharField(max_length=20)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True)
    email = models.EmailField(blank=True, default="")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True)
    invite = models.ForeignKey(Invite, on_delete=models.CASCADE, null=True, blank=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True)
    channel = models.CharField(max_length=6, default="mail", db_default="mail")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    number = models.PositiveIntegerField(null=True, blank=True)
    key = models.CharField(max_length=128, unique=True)
    due = models.DateTimeField()
    created = models.DateTimeField()
    sent = models.DateTimeField(null=True, blank=True)
    gone = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(kind=""), name="notice_has_a_kind"),
            models.CheckConstraint(condition=Q(sent=None) | Q(gone=None), name="notice_sent_or_gone"),
            models.CheckConstraint(condition=Q(channel__in=["mail", "push", "digest"]), name="notice_channel_known"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=Q(sent=None, gone=None), name="notice_waiting"),
            # What operators look for among a million notices that were sent.
            models.Index(fields=["id"], condition=Q(sent=None, gone=None, tries__gt=0), name="notice_failing"),
            # What the next digest of a person tells.
            models.Index(
                fields=["user", "due"], condition=Q(channel="digest", sent=None, gone=None), name="notice_digest"
            ),
        ]

    def __str__(self) -> str:
        return f"notice {self.pk} ({self.kind})"


class NoMail(models.Model):
    """An address that asked to be mailed no more, kept as the SHA-256 of its lower case only."""

    email_hash = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Exact(Length("email_hash"), 64), name="no_mail_hash_64"),
        ]

    def __str__(self) -> str:
        return f"no mail {self.pk}"
