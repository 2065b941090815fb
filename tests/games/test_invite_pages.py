"""The page of an invitation: looking changes nothing, and everybody who may sit down does so in few steps."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.core import mail
from django.http import HttpRequest
from django.test import Client

from accounts.models import User
from games.models import Holder, Invite, Table
from games.selectors.options import OPTION_WORDS
from games.services.invites import invite_accepted
from tests.games.invitees import asked, host, mails_sent, path_of, shared, signed_in, waiting
from tests.games.pages import Page
from tests.games.stored import NOW, everything, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("then")]

CODE = re.compile(r"\b\d{4}-\d{4}\b")


def nani(email: str = "nani@example.org", **fields: Any) -> User:
    return User.objects.create_user(email, name="Nani", verified=True, **fields)


def who(client: Client) -> User | None:
    request = HttpRequest()
    request.session = client.session
    user = get_user(request)
    return user if isinstance(user, User) else None


def join(client: Client, invite: Invite, way: str, **fields: object) -> Any:
    return client.post(path_of(invite), {"way": way, "name": "Nani", **fields})


def code_entered(client: Client, answer: Any) -> Any:
    """The answer after the code of the newest mail was typed into the page that asks for it."""
    assert answer.status_code == 303
    found = CODE.search(str(mail.outbox[-1].body))
    assert found is not None
    return client.post(answer["Location"], {"code": found[0]})


def sits(user: User | None, invite: Invite, answer: Any) -> None:
    """That a person sits there, and was led to the table."""
    assert answer.status_code == 303
    assert Holder.objects.filter(table=invite.table, user=user, until=None, invite=invite).exists()
    assert answer["Location"].startswith(("/tables/", "/games/"))


def test_looking_changes_nothing() -> None:
    table = waiting(host(), bots=1)
    for invite in (asked(table), shared(table)):
        (before, sessions) = everything(), Client().session.keys()
        for _ in range(3):
            answer = Client(headers={"user-agent": "Scanner/1.0"}).get(path_of(invite))
            assert answer.status_code == 200
            assert "sessionid" not in answer.cookies
        assert Client().head(path_of(invite)).status_code == 200
        assert everything() == before
        assert not sessions


def test_the_page_says_who_sits_there_and_how_it_is_played() -> None:
    table = waiting(host(), bots=1, deals=3)
    html = Client().get(path_of(asked(table))).content.decode()
    page = Page(html)
    assert page.one("h1").text == "Our table"
    facts = [each.text for each in page.elements if each.tag == "dd" and not each.within(id="rules")]
    assert facts[0].startswith("Asha (host), ")
    assert facts[1] == "2 of 4 free"
    assert facts[2].startswith("Getaway (Punjab). ")
    assert re.fullmatch(r"3 deals, about \d+ cards to play: about .+ at once, about .+\.", facts[3])
    assert facts[4].startswith("No hurry")
    assert len([each for each in page.elements if each.tag == "dt" and each.within(id="rules")]) == len(OPTION_WORDS)
    assert '<meta name="robots" content="noindex">' in html
    assert '<meta property="og:title" content="&#x2068;Our table&#x2069;">' in html
    assert '<meta property="og:description" content="2 of 4 seats free, Getaway (Punjab)">' in html
    assert "nani@example.org" not in html
    assert "n…@e….org" in html
    assert "asha@example.org" not in html


def test_a_new_person_with_the_address_needs_no_second_mail() -> None:
    invite, client = asked(waiting(host()), "Nani@Example.org"), Client()
    mails_sent()
    count = len(mail.outbox)
    answer = join(client, invite, "email", zone="Asia/Karachi")
    user = who(client)
    sits(user, invite, answer)
    assert user is not None
    assert (user.email, user.name, user.zone) == ("nani@example.org", "Nani", "Asia/Karachi")
    assert EmailAddress.objects.get(user=user).verified
    assert len(mail.outbox) == count
    assert client.get(answer["Location"]).status_code == 200


def test_the_same_address_typed_in_another_case_needs_none_either() -> None:
    invite, client = asked(waiting(host())), Client()
    answer = join(client, invite, "email", email="NANI@example.ORG")
    sits(who(client), invite, answer)


@pytest.mark.parametrize("known", [True, False])
def test_another_address_is_proved_by_a_code(known: bool) -> None:
    user = nani("other@example.org") if known else None
    invite, client = asked(waiting(host())), Client()
    answer = join(client, invite, "email", email="other@example.org")
    assert who(client) is None
    assert not Holder.objects.filter(table=invite.table, user__email="other@example.org").exists()
    assert [each.to for each in mail.outbox] == [["other@example.org"]]
    answer = code_entered(client, answer)
    found = who(client)
    assert found is not None
    assert found.email == "other@example.org"
    assert user is None or found == user
    sits(found, invite, answer)
    assert list(EmailAddress.objects.filter(user=found).values_list("email", flat=True)) == ["other@example.org"]


def test_who_comes_too_late_after_the_code_reads_why_once() -> None:
    table = waiting(host(), bots=2, starts="host")
    invite, client = asked(table), Client()
    answer = join(client, invite, "email", email="other@example.org")
    invite_accepted(invite_id=shared(table).pk, user=person("Bilal"), now=NOW)
    answer = code_entered(client, answer)
    assert (answer.status_code, answer["Location"]) == (303, path_of(invite))
    page = client.get(path_of(invite))
    assert page.status_code == 409
    assert page.content.decode().count("All seats at this table are taken.") == 2  # the sentence, and what a chat shows
    assert who(client) is not None
    assert "All seats" not in client.get("/").content.decode()


def test_an_invitation_signs_nobody_in_to_an_account_that_exists() -> None:
    user = nani()
    invite, client = asked(waiting(host())), Client()
    answer = join(client, invite, "email")
    assert who(client) is None
    assert len(mail.outbox) == 1
    answer = code_entered(client, answer)
    assert who(client) == user
    sits(user, invite, answer)


def test_a_shared_link_proves_no_address() -> None:
    invite, client = shared(waiting(host())), Client()
    assert join(client, invite, "email").status_code == 422
    answer = join(client, invite, "email", email="nani@example.org")
    assert who(client) is None
    sits(who(client) or User.objects.get(email="nani@example.org"), invite, code_entered(client, answer))


@pytest.mark.parametrize("way", ["personal", "shared"])
def test_a_guest_needs_a_name_only(way: str) -> None:
    table = waiting(host())
    invite, client = (asked(table) if way == "personal" else shared(table)), Client()
    answer = join(client, invite, "guest", name="Bilal")
    user = who(client)
    assert user is not None
    assert user.guest
    sits(user, invite, answer)
    assert mail.outbox == []
    told = Page(client.get(answer["Location"]).content.decode()).one("p", id="guest")
    assert told.text.startswith("Only this browser holds your seat.")


def test_a_form_that_is_sent_twice_seats_one_guest() -> None:
    invite = shared(waiting(host(), seats=8))
    key = Page(Client().get(path_of(invite)).content.decode()).one("input", name="key").attrs["value"]
    first, second = Client(), Client()
    for client in (first, second):
        answer = join(client, invite, "guest", name="Bilal", key=key)
        assert answer["Location"] == f"/tables/{invite.table.code}/"
    assert who(first) == who(second)
    assert Holder.objects.filter(invite=invite).count() == 1
    assert join(Client(), invite, "guest", name="Bilal", key="another").status_code == 422
    with time_machine.travel(NOW + timedelta(minutes=2)):
        assert join(Client(), invite, "guest", name="Bilal", key=key).status_code == 422
        late = join(third := Client(), invite, "guest", name="Zoya", key=key)
        sits(who(third), invite, late)


def test_known_people_sit_down_at_once() -> None:
    invite, user = asked(waiting(host())), nani()
    client = signed_in(user)
    assert "other" not in {each.attrs.get("id") for each in Page(client.get(path_of(invite)).content.decode()).elements}
    sits(user, invite, join(client, invite, "me"))
    again = client.get(path_of(invite))
    assert (again.status_code, again["Location"]) == (303, f"/tables/{invite.table.code}/")


def test_whoever_is_signed_in_as_somebody_else_is_offered_both_ways() -> None:
    invite, bilal = asked(waiting(host())), person("Bilal")
    nani()
    client = signed_in(bilal)
    page = Page(client.get(path_of(invite)).content.decode())
    said = page.one("p", id="other").text
    assert "n…@e….org" in said
    assert "Bilal" in said
    assert str(bilal.email) in said
    assert page.one("button", name="way").text == "Take a seat as Bilal"
    leave = page.one("form", id="switch")
    assert leave.attrs["action"] == "/accounts/signout/"
    out = client.post("/accounts/signout/", {"next": path_of(invite)})
    assert (out.status_code, out["Location"]) == (303, path_of(invite))
    assert who(client) is None
    assert client.get(path_of(invite)).status_code == 200
    sits(bilal, invite, join(signed_in(bilal), invite, "me", name="Bilal"))


def test_people_who_sign_in_first_sit_down_at_once() -> None:
    invite, client, user = shared(waiting(host())), Client(), nani()
    answer = join(client, invite, "me", name="")
    assert (answer.status_code, answer["Location"]) == (303, f"/accounts/signin/?next={path_of(invite)}")
    answer = client.post(answer["Location"], {"login": user.email})
    answer = code_entered(client, answer)
    sits(user, invite, answer)
    assert Holder.objects.get(user=user).name == "Nani"


def test_whoever_signs_in_long_after_sits_down_nowhere() -> None:
    invite, client, user = shared(waiting(host())), Client(), nani()
    join(client, invite, "me")
    with time_machine.travel(NOW + timedelta(minutes=16)):
        code_entered(client, client.post("/accounts/signin/", {"login": user.email}))
        assert who(client) == user
    assert not Holder.objects.filter(user=user).exists()


def test_another_person_who_signs_in_sits_down_nowhere() -> None:
    user = nani()
    invite, client = asked(waiting(host())), Client()
    join(client, invite, "email", email="first@example.org")
    answer = client.post("/accounts/signin/", {"login": user.email})
    code_entered(client, answer)
    assert who(client) == user
    assert not Holder.objects.filter(table=invite.table, user=user).exists()


def test_a_name_that_is_taken_is_told_before_anybody_is_made() -> None:
    invite, client = shared(waiting(host())), Client()
    before = everything()
    answer = join(client, invite, "guest", name="ASHA")
    assert answer.status_code == 422
    assert "try “ASHA 2”" in answer.content.decode()
    assert everything() == before
    sits(nani(), invite, join(signed_in(User.objects.get(name="Nani")), invite, "me"))


def test_who_wants_a_certain_seat_gets_it() -> None:
    invite, client = shared(waiting(host())), Client()
    join(client, invite, "guest", seat="2")
    assert Holder.objects.select_related("seat").get(invite=invite).seat.number == 2
    answer = join(Client(), invite, "guest", seat="2", name="Late")
    assert answer["Location"] == path_of(invite)


def test_the_last_seat_leads_to_the_cards() -> None:
    invite, client = asked(waiting(host(), bots=2)), Client()
    answer = join(client, invite, "email")
    assert answer["Location"].startswith("/games/")
    assert client.get(answer["Location"]).status_code == 200


def test_a_lobby_table_is_offered_instead() -> None:
    owner = host()
    like = waiting(person("Chandni"), joins="lobby")
    waiting(person("Dilip"), joins="invited")
    waiting(person("Esha"), joins="lobby", bots=3, starts="host")
    full = asked(waiting(owner, bots=3, starts="host"))
    page = Page(Client().get(path_of(full)).content.decode())
    assert [each.attrs["href"] for each in page.elements if each.tag == "a" and each.within(id="similar")] == [
        f"/tables/{like.code}/"
    ]
    assert page.one("a", id="like").attrs["href"] == f"/new/?like={full.table.code}"
    assert Table.objects.count() == 4
