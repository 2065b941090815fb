"""Invitations to a table: one to an address, or a link that several may use."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length, Lower
from django.db.models.lookups import Exact

from accounts.names import NAME_STORED
from games.models.table import Table


class Invite(models.Model):
    """Leave to take a free seat at a table, for whoever has its token.

    `email` is in lower case; "" is the table's shared link, which `uses` people may come by. `name` is what the host
    calls the person, `language` the one to write in. The token is made of `nonce` and the site's key; stored is only
    its hash, by which it is found. `accepted` is when somebody sat down by a personal invitation.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    email = models.EmailField(blank=True, default="")
    name = models.CharField(max_length=NAME_STORED, blank=True, default="")
    language = models.CharField(max_length=16, blank=True, default="")
    nonce = models.BinaryField(max_length=16)
    token_hash = models.CharField(max_length=64, unique=True)
    uses = models.PositiveSmallIntegerField(default=1)
    expires = models.DateTimeField()
    created = models.DateTimeField()
    sent = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    declined = models.DateTimeField(null=True, blank=True)
    accepted = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "invitation"
        verbose_name_plural = "invitations"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(uses__gte=1) & (Q(email="") | Q(uses=1)), name="invite_personal_once"),
            models.CheckConstraint(condition=Exact(F("email"), Lower("email")), name="invite_email_lower"),
            models.CheckConstraint(
                condition=Exact(Length("nonce"), 16) & Exact(Length("token_hash"), 64), name="invite_token_lengths"
            ),
            models.CheckConstraint(condition=Q(expires__gt=F("created")), name="invite_expires_after_created"),
            models.UniqueConstraint(
                fields=["table", "email"],
                condition=~Q(email="") & Q(revoked=None, declined=None),
                name="invite_once_an_address",
            ),
            models.UniqueConstraint(
                fields=["table"], condition=Q(email="", revoked=None), name="invite_one_link_a_table"
            ),
        ]
        indexes: ClassVar = [
            # Who has an address finds the invitations to it.
            models.Index(fields=["email"], condition=~Q(email=""), name="invite_by_email"),
        ]

    def __str__(self) -> str:
        # No address: this goes to logs.
        return f"invitation {self.pk}"
