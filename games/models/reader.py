"""What a person has seen of their games, and the devices on which they want to be told."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.models.game import Game


class Seen(models.Model):
    """The last entry of a game's log that was really shown to a person; `number` only grows."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    number = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "game"], name="seen_once_a_game"),
        ]

    def __str__(self) -> str:
        return f"seen {self.pk}"


class PushDevice(models.Model):
    """A browser that a person wants to be told in: where its service takes messages, and the keys to write them with.

    `agent` is what the person reads of it; `session` is the key of the session in which they asked for it: once that
    has ended, so has this. `failed` counts what went wrong since it last worked.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    endpoint = models.TextField(unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=32)
    agent = models.CharField(max_length=80, blank=True, default="")
    session = models.CharField(max_length=40)
    created = models.DateTimeField()
    used = models.DateTimeField(null=True, blank=True)
    failed = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        # Not where: who has the address can send to it.
        return f"device {self.pk}"
