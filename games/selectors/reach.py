"""How people can be told something: whether a mail or a device of theirs reaches them, and what they want."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.db.models import BigIntegerField, Exists, F, OuterRef, QuerySet

from accounts.choices import AUTO, DIGEST, NEVER, Wishes, wishes_of
from accounts.models import User
from accounts.zones import zone_or_utc
from games.clocks.days import digest_after, quiet_until
from games.models import PushDevice
from games.selectors.prepared import Columns, Given, Prepared

MAIL: Final = "mail"
PUSH: Final = "push"
NOWAY: Final = ""
_USER: Final = Columns(User)


@dataclass(frozen=True, slots=True)
class Reach:
    """A person as they can be told something.

    mail: their address is theirs and takes mails. push: a device of theirs takes messages, and they want that.
    """

    user: User
    wishes: Wishes
    mail: bool
    push: bool

    @property
    def zone(self) -> ZoneInfo:
        """The zone by whose clock they live, UTC as long as nobody knows."""
        return zone_or_utc(self.user.zone)

    def channel(self, kind: str, *, soon: bool = True, live: bool = False) -> str:
        """Return how they are told of a kind of notices: mail, push, digest, or "" for not at all.

        *soon* says that little time is left, *live* that they sit together: nobody reads mails then.
        """
        how = self.wishes.how(kind)
        if how == NEVER or not (self.mail or self.push):
            return NOWAY
        if live:
            return PUSH if self.push else NOWAY
        if how == DIGEST:
            return DIGEST
        if self.push:
            return PUSH
        if how == AUTO and not soon:
            return NOWAY if self.wishes.hour is None else DIGEST
        return MAIL

    def due(self, channel: str, at: datetime) -> datetime:
        """Return when they are told by a channel what they may be told at a moment: with the digest, or after quiet."""
        if channel == DIGEST:
            hour = self.wishes.hour
            return at if hour is None else digest_after(at, hour, self.zone)
        quiet = self.wishes.quiet
        return at if quiet is None else quiet_until(at, *quiet, self.zone)


def reach_of(user_ids: Collection[int | None]) -> Mapping[int, Reach]:
    """Return how some people can be told something, by their ids, in one query; who may not sign in is left out."""
    known = {each for each in user_ids if each is not None}
    if not known:
        return {}
    found = _asked(len(known))(**{f"person_{at}": each for at, each in enumerate(known)})
    return {row[0]: _reach(_USER.row(row[:-2]), proved=row[-2], device=row[-1]) for row in found}


def _reach(user: User, *, proved: bool, device: bool) -> Reach:
    wishes = wishes_of(user)
    return Reach(user, wishes, mail=proved and not user.mail_off, push=device and wishes.push)


@lru_cache(maxsize=32)
def _asked(people: int) -> Prepared:
    """Return the query about so many people."""
    return Prepared(lambda: _people(people))


def _people(count: int) -> QuerySet[Any, Any]:
    proved = EmailAddress.objects.filter(user=OuterRef("pk"), email=F("user__email"), verified=True)
    devices = PushDevice.objects.filter(user=OuterRef("pk"))
    who: list[Any] = [Given(f"person_{at}", BigIntegerField()) for at in range(count)]
    rows = User.objects.filter(pk__in=who, is_active=True).order_by("pk")
    asked = rows.annotate(a_proved=Exists(proved), a_device=Exists(devices))
    return asked.values_list(*_USER.names, "a_proved", "a_device")
