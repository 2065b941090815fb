"""/readyz: whether the site is at work, asked by alarms."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from bhabhi_site import views
from games.services import health
from games.services.health import READY, ready
from games.services.health.check import broken, well
from games.services.pulse import SWEEP, pulsed
from tests.site.commands import PRODUCTION, manage

# Its parts are looked at in threads of their own, which see only what is committed.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

WELL = "database ok\nbroker ok\nmigrations ok\nsweep ok\n"


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "readiness", views.Readiness())


def swept(**ago: float) -> None:
    pulsed(name=SWEEP, now=timezone.now() - timedelta(**ago))


def asked(client: Client) -> tuple[int, str]:
    answer = client.get("/readyz")
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, answer.content.decode()


def changed(monkeypatch: pytest.MonkeyPatch, name: str, look: Any) -> None:
    parts = tuple(replace(part, look=look) if part.name == name else part for part in health.PARTS)
    monkeypatch.setattr(health, "PARTS", parts)


def test_it_is_ready(client: Client) -> None:
    swept(seconds=30)
    assert asked(client) == (200, WELL)
    assert client.post("/readyz").status_code == 405


def test_it_is_not_two_minutes_after_beat_has_stopped(client: Client) -> None:
    swept(minutes=2)
    assert asked(client) == (503, WELL.replace("sweep ok", "sweep broken"))


def _wrong(_now: Any) -> Any:
    raise RuntimeError("of somebody@example.org")


@pytest.mark.parametrize("name", READY)
def test_it_is_not_without_one_of_its_parts(client: Client, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    swept(seconds=30)
    changed(monkeypatch, name, _wrong)
    assert asked(client) == (503, WELL.replace(f"{name} ok", f"{name} broken"))


@pytest.fixture
def held() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_part_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, held: threading.Event) -> None:
    swept(seconds=30)
    changed(monkeypatch, "broker", lambda _: well("late") if held.wait(20) else broken("", ""))
    found = ready(now=timezone.now(), patience=0.5)
    assert found["broker"] is False


def test_of_many_who_ask_one_looks_and_migrations_are_asked_for_until_complete(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    count: list[str] = []

    def look(found: Any) -> Any:
        def looked(_now: Any) -> Any:
            count.append(found.state)
            return found

        return looked

    for name in READY:
        changed(monkeypatch, name, look(well("so it is")))
    changed(monkeypatch, "migrations", look(broken("not yet", "")))
    assert [asked(client)[0] for _ in range(3)] == [503] * 3
    assert len(count) == 4
    changed(monkeypatch, "migrations", look(well("now")))
    monkeypatch.setattr(views, "KEPT", 0)
    assert [asked(client)[0] for _ in range(3)] == [200] * 3
    assert len(count) == 4 + 4 + 3 + 3


def test_production_answers_it_without_https() -> None:
    code = "from django.conf import settings; print(settings.SECURE_REDIRECT_EXEMPT)"
    assert "readyz" in manage("shell", "-v", "0", "-c", code, **PRODUCTION).stdout
