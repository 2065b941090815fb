"""How allauth behaves here."""

import ipaddress
from contextlib import suppress
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.bounces import mail_works
from accounts.mails import SECURITY, MailNotSent, mail_send
from accounts.models import User

_LONGEST_URL: Final = 2000
# Where nobody is led after signing in: the doors themselves.
_DOORS: Final = ("signin", "signup", "signout", "account_confirm_login_code", "account_email_verification_sent")


def user_display(user: User) -> str:
    """Return what a person is called."""
    return user.name


class AccountAdapter(DefaultAccountAdapter):
    """allauth's adapter for people with a name and perhaps an address."""

    error_messages = {  # noqa: RUF012 - allauth's is no ClassVar
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "This email address and password do not belong together: try again.",
        "too_many_login_attempts": "Too many tries: wait a few minutes and ask for a new code, or sign in another way.",
        "rate_limited": "Too many at once: wait a minute and try again.",
        "incorrect_code": "That is not right: look at the newest mail from us and try again.",
        "incorrect_password": "That is not your password: try again.",
        "email_taken": "There is an account with this address already: sign out, and sign in with it.",
        "same_as_current": "That is your address already.",
    }

    def is_safe_url(self, url: str) -> bool:
        """Tell whether `next` may lead there: to a page of this very host, and not back to a door."""
        if len(url) > _LONGEST_URL or url.partition("?")[0] in {reverse(name) for name in _DOORS}:
            return False
        host = self.request.get_host()
        return url_has_allowed_host_and_scheme(url, allowed_hosts={host}, require_https=self.request.is_secure())

    def is_ajax(self, request: HttpRequest) -> bool:
        """Tell whether a script asks: only the one that begins a sign-in by passkey does."""
        return request.path == reverse("mfa_login_webauthn") and super().is_ajax(request)

    def add_message(self, request: HttpRequest, level: int, *args: Any, **kwargs: Any) -> None:
        """Keep what went wrong for the page that follows; what went right the pages say themselves."""
        if level >= messages.ERROR:
            super().add_message(request, level, *args, **kwargs)

    def get_login_stages(self) -> list[str]:
        """Return what comes after the door: a passkey is a way in, not a second thing to show."""
        return [stage for stage in super().get_login_stages() if not stage.startswith("allauth.mfa.")]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Tell whether changes ask again who it is: not a guest's, who has nothing to show but the cookie."""
        nothing = not get_reauthentication_flows(self.request.user)
        return not (nothing and app == "allauth.account") and super().is_reauthentication_required(app=app, **kwargs)

    def get_logout_redirect_url(self, request: HttpRequest) -> str:
        """Return where signing out leads: all cookies are gone, so that the address has to say it."""
        return f"{reverse('signin')}?out=1"

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        """Return where an address leads once it is shown to be theirs."""
        return f"{reverse('settings')}?address=1"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail about an account in the words and the time of its person, at once."""
        user = User.objects.filter(email=email.lower()).first() or getattr(self.request, "user", None)
        mail_send(
            using=SECURITY,
            to=email,
            template=template_prefix,
            # Not where the request says that the site is: whoever asks may have chosen that among its names.
            context={**context, "request": None, "signup_url": settings.SITE_URL + reverse("signup")},
            language=getattr(user, "language", "") or translation.get_language() or "",
            zone=getattr(user, "zone", ""),
        )

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Tell somebody what has changed of their account; if that fails it has changed all the same."""
        with suppress(MailNotSent):
            super().send_notification_mail(*args, **kwargs)

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Keep an address that was shown to be theirs: mail arrives there."""
        done = bool(super().confirm_email(request, email_address))
        if done:
            mail_works(user_id=email_address.user_id)
        return done

    def session_moved(self, user: User, before: str, after: str) -> None:
        """Do what a session asks for whose key changes while its person stays."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return where a request comes from: what the nearest trusted proxy says, if it says an address.

        Raises:
            PermissionDenied: if nobody knows.
        """
        with suppress(ImproperlyConfigured, PermissionDenied, ValueError):
            return str(ipaddress.ip_address(super().get_client_ip(request)))
        try:
            return str(ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")))
        except ValueError:
            raise PermissionDenied from None

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # allauth's counts apart for each name of the host, and anybody may write another one.
        return str(credentials.get("email", credentials.get("username", ""))).lower()
