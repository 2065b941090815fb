"""The outbox: each notice is mailed once, looked at again when it is sent, and tried a few times."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends import locmem

from accounts.models import Block, User
from games.models import Invite, NoMail, Notice, Table
from games.selectors.tokens import token_of
from games.services.dealing import game_start
from games.services.hosting import host_handed, table_closed, table_start
from games.services.invites import LIFE, invite_accepted, invite_revoked
from games.services.letters import no_mail_url
from games.services.locks import writing
from games.services.notices import MOST_TRIES, no_mail_set, notice_added, notices_due_sent
from games.services.seats import seat_removed
from tests.games.conftest import Tasks
from tests.games.invitees import asked, host, links_in, mails_sent, shared, waiting
from tests.games.stored import NOW, everything, in_threads, person

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


def nani(**fields: Any) -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True, **fields)


def test_an_invitation_is_mailed_once_with_its_link() -> None:
    table = waiting(host())
    invite = asked(table, "Nani <nani@example.org>")
    (sent,) = mails_sent()
    assert sent.to == ["nani@example.org"]
    assert vars(sent)["sent_using"] == "notices"
    assert sent.subject == "\u2068Asha\u2069 invites you to \u2068Our table\u2069"
    assert f"/i/{token_of(invite)}/" in links_in(sent)
    assert "typed your address" in str(sent.body)
    assert "Asha" in str(sent.body)
    assert sent.extra_headers["List-Unsubscribe"] == f"<{no_mail_url(invite)}>"
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mails_sent() == []
    assert Invite.objects.get().sent == NOW
    assert Notice.objects.get().sent == NOW


def test_nothing_is_told_of_who_has_an_account_or_of_cards() -> None:
    user = nani()
    table = waiting(host())
    asked(table, f"{user.email} stranger@example.org")
    known, new = mails_sent()
    for each in ("nani", "stranger"):
        assert each not in str(known.body) + str(new.body)
    strip = [set(str(each.body).splitlines()) for each in (known, new)]
    assert all("http" in line for line in strip[0] ^ strip[1])


def test_a_known_reader_is_written_to_in_their_language_and_zone(settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("ur", "Urdu"), ("hi", "Hindi")]
    nani(language="ur", zone="Asia/Karachi")
    owner = host()
    owner.language, owner.zone = "hi", "Asia/Kolkata"
    owner.save()
    asked(waiting(owner), "nani@example.org stranger@example.org")
    known, new = mails_sent()
    assert "14 فروری 2026, 17:00 (Asia/Karachi)" in str(known.body)
    assert "14 फ़रवरी 2026, 17:30 (Asia/Kolkata)" in str(new.body)


def _revoked(invite: Invite, user: User) -> None:
    assert invite.sender is not None
    invite_revoked(invite_id=invite.pk, table_id=invite.table_id, host=invite.sender, now=NOW)


def _closed(invite: Invite, user: User) -> None:
    assert invite.sender is not None
    table_closed(table_id=invite.table_id, host=invite.sender, now=NOW)


def _full(invite: Invite, user: User) -> None:
    link = shared(invite.table)
    for name in ("Bilal", "Chandni"):
        invite_accepted(invite_id=link.pk, user=person(name), now=NOW)


def _blocked(invite: Invite, user: User) -> None:
    assert invite.sender is not None
    Block.objects.create(owner=user, other=invite.sender)


GONE: dict[str, Callable[[Invite, User], object]] = {
    "revoked": _revoked,
    "closed": _closed,
    "full": _full,
    "blocked": _blocked,
    "seated": lambda invite, user: invite_accepted(invite_id=shared(invite.table).pk, user=user, now=NOW),
    "no mail": lambda invite, user: no_mail_set(email="NANI@example.org", wanted=False, now=NOW),
    "chosen": lambda invite, user: User.objects.filter(pk=user.pk).update(notices={"invite": "never"}),
    "expired": lambda invite, user: Invite.objects.update(created=NOW - LIFE, expires=NOW),
}


@pytest.mark.parametrize("what", GONE.values(), ids=GONE)
def test_what_is_no_longer_true_or_wanted_is_not_mailed(what: Callable[[Invite, User], object]) -> None:
    owner, user = host(), nani()
    invite = asked(waiting(owner, seats=3, starts="host"))
    what(invite, user)
    assert [each.subject for each in mails_sent() if "invites" in each.subject] == []
    notice = Notice.objects.get(kind="invite")
    assert (notice.sent, notice.gone) == (None, NOW)


def test_an_address_without_proof_stops_nobodys_mail() -> None:
    User.objects.create_user("nani@example.org", name="Eve", notices={"invite": "never"}, language="ur")
    asked(waiting(host()))
    assert len(mails_sent()) == 1


def test_every_kind_is_mailed_with_a_way_to_the_choices() -> None:
    owner, user = host(), nani()
    table = waiting(owner, starts="host")
    invite_accepted(invite_id=asked(table).pk, user=user, now=NOW)
    User.objects.filter(pk=owner.pk).update(notices={"joined": "mail"})
    kinds = {each.subject.split(":")[0]: each for each in mails_sent()}
    assert "Somebody sat down" in kinds
    with writing():
        notice_added(kind="table_warned", key="w", user=owner, table=table, now=NOW)
    host_handed(table_id=table.pk, host=owner, seat=1, now=NOW)
    seat_removed(table_id=table.pk, host=user, seat=0, now=NOW)
    table_closed(table_id=table.pk, host=user, now=NOW)
    sent = mails_sent()
    # The table has been closed by now: only that is still true, and who was removed.
    assert [each.subject for each in sent] == ["Your seat at \u2068Our table\u2069 was taken away"]
    assert all(any("/accounts/settings/" in link for link in links_in(each)) for each in sent)


def test_the_heir_of_a_game_is_not_told_to_invite() -> None:
    owner, user = host(), nani()
    table = waiting(owner, starts="host")
    invite_accepted(invite_id=asked(table).pk, user=user, now=NOW)
    table_start(table_id=table.pk, host=owner, short="bots", now=NOW)
    mails_sent()
    host_handed(table_id=table.pk, host=owner, seat=1, now=NOW)
    body = str(mails_sent()[-1].body)
    assert "The game goes on as before" in body
    assert "invite" not in body


def test_the_start_is_told_with_a_way_to_the_cards() -> None:
    owner, user = host(), nani()
    table = waiting(owner, bots=2)
    found = invite_accepted(invite_id=asked(table).pk, user=user, now=NOW)
    (sent,) = mails_sent()
    assert found.game is not None
    assert sent.to == [owner.email]
    assert f"/games/{found.game.code}/" in links_in(sent)


def test_guests_and_the_inactive_are_not_mailed() -> None:
    table = waiting(host())
    for user in (User.objects.create_guest("Bilal"), nani(is_active=False)):
        with writing():
            notice_added(kind="seat_removed", key=str(user.pk), user=user, table=table, now=NOW)
    assert mails_sent() == []
    assert Notice.objects.filter(gone=NOW).count() == 2


class Failing(locmem.EmailBackend):
    """Fails as mail servers do."""

    def send_messages(self, messages: Any) -> int:
        raise ConnectionRefusedError("nani@example.org: no such server")


def test_a_mail_that_fails_is_tried_again_a_few_times(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    asked(waiting(host()))
    working = settings.MAILERS
    settings.MAILERS = working | {"notices": {"BACKEND": "tests.games.test_notices.Failing"}}
    now, waits = NOW, []
    for _ in range(MOST_TRIES):
        assert notices_due_sent(now=now) == 0
        notice = Notice.objects.get()
        waits.append((notice.due - now).total_seconds() / 60)
        assert notices_due_sent(now=now) == 0
        now = notice.due
    assert waits == [1, 2, 4, 8, 16, 32]
    assert Notice.objects.get().gone is not None
    assert "nani@example.org" not in caplog.text
    settings.MAILERS = working
    assert notices_due_sent(now=now + timedelta(days=1)) == 0


def test_a_mail_that_failed_once_goes_out_later(settings: Any) -> None:
    asked(waiting(host()))
    working = settings.MAILERS
    settings.MAILERS = working | {"notices": {"BACKEND": "tests.games.test_notices.Failing"}}
    notices_due_sent(now=NOW)
    settings.MAILERS = working
    assert len(mails_sent(NOW + timedelta(minutes=1))) == 1


def test_the_same_is_told_once() -> None:
    table = waiting(owner := host())
    for _ in range(3):
        with writing():
            notice_added(kind="table_warned", key="one", user=owner, table=table, now=NOW)
    assert len(mails_sent()) == 1


def test_what_is_due_later_waits() -> None:
    table = waiting(owner := host())
    with writing():
        later = NOW + timedelta(hours=1)
        notice_added(kind="table_warned", key="one", user=owner, table=table, due=later, now=NOW)
    assert mails_sent() == []
    assert len(mails_sent(later)) == 1


@pytest.mark.django_db(transaction=True)
def test_one_task_is_sent_for_when_many_are_invited(sent: Tasks) -> None:
    table = waiting(host())
    sent()
    asked(table, " ".join(f"p{number}@example.org" for number in range(20)))
    assert [name for name, _, _ in sent()] == ["games.notices"]


@pytest.mark.django_db(transaction=True)
def test_tasks_in_five_places_send_each_mail_once() -> None:
    asked(waiting(host()), " ".join(f"p{number}@example.org" for number in range(8)))
    results = in_threads(5, lambda _: notices_due_sent(now=NOW))
    assert all(isinstance(each, int) for each in results), results
    assert len(mail.outbox) == 8
    assert Notice.objects.filter(sent=None).count() == 0


class Dying(locmem.EmailBackend):
    """Ends the program before the mail server has the mail."""

    def send_messages(self, messages: Any) -> int:
        raise KeyboardInterrupt


@pytest.mark.django_db(transaction=True)
def test_a_program_that_dies_while_sending_has_said_nothing(settings: Any) -> None:
    asked(waiting(host()))
    before, working = everything(), settings.MAILERS
    settings.MAILERS = working | {"notices": {"BACKEND": "tests.games.test_notices.Dying"}}
    with pytest.raises(KeyboardInterrupt):
        notices_due_sent(now=NOW)
    assert everything() == before
    settings.MAILERS = working
    (one,) = mails_sent()
    assert one.extra_headers["Message-ID"] == f"<notice.{Notice.objects.get().pk}.20260131120000000250@getaway>"


def test_no_mail_keeps_a_hash_only() -> None:
    no_mail_set(email="Nani@Example.org", wanted=False, now=NOW)
    no_mail_set(email="nani@example.org", wanted=False, now=NOW)
    (row,) = NoMail.objects.all()
    assert "nani" not in row.email_hash
    no_mail_set(email="nani@example.org", wanted=True, now=NOW)
    assert not NoMail.objects.exists()


def test_a_solo_game_tells_nobody() -> None:
    table = waiting(host(), bots=3, starts="host")
    game_start(table_id=table.pk, now=NOW)
    assert mails_sent() == []


def test_a_mail_that_cannot_be_written_keeps_no_other() -> None:
    owner = host()
    broken = waiting(owner)
    asked(broken)
    asked(waiting(owner), "second@example.org")
    Table.objects.filter(pk=broken.pk).update(rules={"game": "no such"})
    (sent,) = mails_sent()
    assert sent.to == ["second@example.org"]
    for _ in range(MOST_TRIES):
        assert mails_sent(Notice.objects.earliest("pk").due) == []
    first = Notice.objects.earliest("pk")
    assert (first.tries, first.sent, first.gone is not None) == (MOST_TRIES, None, True)
