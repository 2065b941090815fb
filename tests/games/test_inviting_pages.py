"""The host's part: addresses pasted, what became of them, and the link in all its shapes."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from accounts.models import Block, User
from games.models import Invite, Notice, Table
from games.selectors.tokens import token_of
from games.services.again import table_again
from games.services.hosting import host_handed, table_start
from games.services.invites import RESEND_AFTER, invite_accepted
from tests.games.gathering import LATER, draft, sit
from tests.games.invitees import asked, host, path_of, shared, signed_in, waiting
from tests.games.pages import Page
from tests.games.stored import NOW, everything, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("then")]


def page_at(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200
    return Page(answer.content.decode())


def test_addresses_are_pasted_and_listed() -> None:
    table = waiting(owner := host())
    client, path = signed_in(owner), f"/tables/{table.code}/invites/"
    answer = client.post(path, {"addresses": "Nani <nani@example.org>\nbilal@example.org"})
    assert (answer.status_code, answer["Location"]) == (303, f"/tables/{table.code}/")
    page = page_at(client, path)
    assert "2 invitations are on their way." in page.html
    rows = [each for each in page.elements if "data-invite" in each.attrs]
    assert [each.attrs["data-state"] for each in rows] == ["sent", "sent"]
    assert "Nani" in rows[0].text
    again = client.post(path, {"addresses": "NANI@example.org"})
    assert again.status_code == 303
    assert "Invited already: nani@example.org." in client.get(path).content.decode()


def test_what_is_wrong_is_said_and_kept_to_be_mended() -> None:
    table = waiting(owner := host())
    client = signed_in(owner)
    before = everything()
    typed = "nani@example.org, bilal@, <script>alert(1)</script>"
    answer = client.post(f"/tables/{table.code}/invites/", {"addresses": typed})
    assert answer.status_code == 422
    page = Page(answer.content.decode())
    assert "bilal@" in page.one("p", id="invite-fault").text
    assert page.one("textarea", id="addresses").text == typed
    assert "<script>alert" not in page.html
    assert everything() == before


def test_no_token_of_a_personal_invitation_is_on_any_page_of_the_host() -> None:
    table = waiting(owner := host())
    invites = [asked(table, f"p{number}@example.org") for number in range(3)]
    client = signed_in(owner)
    for path in (f"/tables/{table.code}/", f"/tables/{table.code}/invites/", "/"):
        html = client.get(path).content.decode()
        assert not any(token_of(each) in html for each in invites)


def test_a_link_in_all_its_shapes() -> None:
    table = waiting(owner := host(), name="Eve & <b>Co</b>")
    client, act = signed_in(owner), f"/tables/{table.code}/invites/act/"
    assert client.post(act, {"link": "new", "uses": "3", "days": "2"}).status_code == 303
    link = Invite.objects.get(email="")
    assert (link.uses, (link.expires - link.created).days) == (3, 2)
    page = page_at(client, f"/tables/{table.code}/invites/")
    url = f"http://testserver{path_of(link)}"
    assert page.one("input", id="link").attrs["value"] == url
    share = page.one("button", id="share").attrs
    assert share["data-url"] == url
    assert "hidden" in share
    target = urlsplit(page.one("a", id="whatsapp").attrs["href"])
    assert (target.scheme, target.netloc) == ("https", "wa.me")
    assert parse_qs(target.query)["text"] == [f"{share['data-text']} {url}"]
    assert "Eve & <b>Co</b>" in share["data-text"]
    qr = page.one("div", id="qr")
    assert qr.attrs["role"] == "img"
    assert re.search(r"<svg[^>]*class=\"qr\"", page.html)
    assert "style=" not in page.html


@pytest.mark.parametrize("free", [0, 1, 3])
def test_a_link_is_proposed_for_as_many_as_may_sit_down(free: int) -> None:
    table = draft(owner := host(), free, bots=3 - free)
    client, path = signed_in(owner), f"/tables/{table.code}/invites/"
    assert page_at(client, path).one("input", id="uses").attrs["value"] == str(free or 1)
    client.post(f"{path}act/", {"link": "new"})
    assert Invite.objects.get(revoked=None).uses == (free or 1)


def test_a_new_link_ends_the_old_one_and_withdrawing_ends_it_too() -> None:
    table = waiting(owner := host())
    client, act = signed_in(owner), f"/tables/{table.code}/invites/act/"
    old = shared(table)
    client.post(act, {"link": "new"})
    assert Client().get(path_of(old)).status_code == 410
    new = Invite.objects.get(email="", revoked=None)
    assert Client().get(path_of(new)).status_code == 200
    client.post(act, {"revoke": str(new.pk)})
    assert Client().get(path_of(new)).status_code == 410
    page = page_at(client, f"/tables/{table.code}/invites/")
    assert not page.all("input", id="link")


def test_sending_again_and_taking_back() -> None:
    table = waiting(owner := host())
    invite = asked(table)
    client, act = signed_in(owner), f"/tables/{table.code}/invites/act/"
    assert client.post(act, {"resend": str(invite.pk)}).status_code == 429
    Notice.objects.all().delete()
    assert client.post(act, {"resend": str(invite.pk)}).status_code == 303
    assert client.post(act, {"revoke": str(invite.pk)}).status_code == 303
    assert Invite.objects.get(pk=invite.pk).revoked is not None
    for wrong in ({}, {"resend": "x"}, {"revoke": "9" * 30}, {"revoke": "\u0663"}):
        assert client.post(act, wrong).status_code == 422
    for wrong in ({"resend": "999999"}, {"revoke": "999999"}):
        assert client.post(act, wrong).status_code == 404


def test_nobody_but_the_host_learns_that_there_is_a_table() -> None:
    table = waiting(host())
    invite = asked(table)
    before = everything()
    for client in (signed_in(person("Bilal")), signed_in(User.objects.create_superuser("root@example.org", name="R"))):
        for code in (table.code, "nosuch", "a\0b"):
            assert client.get(f"/tables/{code}/invites/").status_code == 404
            assert client.post(f"/tables/{code}/invites/", {"addresses": "x@example.org"}).status_code == 404
            assert client.post(f"/tables/{code}/invites/act/", {"revoke": invite.pk}).status_code == 404
    assert Client().get(f"/tables/{table.code}/invites/").status_code == 302
    assert {**everything(), "User": 0, "EmailAddress": 0} == {**before, "User": 0, "EmailAddress": 0}


def test_a_started_table_says_so() -> None:
    table = waiting(owner := host(), bots=2)
    table_start(table_id=table.pk, host=owner, short="bots", now=NOW)
    client = signed_in(owner)
    assert client.get(f"/tables/{table.code}/invites/").status_code == 200
    assert client.post(f"/tables/{table.code}/invites/", {"addresses": "x@example.org"}).status_code == 409
    assert client.post(f"/tables/{table.code}/invites/act/", {"link": "new"}).status_code == 409


def test_a_host_sees_no_address_that_another_host_has_typed() -> None:
    table = waiting(owner := host())
    asked(table)
    bilal = person("Bilal")
    invite_accepted(invite_id=shared(table).pk, user=bilal, now=NOW)
    host_handed(table_id=table.pk, host=owner, seat=1, now=NOW)
    client = signed_in(bilal)
    client.post(f"/tables/{table.code}/invites/", {"addresses": "mine@example.org"})
    page = page_at(client, f"/tables/{table.code}/invites/")
    assert "nani@example.org" not in page.html
    assert "n…@e….org" in page.html
    assert "mine@example.org" in page.html


@pytest.mark.parametrize("ended", ["revoked", "declined"])
def test_nor_by_sending_it_again(ended: str) -> None:
    table = waiting(owner := host())
    invite = asked(table)
    bilal = person("Bilal")
    invite_accepted(invite_id=shared(table).pk, user=bilal, now=NOW)
    host_handed(table_id=table.pk, host=owner, seat=1, now=NOW)
    Invite.objects.filter(pk=invite.pk).update(**{ended: NOW})
    Notice.objects.update(created=NOW - RESEND_AFTER)
    client = signed_in(bilal)
    assert client.post(f"/tables/{table.code}/invites/act/", {"resend": str(invite.pk)}).status_code == 303
    assert Invite.objects.filter(email=invite.email).count() == 2
    page = page_at(client, f"/tables/{table.code}/invites/")
    assert "nani@example.org" not in page.html
    assert "n…@e….org" in page.html


def test_the_host_is_told_of_mail_that_does_not_get_through() -> None:
    table = waiting(owner := host())
    invite = asked(table)
    Notice.objects.filter(invite=invite).update(tries=6, gone=NOW)
    assert "did not get through" in page_at(signed_in(owner), f"/tables/{table.code}/invites/").html


def test_the_page_asks_as_little_of_many_as_of_few(django_assert_max_num_queries: Any) -> None:
    table = waiting(owner := host())
    client = signed_in(owner)
    asked(table, " ".join(f"p{number}@example.org" for number in range(50)))
    shared(table)
    with django_assert_max_num_queries(12):
        page_at(client, f"/tables/{table.code}/invites/")
    with django_assert_max_num_queries(12):
        page_at(Client(), path_of(Invite.objects.get(email="")))


def test_the_host_needs_no_invitation_to_their_own_table() -> None:
    table = waiting(owner := host())
    client = signed_in(owner)
    typed = {"addresses": f"bilal@example.org, {str(owner.email).upper()}"}
    page = Page(client.post(f"/tables/{table.code}/invites/", typed, follow=True).content.decode())
    said = next(each.text for each in page.all("p", css="note"))
    assert said == "1 invitation is on its way. You need no invitation yourself."
    assert [each.email for each in Invite.objects.all()] == ["bilal@example.org"]


def test_the_host_sees_who_was_asked_since_they_sat_there_last_time() -> None:
    owner, roza, bilal, amrit = host(), person("Roza"), person("Bilal"), person("Amrit")
    before = draft(owner, 4)
    for each in (roza, bilal, amrit, person("Gul")):
        sit(before, each)
    Table.objects.filter(pk=before.pk).update(status="over")
    Block.objects.create(owner=amrit, other=owner)
    table = table_again(code=before.code, host=owner, now=LATER)
    assert isinstance(table, Table)
    sit(table, bilal)
    told = page_at(signed_in(owner), f"/tables/{table.code}/").one("p", id="again-asked")
    assert "last time: Roza, Gul. " in told.text
