"""What is posted to an invitation: bad input, saying no, no more mail, and never without the token of a form."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import JOINING
from games.models import Holder, Invite
from tests.accounts.doors import carried_on
from tests.games.invitees import asked, host, links_in, mails_sent, path_of, shared, signed_in, waiting
from tests.games.stored import everything
from tests.hostile import HOSTILE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("then")]


@pytest.mark.parametrize("name", ["", " ", "\u202eNani", "a\0b", "x" * 10_000, "<script>", "=cmd()", "Nani\nBcc: x"])
@pytest.mark.parametrize("way", ["email", "guest", "me", "nonsense", ""])
def test_bad_input_is_refused_and_makes_nobody(way: str, name: str) -> None:
    invite, client = shared(waiting(host())), Client(raise_request_exception=True)
    answer = client.post(path_of(invite), {"way": way, "name": name, "email": name, "seat": name, "zone": name})
    assert answer.status_code in (303, 422)
    if name not in ("<script>", "=cmd()"):
        assert User.objects.count() == 1
    assert b"<script>alert" not in answer.content


@pytest.mark.parametrize(
    "body", ["name=%ED%A0%80", "name=%00", "name=a&name=b", "seat=99999999999999999999", "seat=-1", "zone[]=1"]
)
def test_odd_forms_are_no_faults_of_the_site(body: str) -> None:
    path = path_of(shared(waiting(host())))
    for way in ("email", "guest"):
        typed = f"way={way}&email=a%40example.org&{body}"
        answer = Client().post(path, typed, content_type="application/x-www-form-urlencoded")
        assert answer.status_code in (303, 422)


def test_declining_by_post_only() -> None:
    table = waiting(host())
    invite, link = asked(table), shared(table)
    assert Client().get(path_of(invite) + "decline/").status_code == 405
    answer = Client().post(path_of(invite) + "decline/")
    assert (answer.status_code, answer["Location"]) == (303, path_of(invite))
    assert Client().get(path_of(invite)).status_code == 410
    assert Client().post(path_of(link) + "decline/").status_code == 404
    assert Client().post("/i/" + "x" * 22 + "/decline/").status_code == 404


def test_no_more_mail_by_one_click_and_back_again() -> None:
    invite = asked(waiting(host()))
    (sent,) = mails_sent()
    (path,) = [each for each in links_in(sent) if each.startswith("/nomail/")]
    before = everything()
    for _ in range(3):
        assert Client().get(path).status_code == 200
    assert everything() == before
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert len(everything()["NoMail"]) == 1
    html = strict.get(path).content.decode()
    assert "nani@example.org" not in html
    assert strict.post(path, {"wanted": "yes"}).status_code == 200
    assert everything()["NoMail"] == []
    for wrong in ("/nomail/x/", path[:-3] + "x/", "/nomail/" + "a" * 3000 + "/"):
        assert Client().post(wrong).status_code == 404
    Invite.objects.filter(pk=invite.pk).update(email="")
    assert Client().get(path).status_code == 404


def test_every_post_wants_the_token_of_its_form() -> None:
    table = waiting(owner := host())
    invite = asked(table)
    strict = signed_in(owner, Client(enforce_csrf_checks=True))
    for path in (
        path_of(invite),
        path_of(invite) + "decline/",
        f"/tables/{table.code}/invites/",
        f"/tables/{table.code}/invites/act/",
    ):
        assert strict.post(path, {"way": "me"}).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_going_on_at_another_device_forgets_who_was_to_sit_down() -> None:
    nani = User.objects.create_user("nani@example.org", name="Nani", verified=True)
    invite, here = asked(waiting(host())), Client()
    here.post(path_of(invite), {"way": "email", "name": "Nani"})
    assert JOINING in here.session
    assert here.post(f"/d/{carried_on(nani)}/").status_code == 303
    assert JOINING not in here.session
    assert not Holder.objects.filter(user=nani).exists()


def test_hostile_names_are_text_on_the_page_and_in_the_mail() -> None:
    """S30: the name of the table, of its host, and what the host calls whom they invite."""
    owner = host()
    table = waiting(owner)
    invite = asked(table)
    names = [each for each in HOSTILE if not any("\ud800" <= sign <= "\udfff" or sign == "\0" for sign in each)]
    assert len(names) > 200
    for name in names:
        type(table).objects.filter(pk=table.pk).update(name=name[:60])
        User.objects.filter(pk=owner.pk).update(name=name[:160])
        Invite.objects.filter(pk=invite.pk).update(name=name[:160], sent=None)
        invite.notice_set.update(sent=None)
        html = Client().get(path_of(invite)).content.decode()
        (sent,) = mails_sent()
        raw = sent.message().as_bytes()
        parts = (html, str(sent.alternatives[0][0]))  # type: ignore[attr-defined]
        for part in parts:
            lower = part.lower()
            assert "<script>" not in lower
            assert "<img" not in lower
            assert "<iframe" not in lower
            assert "<h1>hi" not in lower
            assert "<a href=//evil" not in lower
        headers = raw.split(b"\n\n", 1)[0]
        assert headers.count(b"\nTo: ") == 1
        assert b"\nBcc:" not in headers
