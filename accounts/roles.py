"""The roles of those who run the site, and the second factor that they show before the desk opens."""

import time
from typing import Final

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.http import HttpRequest

from accounts.models import User

OPERATOR: Final = "operator"
MODERATOR: Final = "moderator"
SUPPORT: Final = "support"
SUPERUSER: Final = "superuser"

ROLES: Final = (OPERATOR, MODERATOR, SUPPORT)
"""Those that a superuser gives and takes; a superuser is more than all of them."""

FACTOR_HOURS: Final = 12
"""For how long a session is good for the desk after its second factor was shown."""


def role_of(user: object) -> str:
    """Return the role of somebody who may use the desk: that of most rights if they have several, "" for none."""
    if not isinstance(user, User) or not user.is_active or not user.is_staff:
        return ""
    if user.is_superuser:
        return SUPERUSER
    known: str | None = user.__dict__.get("_role")
    if known is None:
        names = set(user.groups.values_list("name", flat=True))
        known = next((role for role in ROLES if role in names), "")
        # Asked for many times while one page is made.
        user.__dict__["_role"] = known
    return known


def sees_addresses(user: object) -> bool:
    """Tell whether somebody reads email addresses at the desk."""
    return role_of(user) in (SUPERUSER, OPERATOR)


def role_givers() -> list[str]:
    """Return what those are called who choose roles for others."""
    return [each.name for each in User.objects.filter(is_superuser=True, is_staff=True, is_active=True).order_by("pk")]


def role_given(user: User, role: str) -> None:
    """Give somebody one role, or none (""), in the transaction that is open; what a superuser may stays theirs."""
    user.is_staff = bool(role) or user.is_superuser
    user.save(update_fields=["is_staff"])
    user.groups.set([Group.objects.get_or_create(name=role)[0]] if role else [])
    user.__dict__.pop("_role", None)


def factors_of(user: User) -> frozenset[str]:
    """Return the kinds of second factors that somebody has."""
    return frozenset(Authenticator.objects.filter(user=user).values_list("type", flat=True))


def factor_shown(request: HttpRequest, user: User) -> bool:
    """Tell whether a second factor was shown in this session, not long ago, that is still theirs."""
    since = time.time() - FACTOR_HOURS * 3600
    used = [
        record.get("id")
        for record in get_authentication_records(request, user)
        if record.get("method") == "mfa" and record.get("at", 0) > since
    ]
    return bool(used) and Authenticator.objects.filter(user=user, pk__in=used).exists()


def factor_missing(request: HttpRequest, user: User) -> bool:
    """Tell whether somebody who has a role must show a second factor before they change what lets them in.

    Otherwise whoever reads their mail could put another in its place. The first one is set up without.
    """
    return user.is_staff and bool(factors_of(user)) and not factor_shown(request, user)
