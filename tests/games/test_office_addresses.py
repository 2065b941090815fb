"""Another address for a person: the old one lets nobody in any more and is told, allauth knows the new one."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client

from accounts.bounces import BOUNCED, mail_came_back
from accounts.models import User
from games.models import Audit, Notice
from games.services.erasing import person_erased
from games.services.errors import ServiceError
from games.services.office.addresses import person_readdressed
from games.services.office.errors import AboveYou, AddressUnfit, Changed, NotYourself, ReasonNeeded, UserGone
from tests.accounts.doors import by_door, mailed_code, signed_in
from tests.games.gathering import LATER
from tests.games.merging import asked, guest
from tests.games.office import WHY, left, refused
from tests.games.stored import NOW, in_threads, person
from tests.games.telling import mailed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

NEW = "new@example.org"


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root@example.org", name="Root", verified=True)


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True)


def addresses(user: User) -> list[tuple[str, bool, bool]]:
    return [(each.email, each.primary, each.verified) for each in EmailAddress.objects.filter(user=user)]


def test_the_old_address_lets_nobody_in_and_is_told(root: User, nani: User) -> None:
    there, asking = by_door(nani), Client()
    assert there.get("/accounts/settings/").status_code == 200
    asking.post("/accounts/signin/", {"login": "nani@example.org"})
    code = mailed_code()
    nani.refresh_from_db()
    audit = person_readdressed(**asked(nani, root, email="New@Example.org"))
    assert audit == left("address", by=root)
    assert (audit.person, audit.before, audit.after) == (nani, {}, {})
    nani.refresh_from_db()
    assert (nani.email, addresses(nani)) == (NEW, [(NEW, True, False)])
    assert there.get("/accounts/settings/").status_code == 302
    assert not UserSession.objects.filter(user=nani).exists()
    # Nor does a code that had gone there.
    asking.post("/accounts/code/", {"code": code})
    assert signed_in(asking) is None
    mail.outbox.clear()
    (one,) = mailed(LATER)
    assert (one.to, one.subject) == (["nani@example.org"], "About your Getaway account")
    said = str(one.body)
    assert "have given your account another email address, and signed you out everywhere" in said
    assert (f"Why: \u2068{WHY}\u2069" in said, NEW in said) == (True, False)


def test_what_is_no_way_to_reach_them_is_not_told(root: User, nani: User) -> None:
    """An address that was not shown to be theirs is perhaps somebody else's; a guest has none."""
    unproved, gul = person("Roza"), guest()
    for number, user in enumerate((unproved, gul)):
        person_readdressed(**asked(user, root, email=f"new{number}@example.org"))
        assert addresses(user) == [(f"new{number}@example.org", True, False)]
    assert not Notice.objects.exists()
    # Mail that had come back was the old address's.
    mail_came_back(email="nani@example.org", why=BOUNCED, now=NOW)
    person_readdressed(**asked(User.objects.get(pk=nani.pk), root, email=NEW))
    assert User.objects.get(pk=nani.pk).mail_off == ""


REFUSED: dict[str, tuple[type[ServiceError], dict[str, Any]]] = {
    "somebody else's": (AddressUnfit, {"email": "ROOT@example.org"}),
    "theirs": (AddressUnfit, {"email": "nani@example.org"}),
    "none": (AddressUnfit, {"email": ""}),
    "not as shown": (Changed, {"email": NEW, "seen": "0"}),
    "no reason": (ReasonNeeded, {"email": NEW, "why": " "}),
    "nobody": (UserGone, {"email": NEW, "user_id": 0}),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_refused_changes_nothing(root: User, nani: User, why: str) -> None:
    error, given = REFUSED[why]
    with refused(error):
        person_readdressed(**asked(nani, root) | given)


def test_nobody_changes_their_own_or_a_superusers(root: User) -> None:
    other = User.objects.create_superuser("other@example.org", name="Other")
    with refused(NotYourself):
        person_readdressed(**asked(root, root, email=NEW))
    with refused(AboveYou):
        person_readdressed(**asked(other, root, email=NEW))


def test_an_account_that_nobody_has_entered_makes_way(root: User, nani: User) -> None:
    Client().post("/accounts/signup/", {"name": "Asked", "email": NEW})
    assert User.objects.filter(email=NEW, name="Asked").exists()
    person_readdressed(**asked(nani, root, email=NEW))
    assert User.objects.get(email=NEW) == nani


def test_of_two_who_get_one_address_at_once_one_does(root: User, nani: User) -> None:
    given = [asked(nani, root, email=NEW), asked(person("Roza"), root, email=NEW)]
    User.objects.update(last_login=NOW)
    results = in_threads(2, lambda at: person_readdressed(**given[at]))
    assert sorted(type(each).__name__ for each in results) == ["AddressUnfit", "Audit"]
    assert Audit.objects.count() == 1
    assert EmailAddress.objects.filter(email=NEW).count() == 1


def test_who_is_erased_is_mailed_no_more(root: User, nani: User) -> None:
    person_readdressed(**asked(nani, root, email=NEW))
    person_erased(user_id=nani.pk, now=LATER, due=False)
    assert not Notice.objects.filter(email="nani@example.org").exists()
