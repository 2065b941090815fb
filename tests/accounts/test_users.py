import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction

from accounts.models import Block, User

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


def test_a_person_is_known_by_email_and_called_by_name() -> None:
    user = User.objects.create_user("Nani@Example.ORG", "chai-and-cards", name="नानी")
    assert (user.email, str(user), user.get_short_name()) == ("nani@example.org", "नानी", "नानी")
    assert (user.is_staff, user.is_superuser, user.is_active) == (False, False, True)
    assert authenticate(username="nani@example.org", password="chai-and-cards") == user


def test_case_of_an_email_does_not_matter() -> None:
    user = User.objects.create_user("nani@example.org", name="Nani")
    for typed in ["NANI@example.org", "Nani@Example.Org"]:
        assert User.objects.get_by_natural_key(typed) == user
        assert async_to_sync(User.objects.aget_by_natural_key)(typed) == user
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.create_user(typed, name="Another")
    with pytest.raises(User.DoesNotExist):
        User.objects.get_by_natural_key("roza@example.org")
    with pytest.raises(User.DoesNotExist):
        User.objects.get_by_natural_key(None)


def test_without_a_password_nobody_signs_in() -> None:
    User.objects.create_user("nani@example.org", name="Nani")
    assert authenticate(username="nani@example.org", password="") is None


def test_without_an_email_there_is_nobody() -> None:
    with pytest.raises(ValueError, match="needs an email"):
        User.objects.create_user("", name="Nani")


def test_an_address_has_its_row_with_allauth() -> None:
    nani = User.objects.create_user("Nani@example.org", name="Nani", verified=True)
    assert [(each.email, each.primary, each.verified) for each in nani.emailaddress_set.all()] == [
        ("nani@example.org", True, True)
    ]
    nani.email = "roza@example.org"
    nani.save()
    User.objects.address_kept(nani)
    assert [(each.email, each.primary, each.verified) for each in nani.emailaddress_set.all()] == [
        ("roza@example.org", True, False)
    ]


def test_many_guests_have_no_address() -> None:
    guests = [User.objects.create_guest("Nani") for _ in range(3)]
    assert all(each.guest and not each.has_usable_password() for each in guests)
    assert len({each.code for each in guests}) == 3
    assert not User.objects.create_user("nani@example.org", name="Nani").guest


@pytest.mark.parametrize("address", ["", "Nani@example.org"])
def test_the_database_keeps_addresses_lower_case_or_none(address: str) -> None:
    guest = User.objects.create_guest("Nani")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=guest.pk).update(email=address)


def test_nobody_keeps_themselves_away_nor_another_twice() -> None:
    nani, roza = User.objects.create_guest("Nani"), User.objects.create_guest("Roza")
    Block.objects.create(owner=nani, other=roza)
    for owner, other in ((nani, roza), (nani, nani)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Block.objects.create(owner=owner, other=other)
