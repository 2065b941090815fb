"""People at the desk: who may write what over, what is kept of it, and who gets in."""

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.bounces import BOUNCED, mail_came_back
from accounts.history import history_of
from accounts.models import User
from accounts.roles import role_given
from games.admin.deeds import may
from games.models import Audit
from games.services.office.rights import RIGHTS
from games.services.office.seen import seen_of
from tests.accounts.doors import by_door, sign_in

pytestmark = pytest.mark.django_db

PEOPLE = "/admin/accounts/user/"


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("root@example.org", name="Root", verified=True)


@pytest.fixture
def root(client: Client, boss: User) -> Client:
    return sign_in(client, boss)


def staff(role: str) -> Client:
    user = User.objects.create_user(f"{role}@example.org", name=role.title(), verified=True)
    role_given(user, role)
    return sign_in(Client(), user)


def addresses(user: User) -> list[tuple[str, bool, bool]]:
    return [(each.email, each.primary, each.verified) for each in user.emailaddress_set.all()]


def change(user: User) -> str:
    return reverse("admin:accounts_user_change", args=[user.pk])


def written(client: Client, user: User, **fields: str) -> int:
    user.refresh_from_db()
    seen = f"{seen_of(user)}:{user.zone}:{user.language}"
    form = {"zone": user.zone, "language": user.language, "seen": seen} | fields
    return client.post(change(user), form).status_code


def done(client: Client, user: User, deed: str, **fields: str) -> int:
    user.refresh_from_db()
    url = reverse("admin:accounts_user_deed", args=[user.pk, deed])
    return client.post(url, {"why": "It was asked for", "seen": seen_of(user)} | fields).status_code


def test_people_are_found_by_code_name_and_address(root: Client, nani: User) -> None:
    User.objects.create_guest("Guest")
    for term in (nani.code, "nan", "NANI", "nani@example.org"):
        page = root.get(PEOPLE, {"q": term}).content.decode()
        assert (">Nani<" in page, ">Guest<" in page) == (True, False), term
    assert ">Nani<" not in root.get(PEOPLE, {"q": "ani"}).content.decode()


def test_who_is_added_has_an_address_that_allauth_knows(root: Client) -> None:
    add = reverse("admin:accounts_user_add")
    assert root.post(add, {"email": "Roza@Example.org", "name": "Roza"}).status_code == 302
    roza = User.objects.get(email="roza@example.org")
    assert not roza.has_usable_password()
    assert addresses(roza) == [("roza@example.org", True, False)]
    assert by_door(roza).get("/").status_code == 200
    assert root.post(add, {"email": "ROZA@example.org", "name": "Other"}).status_code == 200
    assert User.objects.filter(email="roza@example.org").count() == 1
    assert staff("operator").get(add).status_code == 403


def test_an_address_is_changed_by_a_superuser_who_says_why(root: Client, nani: User) -> None:
    theirs = by_door(nani)
    mail_came_back(email="nani@example.org", why=BOUNCED, now=timezone.now())
    assert written(root, nani, zone="Asia/Kolkata", email="written@example.org") == 302
    nani.refresh_from_db()
    assert (nani.mail_off, nani.zone) == (BOUNCED, "Asia/Kolkata")
    assert addresses(nani) == [("nani@example.org", True, True)]
    assert done(root, nani, "address", email="New@example.org", why=" ") == 422
    assert done(root, nani, "address", email="") == 422
    assert done(root, nani, "address", email="New@example.org") == 302
    nani.refresh_from_db()
    assert nani.mail_off == ""
    assert (nani.email, addresses(nani)) == ("new@example.org", [("new@example.org", True, False)])
    assert theirs.get("/accounts/settings/").status_code == 302
    assert by_door(nani).get("/").status_code == 200
    page = root.get("/admin/games/audit/").content.decode()
    assert "New@example.org".lower() not in page


