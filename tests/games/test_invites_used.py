"""Sitting down by an invitation, and every reason why nobody can."""

from datetime import timedelta

import pytest

from accounts.models import Block
from games.models import Holder, Invite, Table
from games.services.declining import invite_declined
from games.services.errors import (
    InviteDeclined,
    InviteExpired,
    InviteGone,
    InviteRevoked,
    InviteUsed,
    ServiceError,
    TableClosed,
    TableFull,
    TableStarted,
)  # fmt: skip
from games.services.hosting import table_closed, table_start
from games.services.invites import (
    LIFE,
    invite_revoked,
    invite_shared,
)  # fmt: skip
from games.services.seats import seat_left, seat_removed
from tests.games.invitees import accept, asked, host, nani, refused, shared, waiting
from tests.games.stored import NOW, person

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=11)


def test_two_invitations_to_one_address_both_work_whatever_its_case() -> None:
    owner, user = host(), nani()
    one, two = (asked(waiting(owner), "Nani@EXAMPLE.ORG") for _ in range(2))
    assert accept(one, user).table == one.table
    assert accept(two, user).table == two.table
    assert Holder.objects.filter(user=user, until=None).count() == 2
    assert set(Invite.objects.exclude(accepted=None)) == {one, two}


def test_whoever_sits_there_already_stays() -> None:
    table = waiting(host())
    invite, user = asked(table), nani()
    first = accept(invite, user)
    assert accept(invite, user, name="Other").holder == first.holder
    assert accept(shared(table), user).holder == first.holder
    assert Holder.objects.filter(user=user).count() == 1


def test_a_personal_invitation_used_with_another_address_is_used() -> None:
    table = waiting(host())
    invite = asked(table)
    accept(invite, person("Bilal"))
    refused(InviteUsed, invite, nani())
    assert Invite.objects.get(pk=invite.pk).uses == 1


def test_a_link_is_for_so_many_people() -> None:
    table = waiting(host(), seats=8)
    invite = shared(table, uses=2)
    users = [person(name) for name in ("Bilal", "Chandni", "Dilip")]
    accept(invite, users[0])
    accept(invite, users[1])
    refused(InviteUsed, invite, users[2])
    seat_left(table_id=table.pk, user=users[0], now=NOW)
    accept(invite, users[2])
    refused(InviteUsed, invite, users[0])


def test_invitations_end() -> None:
    table, owner = waiting(own := host(), seats=8), own
    user = nani()
    expired = asked(table, "a@example.org")
    refused(InviteExpired, expired, user, now=NOW + LIFE)
    revoked = asked(table, "b@example.org")
    invite_revoked(invite_id=revoked.pk, table_id=table.pk, host=owner, now=NOW)
    refused(InviteRevoked, revoked, user)
    declined = asked(table, "c@example.org")
    invite_declined(invite_id=declined.pk, now=NOW)
    refused(InviteDeclined, declined, user)
    old = shared(table)
    invite_shared(table_id=table.pk, sender=owner, now=NOW)
    refused(InviteRevoked, old, user)
    with pytest.raises(InviteGone):
        invite_declined(invite_id=old.pk, now=NOW)
    with pytest.raises(InviteGone):
        accept(Invite(pk=10**6), user)


def test_tables_end() -> None:
    owner, user = host(), nani()
    full = asked(waiting(owner, bots=3, starts="host"))
    refused(TableFull, full, user)
    table_start(table_id=full.table_id, host=owner, now=NOW)
    refused(TableStarted, full, user)
    closed = asked(waiting(owner))
    table_closed(table_id=closed.table_id, host=owner, now=NOW)
    refused(TableClosed, closed, user)


@pytest.mark.parametrize("way", ["host blocks", "guest blocks"])
def test_who_keeps_apart_is_told_that_the_table_is_full(way: str) -> None:
    owner, user = host(), nani()
    Block.objects.create(owner=owner if way == "host blocks" else user, other=user if way == "host blocks" else owner)
    table = waiting(owner)
    refused(TableFull, asked(table), user)
    refused(TableFull, shared(table), user)


def test_whom_the_host_removed_needs_a_new_invitation() -> None:
    table = waiting(owner := host())
    user, invite, link = nani(), asked(table), shared(table)
    seat = accept(invite, user).holder.seat.number
    seat_removed(table_id=table.pk, host=owner, seat=seat, now=NOW)
    refused(InviteRevoked, invite, user)
    with pytest.raises(ServiceError, match="took you"):
        accept(link, user)
    new = asked(table, now=LATER)
    assert accept(new, user, now=LATER).holder.user == user


def test_the_last_seat_starts_the_table() -> None:
    table = waiting(host(), bots=2)
    found = accept(asked(table), nani())
    assert found.game is not None
    assert Table.objects.get(pk=table.pk).status == Table.Status.RUNNING
    assert found.holder.name == "Nani"


def test_a_link_makes_a_table_one_for_those_who_have_it() -> None:
    table = waiting(owner := host())
    assert table.joins == Table.Joins.INVITED
    link = shared(table)
    assert Table.objects.get(pk=table.pk).joins == Table.Joins.LINK
    invite_revoked(invite_id=link.pk, table_id=table.pk, host=owner, now=NOW)
    assert Table.objects.get(pk=table.pk).joins == Table.Joins.INVITED
