"""Roles: who of the staff may see and do what at the desk."""

from datetime import datetime

from accounts.models import User
from accounts.roles import role_given
from games.models import Audit
from games.services.letters.office import PERSON
from games.services.locks import writing
from games.services.office.acting import audited, history, reason, told
from games.services.office.errors import NotYourself, RoleHeld, RoleUnfit, UserGone
from games.services.office.rights import ROLES
from games.services.office.seen import check_seen


def role_set(*, user_id: int, by: User, why: str, role: str, seen: str, now: datetime) -> Audit:
    """Give a person a role at the desk, or none ("").

    Raises:
        UserGone: there is no such person.
        Changed: they are not as the superuser's page showed them.
        NotYourself: nobody gives themselves a role.
        RoleUnfit: there is no such role, or the person has no address, is kept out, or may do everything already.
        RoleHeld: that is their role.
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
        # A role may be taken from whoever is kept out: they would have it again once they are let in.
        fit = role == "" or (role in ROLES and not user.guest and user.is_active)
        if not fit or user.is_superuser:
            raise RoleUnfit
        held = user.history_extra()["role"]
        if (held, user.is_staff) == (role, bool(role)):
            raise RoleHeld
        with history(user, by=by, why=why):
            role_given(user, role)
        audit = audited(
            action=Audit.Action.ROLE,
            by=by,
            why=why,
            person=user,
            before={"role": held},
            after={"role": role},
            now=now,
        )
        told(audit=audit, kind=PERSON, people=[user.pk], now=now)
        return audit
