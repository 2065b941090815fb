"""Tokens of invitations, made when they are needed and found by their hash; addresses, hashed."""

import hashlib
import re
from typing import Final

from django.conf import settings
from django.db.models import FETCH_RAISE
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.http import urlsafe_base64_encode

from games.models import Invite

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def token_of(invite: Invite) -> str:
    """Return the token of an invitation, 128 bits made of its nonce and the site's key; "" if the key was changed."""
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        token = token_made(bytes(invite.nonce), key)
        if token_hash(token) == invite.token_hash:
            return token
    return ""


def token_made(nonce: bytes, key: str | bytes) -> str:
    """Return the token that a nonce has under a key of the site."""
    made = salted_hmac("games.invite", nonce, secret=key, algorithm="sha256").digest()[:16]
    return urlsafe_base64_encode(made)


def token_hash(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def invite_url(token: str) -> str:
    """Return the whole address of an invitation, as it stands in mails and chats."""
    return settings.SITE_URL + reverse("invite", args=[token])


def invite_found(token: str) -> Invite | None:
    """Return the invitation that a token is for, with its table."""
    if not _TOKEN.fullmatch(token):
        return None
    rows = Invite.objects.select_related("table", "table__host", "sender").fetch_mode(FETCH_RAISE)
    return rows.filter(token_hash=token_hash(token)).first()


def email_hash(email: str) -> str:
    """Return what is stored of an address that wants no mail."""
    return hashlib.sha256(email.lower().encode()).hexdigest()
