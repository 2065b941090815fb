"""S24: nobody learns from an answer who has an account, neither by what it says nor by how long it takes."""

import re
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from tests.accounts.doors import sign_in

pytestmark = [pytest.mark.django_db]


class Hasher(PBKDF2PasswordHasher):
    """A tenth of what production takes, and still more than what may tell."""

    iterations = 120_000


type Clock = Callable[[], float]

PAIRS: Final = [(20, time.thread_time), pytest.param(200, time.perf_counter, marks=pytest.mark.soak)]
"""How many known and unknown people are compared, and by which clock: among other tests only one's own work is equal.

Two hundred in the long campaign, by the clock on the wall.
"""
NEAR: Final = 0.020
"""How far apart, in seconds, the medians may lie."""


def sign_in_by_code(address: str, clock: Clock = time.perf_counter) -> Any:
    return Client().post("/accounts/signin/", {"login": address})


def sign_up(address: str, clock: Clock) -> Any:
    return Client().post("/accounts/signup/", {"name": "Somebody", "email": address})


def sign_in_by_password(address: str, clock: Clock) -> Any:
    return Client().post("/accounts/signin/", {"login": address, "password": "not-this-one"})


def add_address(address: str, clock: Clock) -> Any:
    client = sign_in(Client(), User.objects.get(name="Guest"))
    began = clock()
    response = client.post("/accounts/email/", {"email": address})
    response.took = clock() - began  # type: ignore[attr-defined]
    return response


WAYS: Final[dict[str, tuple[Callable[[str, Clock], Any], int]]] = {
    "sign-in": (sign_in_by_code, 1),
    "sign-up": (sign_up, 1),
    "password": (sign_in_by_password, 0),
    "add an address": (add_address, 1),
}


def seen(response: Any, address: str) -> tuple[Any, ...]:
    """All that an answer tells but what is random or was typed."""
    body = response.content.decode().replace(address, "")
    body = re.sub(r'csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"', "", body)
    # The time of day, a nonce, and the length of what was typed.
    random = {"Expires", "Content-Security-Policy", "Content-Length"}
    headers = {name: "" if name in random else value for name, value in response.items()}
    return response.status_code, headers, sorted(response.cookies), body


@pytest.mark.parametrize(("pairs", "clock"), PAIRS)
@pytest.mark.parametrize("name", WAYS)
def test_known_and_unknown_addresses_are_answered_alike(
    name: str, pairs: int, clock: Clock, settings: Settings
) -> None:
    act, mails = WAYS[name]
    # Slow enough that one more or less would tell.
    settings.PASSWORD_HASHERS = ["tests.accounts.test_alike.Hasher"]
    User.objects.create_guest("Guest")
    model = User.objects.create_user("model@example.org", "phulkari-and-chai", name="Somebody", verified=True)
    for number in range(pairs):
        known = User.objects.create_user(f"k{number:03}@example.org", name="Somebody", verified=True)
        # Every other one has a password.
        User.objects.filter(pk=known.pk).update(
            password=model.password if number % 2 else known.password, last_login=model.date_joined
        )
    took: dict[str, list[float]] = {"k": [], "u": []}
    told: dict[str, set[str]] = {"k": set(), "u": set()}
    for number in range(pairs):
        for kind in ("ku", "uk")[number % 2]:
            cache.clear()
            address = f"{kind}{number:03}@example.org"
            before = len(mail.outbox)
            began = clock()
            response = act(address, clock)
            took[kind].append(getattr(response, "took", clock() - began))
            assert len(mail.outbox) - before == mails
            told[kind].add(repr(seen(response, address)))
    assert told["k"] == told["u"]
    assert len(told["k"]) == 1
    assert abs(statistics.median(took["k"]) - statistics.median(took["u"])) < NEAR
    assert "@" not in "".join(told["k"])


def test_the_page_after_it_is_the_same_too() -> None:
    User.objects.create_user("nani@example.org", name="Nani", verified=True)
    pages = set()
    for door, field in (("signin", "login"), ("signup", "email")):
        for address in ("nani@example.org", "noni@example.org"):
            client = Client()
            client.post(f"/accounts/{door}/", {field: address, "name": "Somebody"})
            answers = [client.get("/accounts/code/"), client.post("/accounts/code/", {"code": "0000-0001"})]
            pages.add(repr([seen(each, address) for each in answers]))
    assert len(pages) == 1


def test_too_many_is_told_alike() -> None:
    User.objects.create_user("nani@example.org", name="Nani", verified=True)
    told = set()
    for address in ("nani@example.org", "noni@example.org"):
        answers = [seen(sign_in_by_code(address), address) for _ in range(5)]
        told.add(repr([(status, body) for status, _, _, body in answers]))
        assert [each[0] for each in answers] == [303, 303, 303, 429, 429]
    assert len(told) == 1