def test_an_address_is_nobodys_but_a_superusers_to_change(root: Client, boss: User, nani: User) -> None:
    for role in ("operator", "moderator", "support"):
        client = staff(role)
        assert done(client, nani, "address", email="mine@example.org") == 403
        assert "/do/address/" not in client.get(change(nani)).content.decode()
    assert "/do/address/" in root.get(change(nani)).content.decode()
    assert done(root, boss, "address", email="mine@example.org") == 409
    nani.refresh_from_db()
    assert (nani.email, Audit.objects.count()) == ("nani@example.org", 0)


@pytest.mark.parametrize("name", ["a\u202eb", "\u200b", "x" * 41])
def test_nobody_is_made_with_a_name_that_nobody_may_have(root: Client, name: str) -> None:
    before = User.objects.count()
    answer = root.post(reverse("admin:accounts_user_add"), {"email": "new@example.org", "name": name})
    assert (answer.status_code, User.objects.count()) == (200, before)


@pytest.mark.parametrize("language", ["xx", "<b>", "../.."])
def test_only_a_language_that_the_site_speaks(root: Client, nani: User, language: str) -> None:
    assert written(root, nani, language=language) == 200
    assert written(root, nani, language="en") == 302
    nani.refresh_from_db()
    assert nani.language == "en"


def test_an_operator_writes_over_no_address_and_no_colleague(boss: User, nani: User) -> None:
    operator = staff("operator")
    assert written(operator, nani, email="mine@example.org", zone="Asia/Kolkata") == 302
    nani.refresh_from_db()
    assert (nani.email, nani.zone) == ("nani@example.org", "Asia/Kolkata")
    assert written(operator, boss, zone="Asia/Kolkata") == 403
    for role in ("moderator", "support"):
        assert written(staff(role), nani, zone="Europe/London") == 403
    nani.refresh_from_db()
    assert nani.zone == "Asia/Kolkata"


def test_no_operator_writes_over_what_another_has_written(root: Client, nani: User) -> None:
    seen = f"{seen_of(nani)}:{nani.zone}:{nani.language}"
    assert written(root, nani, zone="Asia/Kolkata") == 302
    late = root.post(change(nani), {"zone": "Europe/London", "language": "", "seen": seen})
    assert (late.status_code, "Somebody has changed this" in late.content.decode()) == (200, True)
    nani.refresh_from_db()
    assert nani.zone == "Asia/Kolkata"


def test_what_was_changed_is_kept_without_address_or_password(root: Client, boss: User, nani: User) -> None:
    assert written(root, nani, zone="Asia/Kolkata") == 302
    assert done(root, nani, "address", email="new@example.org") == 302
    assert done(root, nani, "rename", name="Nani Jaan") == 302
    assert done(root, nani, "role", role="support") == 302
    found = history_of(User, nani.pk)
    assert [(row["by"], row["why"], row["changes"]) for row in found] == [
        (boss, "It was asked for", [("is_staff", "no", "yes"), ("role", "", "support")]),
        (boss, "It was asked for", [("name", "Nani", "Nani Jaan")]),
        (boss, "Written over at the desk.", [("zone", "", "Asia/Kolkata")]),
    ]
    assert not {"email", "password", "last_login"} & {each.name for each in User.history.model._meta.fields}
    page = root.get(reverse("admin:accounts_user_history", args=[nani.pk])).content.decode()
    assert ("Nani Jaan" in page, "support" in page, "new@example.org" in page) == (True, True, False)


def test_a_role_is_chosen_by_a_superuser_who_says_why(root: Client, boss: User, nani: User) -> None:
    assert done(staff("operator"), nani, "role", role="operator") == 403
    assert done(root, nani, "role", role="operator", why=" ") == 422
    assert done(root, nani, "role", role="emperor") == 422
    assert done(root, boss, "role", role="support") == 409
    assert not User.objects.filter(pk=nani.pk, is_staff=True).exists()
    assert done(root, nani, "role", role="operator") == 302
    assert User.objects.filter(pk=nani.pk, is_staff=True).exists()
    assert [each.name for each in nani.groups.all()] == ["operator"]
    audit = Audit.objects.get(action="role")
    assert (audit.by, audit.person, audit.before, audit.after) == (boss, nani, {"role": ""}, {"role": "operator"})
    assert done(root, nani, "role", role="") == 302
    nani.refresh_from_db()
    assert (nani.is_staff, nani.groups.count()) == (False, 0)


