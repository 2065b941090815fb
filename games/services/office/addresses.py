"""Addresses: another one for a person, which is another way in; whoever reads the old one hears of it."""

from contextlib import suppress
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from accounts.bounces import mail_works
from accounts.models import User
from accounts.services import sessions_ended, unentered_removed
from games.models import Audit
from games.services.letters.office import PERSON, office_key
from games.services.locks import writing
from games.services.notices import notice_added
from games.services.office.acting import audited, reason
from games.services.office.errors import AddressUnfit, UserGone
from games.services.office.holding import check_below
from games.services.office.seen import check_seen


def person_readdressed(*, user_id: int, by: User, why: str, email: str, seen: str, now: datetime) -> Audit:
    """Give a person another address, by which alone they sign in from now on: all their sessions end.

    The old address is told, if it was shown to be theirs.

    Raises:
        UserGone: there is no such person.
        Changed: they are not as the superuser's page showed them.
        NotYourself, AboveYou: they are not this superuser's to change.
        AddressUnfit: it is somebody's already.
        ReasonNeeded: no reason was given.
    """
    why, email = reason(why), email.lower()
    with writing():
        # As where somebody shows that it is theirs: an account that nobody has ever entered makes way.
        unentered_removed(email)
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
        if user is None:
            raise UserGone
        check_seen(user, seen)
        check_below(user=user, by=by)
        old = EmailAddress.objects.filter(user=user, email=user.email or "", verified=True).first()
        _kept(user, email)
        # Neither address: they may be erased one day.
        audit = audited(action=Audit.Action.ADDRESS, by=by, why=why, person=user, now=now)
        if old is not None:
            key = office_key(audit, user.pk)
            notice_added(kind=PERSON, key=key, user=user, email=old.email, now=now)
        return audit


def _kept(user: User, email: str) -> None:
    """Store an address, as allauth knows it too, and end what the old one had let in.

    Raises:
        AddressUnfit: it is theirs, or somebody else's.
    """
    if not email or User.objects.filter(email=email).exists():
        raise AddressUnfit
    user.email = email
    EmailAddress.objects.filter(user=user).delete()
    with suppress(IntegrityError), transaction.atomic():
        user.save(update_fields=["email"])
        User.objects.address_kept(user)
        mail_works(user_id=user.pk)
        sessions_ended(user)
        return
    # Somebody was quicker.
    raise AddressUnfit
