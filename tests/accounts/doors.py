"""How tests get in: by a session at once, or by the code of the newest mail."""

import re
from collections.abc import Sequence
from typing import Final

from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from accounts.views.device import device_token

BACKEND: Final = "allauth.account.auth_backends.AuthenticationBackend"
_CODE: Final = re.compile(r"(?m)^\s*(\d{4}-\d{4})\s*$")


def sign_in(client: Client, user: User) -> Client:
    """Sign somebody in without a door."""
    client.force_login(user, backend=BACKEND)
    return client


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