def test_who_is_kept_out_is_out_at_once(nani: User) -> None:
    client = by_door(nani)
    assert done(staff("moderator"), nani, "ban") == 302
    assert client.get("/accounts/settings/").status_code == 302
    assert not UserSession.objects.filter(user=nani).exists()


def test_who_has_no_role_reads_who_gives_one(boss: User, nani: User) -> None:
    bare = sign_in(Client(), User.objects.create_user("old@example.org", name="Old", is_staff=True, verified=True))
    page = " ".join(bare.get("/admin/").content.decode().split())
    page_of_role = reverse("admin:accounts_user_deed", args=[User.objects.get(name="Old").pk, "role"])
    assert f"Ask <bdi>Root</bdi> for one: they choose it at http://testserver{page_of_role}." in page
    boss.is_active = False
    boss.save()
    assert "manage.py createsuperuser" in bare.get("/admin/").content.decode()
    for role in ("operator", "moderator", "support"):
        assert "You have no role here" not in staff(role).get("/admin/").content.decode()


def test_the_first_superuser_sees_and_does_everything(root: Client, nani: User) -> None:
    page = root.get("/admin/").content.decode()
    assert "You have no role here" not in page
    assert [model for model in admin.site._registry if f"/{model._meta.model_name}/" not in page] == []
    for deed in RIGHTS:
        assert may(User.objects.get(name="Root"), deed)


def test_no_page_of_the_libraries_shows_what_opens_accounts(root: Client) -> None:
    kept = {apps.get_app_config(name) for name in ("account", "auth", "mfa", "usersessions")}
    assert not [model for model in admin.site._registry if model._meta.app_config in kept]


def test_the_desk_has_no_door_of_its_own(nani: User) -> None:
    answer = Client().get("/admin/login/?next=/admin/")
    assert answer["Location"] == "/accounts/signin/?next=/admin/"
    assert (
        Client().post("/admin/login/", {"username": "x", "password": "x"})["Location"].startswith("/accounts/signin/")
    )
    assert sign_in(Client(), nani).get("/admin/login/").status_code == 403


def test_a_role_that_somebody_has_is_not_given_again(root: Client, nani: User) -> None:
    assert done(root, nani, "role", role="operator") == 302
    assert done(root, nani, "role", role="operator") == 409
    assert Audit.objects.filter(action="role").count() == 1
    assert done(root, nani, "role", role="") == 302
    assert done(root, nani, "role", role="") == 409


def test_a_role_is_taken_from_whoever_is_kept_out_and_given_to_none_of_them(root: Client, nani: User) -> None:
    assert done(root, nani, "role", role="operator") == 302
    assert done(root, nani, "ban") == 302
    assert done(root, nani, "role", role="support") == 422
    assert done(root, nani, "role", role="") == 302
    assert Audit.objects.latest("pk").before == {"role": "operator"}
    nani.refresh_from_db()
    assert (nani.is_staff, nani.groups.exists()) == (False, False)


def test_what_is_kept_of_a_person_is_in_words(root: Client, nani: User) -> None:
    assert done(root, nani, "ban") == 302
    page = root.get(reverse("admin:accounts_user_history", args=[nani.pk])).content.decode()
    assert "is_active: <bdi>yes</bdi> → <bdi>no</bdi>" in page
    audit = root.get(reverse("admin:games_audit_history", args=[Audit.objects.get().pk])).content.decode()
    assert ("This is never written over." in audit, "Nobody has changed this" in audit) == (True, False)
