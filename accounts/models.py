"""People."""

from typing import Any, ClassVar, Self

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Value
from django.db.models.functions import Lower
from django.utils import timezone

NAME_LENGTH = 40
"""The most characters of a display name."""


class UserManager(BaseUserManager["User"]):
    """Makes people and finds them by email, whatever the case of its letters."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a new person; without a password nobody can sign in with one.

        Raises:
            ValueError: if there is no email.
            IntegrityError: if a person with this email exists, in whatever case.
        """
        if not email:
            raise ValueError("A person needs an email address.")
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a new person who may do everything in the admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the person with this email.

        Raises:
            User.DoesNotExist: if there is none.
        """
        return self._by_email(username).get()

    async def aget_by_natural_key(self, username: str | None) -> "User":
        """Return the person with this email, as `get_by_natural_key` does."""
        return await self._by_email(username).aget()

    def _by_email(self, email: str | None) -> models.QuerySet["User"]:
        # The database lowers both sides: its idea of lower case is that of the unique index.
        return self.alias(lower_email=Lower("email")).filter(lower_email=Lower(Value(email or "")))


class User(AbstractBaseUser, PermissionsMixin):
    """A person who plays; signs in by email and is called by name, which is free text."""

    email = models.EmailField("email address", unique=True)
    name = models.CharField("name", max_length=NAME_LENGTH)
    is_staff = models.BooleanField("may use the admin", default=False)
    is_active = models.BooleanField("may sign in", default=True)
    date_joined = models.DateTimeField("joined", default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(Lower("email"), name="user_email_any_case")]

    def __str__(self) -> str:
        return self.name or self.email

    def get_short_name(self: Self) -> str:
        """Return the name, which is what Django's own pages greet with."""
        return self.name
