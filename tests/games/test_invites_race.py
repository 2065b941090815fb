"""Invitations that many use at once: never one use too many, never two in a seat."""

from collections import Counter

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game, Holder, Invite, Table
from games.services.errors import InviteUsed, ServiceError, TableFull, TableStarted
from games.services.invites import Accepted, invite_accepted, invite_revoked, invites_sent
from tests.games.invitees import asked, host, path_of, shared, waiting
from tests.games.stored import NOW, in_threads, people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def kinds(results: list[object]) -> Counter[str]:
    odd = [each for each in results if not isinstance(each, Accepted | ServiceError)]
    assert not odd, odd
    return Counter(type(each).__name__ for each in results)


def whole(table: Table) -> None:
    """That no seat is held twice, and nobody holds two."""
    open_ones = list(Holder.objects.filter(table=table, until=None).values_list("seat", "user"))
    assert len({seat for seat, _ in open_ones}) == len(open_ones)
    users = [user for _, user in open_ones if user]
    assert len(set(users)) == len(users)


def test_twenty_people_on_a_link_for_three() -> None:
    table = waiting(host(), seats=8, starts="host")
    link, users = shared(table, uses=3), people(20)
    results = in_threads(20, lambda number: invite_accepted(invite_id=link.pk, user=users[number], now=NOW))
    assert kinds(results) == {"Accepted": 3, "InviteUsed": 17}
    assert Holder.objects.filter(invite=link).count() == 3
    whole(table)


def test_twenty_people_on_the_last_seat() -> None:
    table = waiting(host(), bots=2)
    link, users = shared(table), people(20)
    results = in_threads(20, lambda number: invite_accepted(invite_id=link.pk, user=users[number], now=NOW))
    found = kinds(results)
    assert found["Accepted"] == 1
    assert all(isinstance(each, Accepted | TableFull | TableStarted | InviteUsed) for each in results)
    assert Game.objects.filter(table=table).count() == 1
    whole(table)


def test_one_personal_invitation_by_ten_people() -> None:
    table = waiting(host(), seats=8)
    invite, users = asked(table), people(10)
    results = in_threads(10, lambda number: invite_accepted(invite_id=invite.pk, user=users[number], now=NOW))
    assert kinds(results) == {"Accepted": 1, "InviteUsed": 9}
    whole(table)


def test_one_person_by_two_invitations_at_once() -> None:
    table = waiting(host(), seats=8)
    ways = [asked(table), shared(table)]
    user = User.objects.create_user("nani@example.org", name="Nani", verified=True)
    results = in_threads(10, lambda number: invite_accepted(invite_id=ways[number % 2].pk, user=user, now=NOW))
    assert kinds(results) == {"Accepted": 10}
    assert Holder.objects.filter(table=table, user=user).count() == 1


def test_taking_back_against_sitting_down() -> None:
    table = waiting(owner := host(), seats=8)
    # One seat stays free: a table that is full starts, whoever is quicker.
    link, users = shared(table), people(7)

    def act(number: int) -> object:
        if number == 0:
            invite_revoked(invite_id=link.pk, table_id=table.pk, host=owner, now=NOW)
            return None
        return invite_accepted(invite_id=link.pk, user=users[number], now=NOW)

    results = in_threads(7, act)
    assert not [each for each in results if each is not None and not isinstance(each, Accepted | ServiceError)]
    sat = sum(isinstance(each, Accepted) for each in results)
    assert Holder.objects.filter(invite=link).count() == sat
    assert Invite.objects.get(pk=link.pk).revoked is not None


def test_the_same_addresses_pasted_ten_times_at_once() -> None:
    table = waiting(owner := host(), seats=8)
    text = "a@example.org b@example.org"
    results = in_threads(10, lambda _: invites_sent(table_id=table.pk, sender=owner, addresses=text, now=NOW))
    assert sorted(len(each.invited) for each in results) == [0] * 9 + [2]  # type: ignore[attr-defined]
    assert Invite.objects.count() == 2


def test_a_guests_form_sent_ten_times_at_once_seats_one() -> None:
    link = shared(waiting(host(), seats=8), now=timezone.now())
    form = {"way": "guest", "name": "Bilal", "key": "once-and-only-once"}
    answers = in_threads(10, lambda _: Client().post(path_of(link), form)["Location"])
    assert Holder.objects.filter(invite=link).count() == 1
    assert User.objects.filter(email=None).count() == 1
    assert set(answers) == {f"/tables/{link.table.code}/"}
