"""S23: a code cannot be guessed, however many ask at once and from wherever."""

import datetime as dt
import math
from typing import Any
from unittest import mock

import pytest
import time_machine
from allauth.core.internal import cryptokit
from django.conf import settings as configured
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import forms
from accounts.models import User
from tests.accounts.doors import mailed_code, sign_in, signed_in
from tests.games.stored import in_threads

pytestmark = pytest.mark.django_db(transaction=True)

VICTIM = "nani@example.org"


@pytest.fixture(autouse=True)
def nani() -> User:
    return User.objects.create_user(VICTIM, name="Nani", verified=True)


@pytest.fixture
def one_proxy(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1


def ask(client: Client, place: str = "192.0.2.1", path: str = "signin", **form: str) -> Any:
    return client.post(f"/accounts/{path}/", form or {"login": VICTIM}, headers={"X-Forwarded-For": place})


def test_a_code_has_more_than_twenty_bits_and_no_pattern() -> None:
    form: Any = configured.ALLAUTH_USER_CODE_FORMAT
    assert form["numeric"]
    assert form["length"] * math.log2(10) > 20
    assert configured.ACCOUNT_LOGIN_BY_CODE_TIMEOUT <= 600
    assert configured.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT <= 600
    codes = {cryptokit.generate_user_code(**form) for _ in range(500)}
    assert len(codes) > 495
    assert all(len(code) == 9 and code.replace("-", "").isdigit() for code in codes)


def test_from_fifty_places_a_victim_gets_few_codes_and_each_few_tries(one_proxy: None) -> None:
    compared, sent, statuses = 0, 0, set()
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        for minute in range(60):
            for number in range(3):
                client = Client()
                place = f"203.0.113.{(minute * 3 + number) % 50}"
                answer = ask(client, place)
                statuses.add(answer.status_code)
                if answer.status_code == 303:
                    sent += 1
                    tries = [client.post("/accounts/code/", {"code": f"1000-{n:04}"}).status_code for n in range(5)]
                    compared += tries.count(422) + 1
            clock.shift(dt.timedelta(minutes=1))
    assert (sent, len(mail.outbox), compared) == (12, 12, 36)
    assert statuses == {303, 429}


def test_of_forty_tries_at_once_three_are_compared() -> None:
    client = Client()
    ask(client)
    code = mailed_code()
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    asked: list[str] = []

    def compare(*, actual: str, expected: str) -> bool:
        asked.append(actual)
        return cryptokit.compare_user_code(actual=actual, expected=expected)

    def guess(number: int) -> int:
        each = Client()
        each.cookies.load(cookies)
        return each.post("/accounts/code/", {"code": f"{number:08}"}).status_code

    with mock.patch.object(forms, "compare_user_code", compare):
        statuses = in_threads(40, guess)
    assert len(asked) == 3
    assert {*statuses} <= {422, 429, 303}
    client.post("/accounts/code/", {"code": code})
    assert signed_in(client) is None


def test_the_codes_of_addresses_and_of_showing_again_are_counted_too() -> None:
    guest = sign_in(Client(), User.objects.create_guest("Roza"))
    guest.post("/accounts/email/", {"email": "roza@example.org"})
    code = mailed_code()
    assert [guest.post("/accounts/confirm/", {"code": "00000001"}).status_code for _ in range(3)] == [422, 422, 303]
    assert guest.post("/accounts/confirm/", {"code": code}).status_code == 303
    assert User.objects.get(name="Roza").guest
    nani = sign_in(Client(), User.objects.get(email=VICTIM))
    nani.post("/accounts/again/code/", {"recipient": VICTIM})
    path = "/accounts/again/code/confirm/"
    assert [nani.post(path, {"code": "00000001"}).status_code for _ in range(3)] == [422, 422, 303]
    assert nani.post(path, {"code": mailed_code()})["Location"] == "/accounts/again/code/"
    assert nani.get("/accounts/email/").status_code == 303


def test_a_place_is_what_the_trusted_proxy_says(one_proxy: None) -> None:
    statuses = [
        ask(Client(), f"198.51.100.{n}, 203.0.113.9", login=f"person{n}@example.org").status_code for n in range(40)
    ]
    assert statuses == [303] * 20 + [429] * 20
    assert ask(Client(), "203.0.113.10", login="person@example.org").status_code == 303
    assert len(mail.outbox) == 21


def test_without_a_proxy_its_header_says_nothing() -> None:
    statuses = [ask(Client(), f"198.51.100.{n}", login=f"person{n}@example.org").status_code for n in range(22)]
    assert statuses == [303] * 20 + [429] * 2


@pytest.mark.parametrize(
    "header", ["", "nonsense", "1.2.3.4:80", ",", "\u0661.2.3.4", "x" * 5000, "::ffff:1.2.3.4%eth0"]
)
def test_a_proxys_nonsense_is_no_fault_of_the_site(one_proxy: None, header: str) -> None:
    client = Client()
    assert ask(client, header).status_code == 303
    assert (
        client.post("/accounts/code/", {"code": mailed_code()}, headers={"X-Forwarded-For": header}).status_code == 303
    )
    assert signed_in(client)


def test_fewer_proxies_than_configured_is_no_fault_either(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 3
    assert ask(Client(), "192.0.2.1").status_code == 303


def test_passwords_are_counted_by_address_whatever_the_host_is_called(one_proxy: None, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = [".example.org"]
    statuses = []
    for number in range(8):
        headers = {"X-Forwarded-For": f"203.0.113.{number}", "Host": f"h{number}.example.org"}
        form = {"login": VICTIM, "password": "wrong-and-chai"}
        statuses.append(Client().post("/accounts/signin/", form, headers=headers).status_code)
    assert statuses == [422] * 5 + [429] * 3


def test_eight_sign_ups_at_once_make_one_account() -> None:
    form = {"name": "Roza", "email": "roza@example.org"}
    statuses = in_threads(8, lambda _: Client().post("/accounts/signup/", form).status_code)
    assert sorted(map(str, statuses)) == ["303"] * 3 + ["429"] * 5
    assert User.objects.filter(email="roza@example.org").count() == 1
    assert len(mail.outbox) == 3


def test_guests_are_not_made_by_the_thousand() -> None:
    from allauth.core.context import request_context
    from django.test import RequestFactory

    from accounts.services import guest_allowed

    request = RequestFactory().post("/")
    with request_context(request):
        assert [guest_allowed(request) for _ in range(31)] == [True] * 30 + [False]
