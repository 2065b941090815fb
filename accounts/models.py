"""People, and whom they keep away."""

import secrets
from datetime import datetime
from typing import Any, ClassVar, Final, Self

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.history import DeskHistory
from accounts.names import NAME_STORED

CODE_ALPHABET: Final = "23456789bfgjkmnpqrtvwxyz"
CODE_LENGTH: Final = 10


def new_code() -> str:
    """Return a code for the address of a person's page: no two signs of it look alike, and it says nothing."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class UserManager(BaseUserManager["User"]):
    """Makes people and finds them by email, whatever the case of its letters."""

    def create_user(self, email: str, password: str | None = None, *, verified: bool = False, **fields: Any) -> "User":
        """Store a new person with an address; without a password nobody can sign in with one.

        *verified* says that they have shown that the address is theirs.

        Raises:
            ValueError: if there is no email.
            IntegrityError: if a person with this email exists, in whatever case.
        """
        if not email:
            raise ValueError("A person needs an email address.")
        user = self.model(email=email.lower(), **fields)
        user.set_password(password)
        with transaction.atomic(using=self._db):
            user.save(using=self._db)
            self.address_kept(user, verified=verified)
        return user

    def create_guest(self, name: str, **fields: Any) -> "User":
        """Store a new person without an address: only the browser that they use knows who they are."""
        user = self.model(email=None, name=name, **fields)
        user.set_password(None)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a new person who may do everything in the admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def address_kept(self, user: "User", *, verified: bool = False) -> None:
        """Let allauth know of the person's address, their only one: a code is asked for once only if it does."""
        from allauth.account.models import EmailAddress

        rows = EmailAddress.objects.using(self._db).filter(user=user)
        rows.exclude(email=user.email or "").delete()
        if user.email and not rows.exists():
            EmailAddress.objects.using(self._db).create(user=user, email=user.email, primary=True, verified=verified)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the person with this email.

        Raises:
            User.DoesNotExist: if there is none.
        """
        return self.get(email=(username or "").lower())

    async def aget_by_natural_key(self, username: str | None) -> "User":
        """Return the person with this email, as `get_by_natural_key` does."""
        return await self.aget(email=(username or "").lower())


class _Role(models.Model):
    """The role that somebody had, which is a group."""

    role = models.CharField(max_length=60, blank=True, default="")

    class Meta:
        abstract = True


class User(AbstractBaseUser, PermissionsMixin):
    """A person who plays; signs in by email and is called by name, which is free text.

    A guest has no email: the cookie of one browser is all that says who they are. `mail_off` says why nothing is mailed
    to the address any more: what was mailed came back, or its reader complained.
    """

    # Null, not "": many people may have none, and the column is unique.
    email = models.EmailField("email address", unique=True, null=True, blank=True, default=None)
    name = models.CharField("name", max_length=NAME_STORED)
    code = models.CharField("code of their page", max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    zone = models.CharField("time zone", max_length=64, blank=True, default="", help_text="Empty: not known yet.")
    language = models.CharField("language", max_length=16, blank=True, default="", help_text="Empty: the browser's.")
    hide_online = models.BooleanField("hides when they are here", default=False)
    notices = models.JSONField("mails they chose", default=dict, blank=True)
    mail_off = models.CharField("mail came back as", max_length=10, blank=True, default="", db_default="")
    mail_off_at = models.DateTimeField("mail came back at", null=True, blank=True, default=None)
    erase_at = models.DateTimeField("is erased at", null=True, blank=True, default=None)
    is_staff = models.BooleanField("may use the admin", default=False)
    is_active = models.BooleanField("may sign in", default=True)
    date_joined = models.DateTimeField("joined", default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()
    history: ClassVar[Any] = DeskHistory("name", "zone", "language", "is_active", "is_staff", bases=(_Role,))

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        verbose_name = "person"
        verbose_name_plural = "people"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(email=Lower("email")), name="user_email_lower"),
            models.CheckConstraint(condition=~Q(email=""), name="user_email_or_none"),
            models.CheckConstraint(
                condition=Q(mail_off="", mail_off_at=None)
                | Q(mail_off__in=["bounced", "complained"], mail_off_at__isnull=False),
                name="user_mail_off_since",
            ),
        ]
        indexes: ClassVar = [
            # What operators look for among all who play.
            models.Index(fields=["id"], condition=Q(is_staff=True), name="user_staff"),
            models.Index(fields=["id"], condition=Q(is_active=False), name="user_kept_out"),
        ]

    def __str__(self) -> str:
        # Never the address: not everybody who reads this at the desk reads addresses.
        return self.name or f"Person {self.pk}"

    @property
    def guest(self) -> bool:
        """Whether they have no address: nobody can sign in as them from elsewhere."""
        return self.email is None

    def get_short_name(self: Self) -> str:
        """Return the name, which is what Django's own pages greet with."""
        return self.name

    def history_extra(self) -> dict[str, str]:
        """Return what the history keeps of them beside their columns."""
        return {"role": " ".join(self.groups.order_by("name").values_list("name", flat=True))}

    def clean(self) -> None:
        """Write the address in lower case, and none as none."""
        self.email = (self.email or "").lower() or None


class Block(models.Model):
    """One person keeps another away from their tables."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    at: "models.DateTimeField[datetime, datetime]" = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "other"], name="block_once"),
            models.CheckConstraint(condition=~Q(owner=F("other")), name="block_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} keeps {self.other_id} away"
