"""How tests get in: by a session at once, or by the code of the newest mail."""

import re
import time
from collections.abc import Sequence
from typing import Final

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from accounts.views.device import device_token

BACKEND: Final = "allauth.account.auth_backends.AuthenticationBackend"
APP_SECRET: Final = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
_CODE: Final = re.compile(r"(?m)^\s*(\d{4}-\d{4})\s*$")


def sign_in(client: Client, user: User, *, second: bool = True) -> Client:
    """Sign somebody in without a door; who may use the desk has shown a *second* factor."""
    client.force_login(user, backend=BACKEND)
    if second and user.is_staff:
        factor_used(client, user)
    return client


def factor_used(client: Client, user: User) -> None:
    """Let a session be one in which somebody has shown an app, and give them one if they have none."""
    app = Authenticator.objects.filter(user=user, type="totp").first()
    app = app or Authenticator.objects.create(user=user, type="totp", data={"secret": APP_SECRET})
    session = client.session
    shown = {"method": "mfa", "type": "totp", "id": app.pk, "at": time.time()}
    session["account_authentication_methods"] = [*session.get("account_authentication_methods", []), shown]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()


def app_digits(secret: str = APP_SECRET) -> str:
    """What the app shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def mailed_code(outbox: Sequence[EmailMessage] | None = None) -> str:
    """The code of the newest mail that holds one, on a line of its own."""
    mails = mail.outbox if outbox is None else outbox
    found = [code for each in mails for code in _CODE.findall(str(each.body))]
    assert found, [str(each.body) for each in mails]
    return str(found[-1])


def signed_in(client: Client) -> str | None:
    """The key of whom the session of a client signs in."""
    key = client.session.get("_auth_user_id")
    return None if key is None else str(key)


def by_door(user: User, agent: str = "") -> Client:
    """A client that came in by a code, as people do."""
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/signin/", {"login": user.email})
    client.post("/accounts/code/", {"code": mailed_code()})
    assert signed_in(client) == str(user.pk)
    return client


def carried_on(user: User) -> str:
    """The token by which somebody who is signed in elsewhere goes on at another device."""
    there = sign_in(Client(), user)
    user.refresh_from_db(fields=["last_login"])
    key = there.session.session_key
    return device_token(user, UserSession.objects.create(user=user, session_key=key, ip="127.0.0.1").pk)
