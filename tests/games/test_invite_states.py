"""Every reason why an invitation lets nobody sit down: its status, its sentence, and a way on."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Block, User
from games.models import Holder, Invite, Table
from games.services.declining import invite_declined
from games.services.hosting import host_handed, table_closed, table_start
from games.services.invites import invite_accepted, invite_revoked
from games.services.seats import seat_left
from tests.games.invitees import asked, host, path_of, shared, signed_in, waiting
from tests.games.pages import Page
from tests.games.stored import NOW, everything, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("then")]


def _owner(invite: Invite) -> User:
    assert invite.table.host is not None
    return invite.table.host


def _filled(invite: Invite) -> None:
    link = shared(invite.table)
    for name in ("Bilal", "Chandni", "Dilip"):
        invite_accepted(invite_id=link.pk, user=person(name), now=NOW)


def _over(invite: Invite) -> None:
    table_start(table_id=invite.table_id, host=_owner(invite), short="bots", now=NOW)
    Table.objects.filter(pk=invite.table_id).update(status="over")


DONE: dict[str, tuple[int, str, Callable[[Invite], object]]] = {
    "expired": (410, "run out", lambda invite: Invite.objects.update(created=NOW - timedelta(15), expires=NOW)),
    "revoked": (
        410,
        "taken back",
        lambda invite: invite_revoked(invite_id=invite.pk, table_id=invite.table_id, host=_owner(invite), now=NOW),
    ),
    "declined": (410, "declined", lambda invite: invite_declined(invite_id=invite.pk, now=NOW)),
    "used": (409, "used already", lambda invite: invite_accepted(invite_id=invite.pk, user=person("B"), now=NOW)),
    "full": (409, "All seats", _filled),
    "started": (
        409,
        "dealt",
        lambda invite: table_start(table_id=invite.table_id, host=_owner(invite), short="bots", now=NOW),
    ),
    "over": (409, "over", _over),
    "closed": (409, "closed", lambda invite: table_closed(table_id=invite.table_id, host=_owner(invite), now=NOW)),
    "host gone": (409, "closed", lambda invite: seat_left(table_id=invite.table_id, user=_owner(invite), now=NOW)),
}


@pytest.mark.parametrize(("status", "words", "act"), DONE.values(), ids=DONE)
def test_it_is_said_in_a_sentence_with_a_way_on(status: int, words: str, act: Callable[[Invite], object]) -> None:
    table = waiting(host(), starts="host")
    like = waiting(person("Zoya"), joins="lobby")
    invite = asked(table)
    act(invite)
    before = everything()
    anybody, known = Client(), signed_in(User.objects.create_user("nani@example.org", name="Nani", verified=True))
    for client, ways in ((anybody, ("email", "guest")), (known, ("me",))):
        answers = [client.get(path_of(invite))]
        answers += [client.post(path_of(invite), {"way": way, "name": "Nani"}) for way in ways]
        for answer in answers:
            assert answer.status_code == status
            page = Page(answer.content.decode())
            assert words in page.one("p", id="fault").text
            assert not page.all("form", id="invite")
            assert [each.attrs["href"] for each in page.elements if each.within(id="similar") and each.tag == "a"] == [
                f"/tables/{like.code}/"
            ]
    assert {**everything(), "User": 0} == {**before, "User": 0}


def test_an_unknown_token_is_404() -> None:
    for token in ("x", "a" * 22, "%00", "a" * 5000):
        assert Client().get(f"/i/{token}/").status_code == 404
        assert Client().post(f"/i/{token}/", {"way": "guest", "name": "Nani"}).status_code == 404


def test_who_is_blocked_reads_what_everybody_reads_at_a_full_table() -> None:
    owner, user = host(), person("Bilal")
    full, open_one = waiting(owner, bots=3, starts="host"), waiting(owner)
    paths = [path_of(asked(table)) for table in (full, open_one)]
    Block.objects.create(owner=owner, other=user)
    client = signed_in(user)
    pages = [client.get(path) for path in paths]
    assert [each.status_code for each in pages] == [409, 409]
    own = "|".join([*paths, full.code, open_one.code, r'value="[A-Za-z0-9]{64}"'])
    one, two = (re.sub(own, "", each.content.decode()) for each in pages)
    assert one == two
    posted = client.post(paths[1], {"way": "me", "name": "Bilal"})
    assert posted.status_code == 409
    assert not Holder.objects.filter(user=user).exists()


def test_a_table_that_was_handed_over_says_who_is_host_now() -> None:
    owner = host()
    table = waiting(owner)
    invite = asked(table)
    bilal = person("Bilal")
    invite_accepted(invite_id=shared(table).pk, user=bilal, now=NOW)
    host_handed(table_id=table.pk, host=owner, seat=1, now=NOW)
    lead = Page(Client().get(path_of(invite)).content.decode()).one("p", css="lead").text
    assert lead == "Asha invites you; Bilal is the host now."
    Invite.objects.update(sender=None)
    lead = Page(Client().get(path_of(invite)).content.decode()).one("p", css="lead").text
    assert lead == "Bilal invites you to play."


def test_of_a_deleted_host_the_invitation_still_works() -> None:
    owner = host()
    table = waiting(owner)
    invite = asked(table)
    bilal = person("Bilal")
    invite_accepted(invite_id=shared(table).pk, user=bilal, now=NOW)
    seat_left(table_id=table.pk, user=owner, now=NOW)
    owner.delete()
    client = Client()
    assert client.get(path_of(invite)).status_code == 200
    assert client.post(path_of(invite), {"way": "email", "name": "Nani"}).status_code == 303
    assert Holder.objects.filter(table=table, user__email="nani@example.org").exists()
