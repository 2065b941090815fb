"""Roles: who of the staff may see and do what at the desk."""

from datetime import datetime

from accounts.models import User
from accounts.roles import role_given, role_of
from games.models import Audit
from games.services.letters.office import PERSON
from games.services.locks import writing
from games.services.office.acting import audited, history, reason, told
from games.services.office.errors import NotYourself, RoleUnfit, UserGone
from games.services.office.rights import ROLES
from games.services.office.seen import check_seen


def role_set(*, user_id: int, by: User, why: str, role: str, seen: str, now: datetime) -> Audit:
    """Give a person a role at the desk, or none ("").

    Raises:
        UserGone: there is no such person.
        Changed: they are not as the superuser's page showed them.
        NotYourself: nobody gives themselves a role.
        RoleUnfit: there is no such role, or the person has no address, or may do everything already.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
        if user is None:
            raise UserGone
        check_seen(user, seen)
        if user.pk == by.pk:
            raise NotYourself
        if role not in ("", *ROLES) or user.is_superuser or user.guest or not user.is_active:
            raise RoleUnfit
        before, after = {"role": role_of(user)}, {"role": role}
        with history(user, by=by, why=why):
            role_given(user, role)
        audit = audited(
            action=Audit.Action.ROLE,
            by=by,
            why=why,
            person=user,
            before=before,
            after=after,
            now=now,
        )
        told(audit=audit, kind=PERSON, people=[user.pk], now=now)
        return audit
