"""Letting people in, making guests, keeping people away."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.internal.flows.login_by_code import LoginCodeVerificationProcess
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.core import ratelimit
from allauth.core.internal.httpkit import add_query_params
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac

from accounts.fields import mailbox_of
from accounts.models import CODE_ALPHABET, CODE_LENGTH, Block, User
from accounts.zones import zone_known

PROVED: Final = "proved_email"
UNENTERED: Final = timedelta(hours=24)
"""How long an account waits for its first code."""
_SENT_TWICE: Final = timedelta(minutes=1)
JOINING: Final = "joining"
"""Where a session keeps what its visitor wants to do once they are signed in."""


def site_url() -> str:
    """Return where this site is, without a slash at its end: for links outside of requests."""
    return str(getattr(settings, "SITE_URL", "")).rstrip("/")


def email_proved(request: HttpRequest, address: str) -> None:
    """Say that this very request shows the address to be its sender's: it came by a link mailed there alone.

    Never kept for later requests: an account made with another address would get this one, too.
    """
    setattr(request, PROVED, address.lower())


def person_started(request: HttpRequest, *, email: str, name: str, zone: str = "") -> HttpResponseBase:
    """Return the answer to a sign-up: the page that asks for the code that is mailed, whoever has the address.

    Who has an account is not renamed, and never signed in without a code. With `email_proved` a new person is signed in
    at once. `next` of the request leads on.
    """
    user, new = _person_with(request, email.lower(), name, zone)
    if new and user is not None and getattr(request, PROVED, None) == user.email:
        EmailAddress.objects.filter(user=user).update(verified=True)
        return _entered(request, user, get_next_redirect_url(request))
    return code_sent(request, email=email.lower(), user=user)


def code_sent(request: HttpRequest, *, email: str, user: User | None) -> HttpResponseBase:
    """Return the answer to somebody who asks for a code: the page where to write it.

    A code is mailed to the address if somebody has it, and otherwise a word that nobody does.
    """
    LoginCodeVerificationProcess.initiate(request=request, user=user, email=email)
    onward = get_next_redirect_url(request)
    page = reverse("account_confirm_login_code")
    return HttpResponseRedirect(add_query_params(page, {"next": onward}) if onward else page)


def code_asked(request: HttpRequest, email: str) -> bool:
    """Count that a code is asked for; False if too many were, of this address or its mailbox, or from this place."""
    if not ratelimit.consume(request, action="request_login_code", key=email.lower()):
        return False
    return bool(ratelimit.consume(request, action="code_to_mailbox", key=mailbox_of(email)))


def guest_signed_in(
    request: HttpRequest, name: str, zone: str = "", onward: str | None = None, *, key: str = ""
) -> HttpResponseBase:
    """Make a person of the name without an address, sign them in, and return where that leads.

    A form that is sent twice within a minute, with one `key` that nobody else knows, makes one person.
    """
    fields: dict[str, Any] = {"zone": zone if zone_known(zone) else "", "language": language_of(request)}
    user = None
    if key:
        with suppress(IntegrityError), transaction.atomic():
            user = User.objects.create_guest(name, code=_code_for(key, name), **fields)
        user = user or guest_sent(key, name)
    return _entered(request, user or User.objects.create_guest(name, **fields), onward)


def guest_sent(key: str, name: str) -> User | None:
    """Return the guest whom a form with this key and name has made in the last minute."""
    made = User.objects.filter(code=_code_for(key, name), email=None, is_active=True)
    return made.filter(date_joined__gt=timezone.now() - _SENT_TWICE).first()


def _code_for(key: str, name: str) -> str:
    """Return the code of the page of a guest whom a form makes: always the same, and nobody else can work it out."""
    made = salted_hmac("accounts.guest", repr((key, name)), algorithm="sha256").digest()
    return "".join(CODE_ALPHABET[each % len(CODE_ALPHABET)] for each in made[:CODE_LENGTH])


def _entered(request: HttpRequest, user: User, onward: str | None) -> HttpResponseBase:
    """Sign in somebody who has nothing more to show."""
    response: HttpResponseBase = perform_login(request, user, email_verification="none", redirect_url=onward)
    return response


def guest_allowed(request: HttpRequest) -> bool:
    """Count that a guest is made; False if too many were, from this place."""
    return bool(ratelimit.consume(request, action="guest"))


def language_of(request: HttpRequest) -> str:
    """Return the language that a new person keeps: "", the browser's, as long as there is but one."""
    return (translation.get_language() or "") if len(settings.LANGUAGES) > 1 else ""


def _person_with(request: HttpRequest, email: str, name: str, zone: str) -> tuple[User | None, bool]:
    """Return whom a sign-up with the address means, None if they may not come in, and whether they are new."""
    fields: dict[str, Any] = {"name": name, "zone": zone if zone_known(zone) else "", "language": language_of(request)}
    with suppress(IntegrityError):
        if not User.objects.filter(email=email).exists():
            return User.objects.create_user(email, **fields), True
    with transaction.atomic():
        user = User.objects.select_for_update().get(email=email)
        new = _unentered(user)
        if new:
            # Nobody has ever come in: the account is its newest claimant's.
            User.objects.filter(pk=user.pk).update(**fields)
            user.name = name
    return (user if user.is_active else None), new


def _unentered(user: User) -> bool:
    """Tell whether an account was only ever asked for: nobody has signed in, and nothing hangs on it."""
    if user.last_login is not None or user.has_usable_password() or user.is_staff or not user.is_active:
        return False
    if EmailAddress.objects.filter(user=user, verified=True).exists():
        return False
    kept = (each for each in user._meta.related_objects if each.related_model is not EmailAddress)  # noqa: SLF001
    return not any(
        each.related_model._base_manager.filter(**{each.field.name: user}).exists()  # noqa: SLF001
        for each in kept
    )


def _unentered_deleted(user: User) -> None:
    """Delete an account that nobody has entered, with what the desk has kept of it."""
    User.history.filter(id=user.pk).delete()
    user.delete()


def unentered_removed(email: str) -> None:
    """Take away the account of an address that nobody has entered: somebody else has shown the address to be theirs."""
    with transaction.atomic():
        user = User.objects.select_for_update().filter(email=email.lower()).first()
        if user is not None and _unentered(user):
            _unentered_deleted(user)


def unentered_swept(*, now: datetime) -> int:
    """Take away the accounts that nobody has entered for a day; return how many."""
    waiting = User.objects.filter(last_login=None, date_joined__lt=now - UNENTERED, is_staff=False, email__isnull=False)
    gone = 0
    for user in waiting.order_by("pk")[:500]:
        with suppress(ProtectedError), transaction.atomic():
            if _unentered(user):
                _unentered_deleted(user)
                gone += 1
    return gone


def sessions_ended(user: User, *, but: str = "") -> int:
    """End a person's sessions, all *but* that of a key; return how many."""
    sessions = list(UserSession.objects.filter(user=user).exclude(session_key=but))
    for session in sessions:
        session.end()
    return len(sessions)


def session_kept(request: HttpRequest) -> None:
    """List the session of somebody who came in past allauth's doors, like that of everybody else."""
    UserSession.objects.create_from_request(request)


def block_set(*, owner: User, other: User) -> None:
    """Keep a person away from another's tables; nothing new if they are already."""
    if owner.pk != other.pk:
        Block.objects.get_or_create(owner=owner, other=other, defaults={"at": timezone.now()})


def block_unset(*, owner: User, other: User) -> None:
    """Let a person back to another's tables."""
    Block.objects.filter(owner=owner, other=other).delete()
