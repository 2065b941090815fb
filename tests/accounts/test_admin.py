"""People in the admin."""

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.bounces import BOUNCED, mail_came_back
from accounts.models import User
from tests.accounts.doors import by_door, sign_in

pytestmark = pytest.mark.django_db

ADD = {"name": "Roza", "usable_password": "false"}


@pytest.fixture
def root(client: Client) -> Client:
    return sign_in(client, User.objects.create_superuser("root@example.org", name="Root"))


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True)


def addresses(user: User) -> list[tuple[str, bool, bool]]:
    return [(each.email, each.primary, each.verified) for each in user.emailaddress_set.all()]


def changed(root: Client, user: User, **changes: str) -> int:
    path = reverse("admin:accounts_user_change", args=[user.pk])
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00"}
    form = {"email": user.email or "", "name": user.name, "is_active": "on"} | joined | changes
    return root.post(path, {name: value for name, value in form.items() if value != "off"}).status_code


def test_an_operator_finds_people(root: Client, nani: User) -> None:
    User.objects.create_guest("Guest")
    assert b"nani@example.org" in root.get(reverse("admin:accounts_user_changelist")).content
    assert root.get(reverse("admin:accounts_user_changelist"), {"q": nani.code}).status_code == 200
    assert root.get(reverse("admin:accounts_user_change", args=[nani.pk])).status_code == 200


def test_who_is_added_has_an_address_that_allauth_knows(root: Client) -> None:
    assert root.post(reverse("admin:accounts_user_add"), ADD | {"email": "Roza@Example.org"}).status_code == 302
    roza = User.objects.get(email="roza@example.org")
    assert not roza.has_usable_password()
    assert addresses(roza) == [("roza@example.org", True, False)]
    assert by_door(roza).get("/").status_code == 200


def test_an_address_that_somebody_has_is_refused_whatever_its_case(root: Client, nani: User) -> None:
    assert root.post(reverse("admin:accounts_user_add"), ADD | {"email": "NANI@example.org"}).status_code == 200
    assert User.objects.count() == 2


def test_an_address_is_changed_and_taken_away(root: Client, nani: User) -> None:
    mail_came_back(email="nani@example.org", why=BOUNCED, now=timezone.now())
    assert changed(root, nani, name="Nani Jaan") == 302
    nani.refresh_from_db()
    assert nani.mail_off == BOUNCED
    assert changed(root, nani, email="New@example.org") == 302
    nani.refresh_from_db()
    assert nani.mail_off == ""
    assert (nani.email, addresses(nani)) == ("new@example.org", [("new@example.org", True, False)])
    assert changed(root, nani, email="") == 302
    nani.refresh_from_db()
    assert (nani.email, addresses(nani)) == (None, [])


def test_other_changes_leave_the_address_as_it_is(root: Client, nani: User) -> None:
    assert changed(root, nani, name="Nani Jaan") == 302
    assert addresses(nani) == [("nani@example.org", True, True)]


def test_whose_account_is_closed_is_out_at_once(root: Client, nani: User) -> None:
    client = by_door(nani)
    assert changed(root, nani, is_active="off") == 302
    assert client.get("/accounts/settings/").status_code == 302
    assert not UserSession.objects.filter(user=nani).exists()


def test_every_page_of_the_admin_opens(root: Client) -> None:
    for model in admin.site._registry:
        path = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        assert root.get(path, {"q": "x"}).status_code == 200, path
    kept = {apps.get_app_config(name) for name in ("account", "mfa", "usersessions")}
    assert not [model for model in admin.site._registry if model._meta.app_config in kept]


def test_the_admin_has_no_door_of_its_own(nani: User) -> None:
    answer = Client().get("/admin/login/?next=/admin/")
    assert answer["Location"] == "/accounts/signin/?next=%2Fadmin%2F"
    assert (
        Client().post("/admin/login/", {"username": "x", "password": "x"})["Location"].startswith("/accounts/signin/")
    )
    assert sign_in(Client(), nani).get("/admin/login/").status_code == 403
