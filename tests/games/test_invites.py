"""Invitations as the services make, find, send and end them."""

import re
from datetime import timedelta

import pytest
from django.test import override_settings

from accounts.models import User
from games.models import Invite, Notice
from games.selectors.access import invite_to
from games.selectors.invitations import invitations
from games.selectors.invites import invited
from games.selectors.tokens import invite_found, token_hash, token_of
from games.services.declining import invite_declined
from games.services.errors import (
    AddressesUnfit,
    EmailNeeded,
    InviteDeclined,
    InviteGone,
    InviteLimit,
    NotHost,
    ResentTooSoon,
    TableStarted,
    TooManyAddresses,
)  # fmt: skip
from games.services.hosting import table_start
from games.services.invites import (
    LIFE,
    invite_resent,
    invite_revoked,
    invite_shared,
    invites_sent,
)  # fmt: skip
from games.services.seats import seat_left
from tests.games.invitees import accept, asked, host, mails_sent, nani, refused, shared, waiting
from tests.games.stored import NOW, everything, person

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

LATER = NOW + timedelta(minutes=11)


def test_a_token_has_128_bits_and_only_its_hash_is_stored() -> None:
    invite = asked(waiting(host()))
    token = token_of(invite)
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", token)
    assert invite.token_hash == token_hash(token)
    assert invite_found(token) == invite
    for rows in everything().values():
        assert not any(token in str(row) for row in rows)
    assert len({token_of(asked(invite.table, f"p{number}@example.org")) for number in range(20)}) == 20


@pytest.mark.parametrize("token", ["", "x", "a" * 22, "a" * 23, "é" * 22, "\0" * 22, "../../etc/passwd......"])
def test_other_tokens_find_nothing(token: str) -> None:
    asked(waiting(host()))
    assert invite_found(token) is None


def test_a_new_key_of_the_site_ends_no_link_but_shows_none() -> None:
    table = waiting(owner := host())
    invite = shared(table)
    token = token_of(invite)
    with override_settings(SECRET_KEY="another" * 8):
        assert invite_found(token) == invite
        assert token_of(invite) == ""
        found = invitations(table=table, viewer=owner, now=NOW)
        assert found is not None
        assert found.link is None
    with override_settings(SECRET_KEY="another" * 8, SECRET_KEY_FALLBACKS=["only-for-tests-" + "x" * 40]):
        assert token_of(invite) == token


def test_many_addresses_are_invited_at_once_in_lower_case() -> None:
    table = waiting(owner := host())
    text = 'Nani <NANI@Example.org>, bilal@example.org;\n"Chandni K." <c@example.org> d@example.org\te@example.org'
    sent = invites_sent(table_id=table.pk, sender=owner, addresses=text, now=NOW)
    assert sent.invited == [f"{each}@example.org" for each in ("nani", "bilal", "c", "d", "e")]
    assert sent.known == []
    assert dict(Invite.objects.values_list("email", "name")) == {
        "nani@example.org": "Nani", "bilal@example.org": "", "c@example.org": "Chandni K.",
        "d@example.org": "", "e@example.org": "",
    }  # fmt: skip
    again = invites_sent(table_id=table.pk, sender=owner, addresses="nani@EXAMPLE.org f@example.org", now=NOW)
    assert (again.invited, again.known) == (["f@example.org"], ["nani@example.org"])
    assert len(mails_sent()) == 6


@pytest.mark.parametrize(
    "text",
    ["", "  \n ", "nani", "nani@", "a@b", "nani@example.org, x", "a\0@example.org", "\ud800@example.org",
     "\u017f@example.org", '"a b"@example.org', "a" * 300 + "@example.org", "<>", "Nani <>",
     "a@example.org <b@example.org"],
)  # fmt: skip
def test_what_is_no_address_stops_all(text: str) -> None:
    table = waiting(owner := host())
    before = everything()
    with pytest.raises(AddressesUnfit):
        invites_sent(table_id=table.pk, sender=owner, addresses=text, now=NOW)
    assert everything() == before


def test_fifty_at_a_time_and_two_hundred_a_day() -> None:
    table = waiting(owner := host())

    def send(first: int, count: int, hours: int = 0) -> None:
        text = " ".join(f"p{number}@example.org" for number in range(first, first + count))
        invites_sent(table_id=table.pk, sender=owner, addresses=text, now=NOW + timedelta(hours=hours))

    with pytest.raises(TooManyAddresses):
        send(0, 51)
    for each in range(4):
        send(each * 50, 50)
    before = everything()
    with pytest.raises(InviteLimit):
        send(200, 1)
    with pytest.raises(InviteLimit):
        invites_sent(table_id=waiting(owner).pk, sender=owner, addresses="one@example.org", now=NOW)
    assert len(everything()["Invite"]) == len(before["Invite"])
    send(200, 1, hours=25)


def test_a_young_account_may_mail_twenty() -> None:
    owner = host()
    owner.date_joined = NOW - timedelta(hours=1)
    owner.save()
    table = waiting(owner)
    text = " ".join(f"p{number}@example.org" for number in range(20))
    invites_sent(table_id=table.pk, sender=owner, addresses=text, now=NOW)
    with pytest.raises(InviteLimit):
        invites_sent(table_id=table.pk, sender=owner, addresses="p20@example.org", now=NOW)


