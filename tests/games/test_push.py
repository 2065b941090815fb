"""Notices in browsers: really encrypted and signed, to services that were named beforehand, and to nobody else."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from py_vapid import Vapid02
from pytest_django import Settings

from accounts.models import User
from games.models import PushDevice
from games.services.push import (
    FAILING,
    MOST_DEVICES,
    MOST_FAILED,
    device_kept,
    device_left,
    device_removed,
    key_made,
    push_key,
    pushed,
)
from tests.games.push_service import Browser, Service, encoded, push_service
from tests.games.stored import NOW, person

pytestmark = pytest.mark.django_db
BROWSER = Browser()
SAID = {"title": "Your turn", "text": "Follow hearts at \u2068Nani's table\u2069.", "path": "/games/abc/", "tag": "abc"}


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with push_service() as found:
        yield found


@pytest.fixture
def service(running: Service, settings: Settings) -> Service:
    running.got.clear()
    running.answers.clear()
    settings.PUSH_HOSTS = [running.origin]
    return running


def session() -> str:
    store = SessionStore()
    store.save()
    assert store.session_key
    return store.session_key


def device(user: User, endpoint: str, **changes: Any) -> PushDevice:
    given = {"agent": "Firefox on Android", "session": changes.pop("session", "") or session(), "now": NOW}
    return device_kept(**{"user": user, "endpoint": endpoint, **BROWSER.keys, **given, **changes})


def push(user: User, **changes: Any) -> bool:
    return pushed(**{"user": user, "ttl": dt.timedelta(hours=2), "now": NOW, **SAID, **changes})


def test_a_browser_reads_what_nobody_between_can(service: Service) -> None:
    nani = person()
    kept = device(nani, f"{service.origin}/a")
    assert push(nani)
    ((path, headers, body),) = service.got
    assert (path, headers["ttl"], headers["urgency"]) == ("/a", "7200", "high")
    assert BROWSER.read(body) == SAID
    assert b"hearts" not in body
    kept.refresh_from_db()
    assert (kept.used, kept.failed) == (NOW, 0)


def test_a_message_is_signed_by_this_site(service: Service) -> None:
    nani = person()
    device(nani, f"{service.origin}/a")
    push(nani)
    token = service.got[0][1]["authorization"]
    assert Vapid02.verify(token)
    assert token.endswith(f"k={push_key()}")


def test_a_later_message_takes_the_place_of_an_earlier_one_of_the_same_tag(service: Service) -> None:
    nani = person()
    device(nani, f"{service.origin}/a")
    for tag in ("one table", "one table", "another" * 30):
        push(nani, tag=tag, ttl=dt.timedelta(days=9))
    topics = [headers["topic"] for _, headers, _ in service.got]
    assert topics[0] == topics[1] != topics[2]
    assert all(len(each) == 32 for each in topics)
    assert service.got[0][1]["ttl"] == str(24 * 60 * 60)


def test_long_words_still_fit(service: Service) -> None:
    nani = person()
    device(nani, f"{service.origin}/a")
    assert push(nani, title="ਨ" * 5000, text="ਨ" * 5000)
    assert len(service.got[0][2]) < 4096


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(service: Service, status: int) -> None:
    nani = person()
    device(nani, f"{service.origin}/gone")
    device(nani, f"{service.origin}/a")
    service.answers["/gone"] = status, {}
    assert push(nani)
    assert [each.endpoint for each in PushDevice.objects.all()] == [f"{service.origin}/a"]


@pytest.mark.parametrize("status", [400, 403, 429, 500])
def test_a_failure_is_no_delivery_and_counts(service: Service, status: int) -> None:
    nani = person()
    kept = device(nani, f"{service.origin}/a")
    service.answers["/a"] = status, {"Retry-After": "60"}
    assert not push(nani)
    kept.refresh_from_db()
    assert (kept.used, kept.failed) == (None, 1)
    service.answers.clear()
    assert push(nani)
    kept.refresh_from_db()
    assert kept.failed == 0


def test_a_service_that_is_down_for_a_day_costs_nobody_their_notices(service: Service) -> None:
    nani = person()
    device(nani, f"{service.origin}/a")
    service.answers["/a"] = 503, {}
    for _ in range(MOST_FAILED + 1):
        assert not push(nani, now=NOW + dt.timedelta(days=1))
    assert PushDevice.objects.exists()
    assert not push(nani, now=NOW + FAILING + dt.timedelta(seconds=1))
    assert not PushDevice.objects.exists()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(service: Service, status: int) -> None:
    nani = person()
    device(nani, f"{service.origin}/a")
    service.answers["/a"] = status, {"Location": f"{service.origin}/b"}
    assert not push(nani)
    assert [path for path, _, _ in service.got] == ["/a"]


def test_nothing_is_sent_to_where_nothing_may_be_any_more(service: Service, settings: Settings) -> None:
    nani = person()
    kept = device(nani, f"{service.origin}/a")
    settings.PUSH_HOSTS = ["push.example.org"]
    assert not push(nani)
    assert service.got == []
    kept.refresh_from_db()
    assert kept.failed == 1


def test_a_service_that_does_not_answer_fails_without_a_word_about_the_address(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PUSH_HOSTS = ["http://127.0.0.1:1"]
    nani = person()
    device(nani, "http://127.0.0.1:1/who-has-this-can-send")
    assert not push(nani)
    assert "push not sent" in caplog.text
    assert "who-has-this" not in caplog.text


def test_who_is_signed_out_there_is_told_no_more_there(service: Service) -> None:
    nani, key = person(), session()
    device(nani, f"{service.origin}/a", session=key)
    device(nani, f"{service.origin}/b")
    SessionStore(key).delete()
    assert push(nani)
    assert [path for path, _, _ in service.got] == ["/b"]
    assert [each.endpoint for each in PushDevice.objects.all()] == [f"{service.origin}/b"]
    assert not push(nani, now=NOW + dt.timedelta(days=9999))
    assert not PushDevice.objects.exists()


def test_whoever_signs_in_next_takes_the_browser_over(service: Service) -> None:
    nani, other = person(), person("Golu")
    device(nani, f"{service.origin}/a")
    device(other, f"{service.origin}/a")
    assert not push(nani)
    assert push(other)
    assert len(service.got) == 1


def test_the_oldest_browser_makes_way(service: Service) -> None:
    nani, key = person(), session()
    for number in range(MOST_DEVICES + 1):
        device(nani, f"{service.origin}/{number}", session=key, now=NOW + dt.timedelta(minutes=number))
    found = PushDevice.objects.order_by("created").values_list("endpoint", flat=True)
    assert list(found) == [f"{service.origin}/{number}" for number in range(1, MOST_DEVICES + 1)]


def test_a_person_takes_away_their_own_browsers_only(service: Service) -> None:
    nani, other = person(), person("Golu")
    first, second = device(nani, f"{service.origin}/a"), device(nani, f"{service.origin}/b")
    assert not device_removed(user=other, device_id=first.pk)
    device_left(user=other, endpoint=second.endpoint)
    assert PushDevice.objects.count() == 2
    assert device_removed(user=nani, device_id=first.pk)
    device_left(user=nani, endpoint=second.endpoint)
    assert not PushDevice.objects.exists()


def test_nothing_is_sent_while_a_lock_may_be_held(service: Service) -> None:
    nani = person()
    device(nani, f"{service.origin}/a")
    with transaction.atomic(), pytest.raises(RuntimeError):
        push(nani)
    assert service.got == []


def test_without_a_key_nobody_is_told(service: Service, settings: Settings) -> None:
    nani = person()
    device(nani, f"{service.origin}/a")
    settings.VAPID_PRIVATE_KEY = ""
    assert not push(nani)
    assert push_key() == ""


def test_a_new_key_is_one(settings: Settings) -> None:
    made = {key_made() for _ in range(50)}
    assert {len(each) for each in made} == {43}
    settings.VAPID_PRIVATE_KEY = made.pop()
    assert len(push_key()) == 87


def test_the_settings_of_tests_sign_nothing_real() -> None:
    assert encoded(bytes(range(32))) == settings.VAPID_PRIVATE_KEY
