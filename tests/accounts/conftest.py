import pytest

from accounts.models import User


@pytest.fixture
def nani() -> User:
    return User.objects.create_user("nani@example.org", name="Nani", verified=True)


@pytest.fixture
def guest() -> User:
    return User.objects.create_guest("Roza")
