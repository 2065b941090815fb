"""Who is rung for when a row changes that no game's board tells of: seats, tables that wait, invitations, sessions.

By signals, so that a new service, or the admin, need not think of it. What is changed by `update` or stored many at
once sends none: such a service rings by itself, or lets the checks of `games.live` find it seconds later.
"""

from functools import partial
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from accounts.models import Block, User
from games import effects
from games.models import Holder, Invite, Table


def connected() -> None:
    """Begin to ring."""
    for signal in (post_save, post_delete):
        signal.connect(_seat, sender=Holder, dispatch_uid="rings")
        signal.connect(_block, sender=Block, dispatch_uid="rings")
    post_save.connect(_table, sender=Table, dispatch_uid="rings")
    post_save.connect(_invite, sender=Invite, dispatch_uid="rings")
    post_save.connect(_person, sender=User, dispatch_uid="rings")
    post_delete.connect(_session, sender=Session, dispatch_uid="rings")


def people_rung(*people: int | None) -> None:
    """Ring for these people, those that there are, once this transaction is committed."""
    for each in people:
        if each is not None:
            transaction.on_commit(partial(effects.person_changed, each))


def _seat(instance: Holder, **_: Any) -> None:
    people_rung(instance.user_id)
    transaction.on_commit(partial(effects.table_changed, instance.table_id))


def _block(instance: Block, **_: Any) -> None:
    people_rung(instance.other_id)


def _table(instance: Table, **_: Any) -> None:
    # One that is played at, or was, has a game that rings.
    if instance.status in (Table.Status.OPEN, Table.Status.CLOSED):
        transaction.on_commit(partial(effects.table_changed, instance.pk))


def _invite(instance: Invite, **_: Any) -> None:
    if instance.email:
        # Whose the address is, it is asked where somebody may wait for it.
        transaction.on_commit(partial(effects.invite_changed, instance.pk))


def _person(instance: User, *, created: bool, update_fields: Any = None, **_: Any) -> None:
    if not created and set(update_fields or ()) != {"last_login"}:
        people_rung(instance.pk)


def _session(instance: Session, **_: Any) -> None:
    if instance.expire_date > timezone.now():
        found = str(instance.get_decoded().get(SESSION_KEY, ""))
        people_rung(int(found) if found.isascii() and found.isdigit() else None)
