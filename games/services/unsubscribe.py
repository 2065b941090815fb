"""The address in a mail at which its reader says, signed in or not, that they want no more of its kind."""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.choices import DIGEST, NEVER, NOTICES
from accounts.models import User
from games.services.locks import writing

_SALT: Final = "games.stop"


@dataclass(frozen=True, slots=True)
class Stop:
    """Whose mails of which kind an address stops."""

    user: User
    kind: str


def stop_url(user: User, kind: str) -> str:
    """Return the address at which a person stops the mails of a kind, or those of the day ("digest").

    It is good for as long as the person is here: mails are kept for years.
    """
    return settings.SITE_URL + reverse("stop", args=[signing.dumps([user.pk, kind], salt=_SALT)])


def stop_headers(user: User, kind: str) -> dict[str, str]:
    """Return the headers by which mail programs offer to stop such mails with one tap (RFC 8058)."""
    return {"List-Unsubscribe": f"<{stop_url(user, kind)}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def kind_title(kind: str) -> str:
    """Return what people call a kind."""
    return "The mail of the day" if kind == DIGEST else NOTICES[kind][0]


def stop_found(token: str) -> Stop | None:
    """Return what such an address stops; None if it is made up, or its person or kind is no more."""
    try:
        key, kind = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=key).first() if kind == DIGEST or kind in NOTICES else None
    return Stop(user, kind) if user else None


def mails_stopped(*, user_id: int, kind: str, wanted: bool = False) -> None:
    """Keep in mind that a person wants no more notices of a kind; or, if *wanted*, what they had without a choice.

    "digest" stands for the mail of the day: nothing comes of what they would hear by it.
    """
    with writing():
        # Nobody else's choice is lost that is made at the same time.
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
        if user is None:
            return
        chosen = dict(user.notices) if isinstance(user.notices, dict) else {}
        if not wanted:
            chosen[kind] = NEVER
        elif chosen.get(kind) == NEVER:
            del chosen[kind]
        user.notices = chosen
        user.save(update_fields=["notices"])
