"""People upon whom an operator acts, and guests who become part of accounts, for tests."""

from typing import Any

from accounts.models import User
from games.models import Audit
from games.services.office.people import guest_merge
from games.services.office.seen import seen_of
from tests.games.gathering import LATER
from tests.games.office import WHY


def guest(name: str = "Gul") -> User:
    return User.objects.create_guest(name)


def asked(user: User, by: User, **more: Any) -> dict[str, Any]:
    return {"user_id": user.pk, "by": by, "why": WHY, "seen": seen_of(user), "now": LATER} | more


def merging(guest: User, into: User, by: User, **more: Any) -> Audit:
    given: dict[str, Any] = {
        "guest_id": guest.pk,
        "into_id": into.pk,
        "by": by,
        "why": WHY,
        "seen": seen_of(guest),
        "now": LATER,
    }
    return guest_merge(**given | more)


def out(user: User) -> User:
    User.objects.filter(pk=user.pk).update(is_active=False)
    user.refresh_from_db()
    return user