def test_only_the_host_invites_and_only_before_the_start() -> None:
    table = waiting(owner := host(), bots=2)
    for act in (
        lambda: invites_sent(table_id=table.pk, sender=person("X"), addresses="a@example.org", now=NOW),
        lambda: invite_shared(table_id=table.pk, sender=person("X"), now=NOW),
    ):
        with pytest.raises(NotHost):
            act()
    invite = asked(table)
    with pytest.raises(NotHost):
        invite_revoked(invite_id=invite.pk, table_id=table.pk, host=person("X"), now=NOW)
    other = waiting(owner)
    with pytest.raises(InviteGone):
        invite_revoked(invite_id=invite.pk, table_id=other.pk, host=owner, now=NOW)
    table_start(table_id=table.pk, host=owner, short="bots", now=NOW)
    with pytest.raises(TableStarted):
        invites_sent(table_id=table.pk, sender=owner, addresses="a@example.org", now=NOW)


def test_a_guest_who_became_host_mails_nobody() -> None:
    table = waiting(owner := host())
    guest = User.objects.create_guest("Bilal")
    accept(shared(table), guest)
    seat_left(table_id=table.pk, user=owner, now=NOW)
    with pytest.raises(EmailNeeded):
        invites_sent(table_id=table.pk, sender=guest, addresses="a@example.org", now=NOW)
    assert invite_shared(table_id=table.pk, sender=guest, now=NOW).email == ""


def test_the_host_sees_addresses_and_what_became_of_each_and_no_token() -> None:
    table = waiting(owner := host(), seats=8)
    for each in ("sent", "joined", "declined", "revoked", "expired"):
        asked(table, f"{each}@example.org", now=NOW - LIFE if each == "expired" else NOW)
    invites = {each.email.partition("@")[0]: each for each in Invite.objects.all()}
    accept(invites["joined"], nani())
    invite_declined(invite_id=invites["declined"].pk, now=NOW)
    invite_revoked(invite_id=invites["revoked"].pk, table_id=table.pk, host=owner, now=NOW)
    found = invitations(table=table, viewer=owner, now=NOW)
    assert found is not None
    assert {each.email.partition("@")[0]: str(each.state) for each in found.invited} == {each: each for each in invites}
    assert [each.sitter for each in found.invited if each.sitter] == ["Nani"]
    text = repr(found)
    assert not any(token_of(each) in text for each in invites.values())
    assert invitations(table=table, viewer=nani("other@example.org"), now=NOW) is None


def test_sending_again_takes_its_time_and_ends_at_five() -> None:
    table = waiting(owner := host())
    invite = asked(table)

    def again(now: object) -> Invite:
        return invite_resent(invite_id=invite.pk, table_id=table.pk, sender=owner, now=now)  # type: ignore[arg-type]

    with pytest.raises(ResentTooSoon):
        again(NOW + timedelta(minutes=9))
    first = token_of(invite)
    for count in range(1, 5):
        renewed = again(NOW + count * timedelta(hours=30))
        assert (renewed.pk, token_of(renewed)) == (invite.pk, first)
        assert renewed.expires == NOW + count * timedelta(hours=30) + LIFE
    with pytest.raises(ResentTooSoon):
        again(NOW + timedelta(days=9))
    assert len(mails_sent(NOW + timedelta(days=9))) == 5


def test_sending_again_what_was_ended_is_a_new_invitation() -> None:
    table = waiting(owner := host())
    invite = asked(table)
    invite_declined(invite_id=invite.pk, now=NOW)
    new = invite_resent(invite_id=invite.pk, table_id=table.pk, sender=owner, now=LATER)
    assert new.pk != invite.pk
    assert token_of(new) != token_of(invite)
    refused(InviteDeclined, invite, nani())
    found = invitations(table=table, viewer=owner, now=LATER)
    assert found is not None
    assert [each.id for each in found.invited] == [new.pk]


def test_people_find_what_they_are_invited_to_at_their_own_addresses_only() -> None:
    table = waiting(host())
    asked(table)
    user, other = nani(), nani("other@example.org")
    assert [(each.code, each.free, each.seats) for each in invited(viewer=user, now=NOW)] == [(table.code, 3, 4)]
    assert invited(viewer=other, now=NOW) == []
    unproved = User.objects.create_user("zoya@example.org", name="Zoya")
    asked(table, "zoya@example.org")
    assert invited(viewer=unproved, now=NOW) == []
    invite = invite_to(table=table, user=user, now=NOW)
    assert invite is not None
    accept(invite, user)
    assert invited(viewer=user, now=NOW) == []


def test_inviting_writes_the_same_rows_whoever_has_an_account() -> None:
    nani()
    table = waiting(owner := host())
    invites_sent(table_id=table.pk, sender=owner, addresses="nani@example.org nobody@example.org", now=NOW)
    rows = [
        {name: value for name, value in row.items() if name not in ("id", "email", "nonce", "token_hash")}
        for row in Invite.objects.values()
    ]
    assert rows[0] == rows[1]
    notices = [{**row, "id": 0, "key": "", "email": "", "invite_id": 0} for row in Notice.objects.values()]
    assert notices[0] == notices[1]
