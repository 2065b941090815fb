"""How the site is, on one page of the desk."""

import datetime as dt
import threading
from dataclasses import replace

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.roles import role_given
from games.models import Game, Notice, Pulse
from games.services import health
from games.services.health.check import Found, State, well
from tests.games.pages import client_of
from tests.games.stored import NOW, game_of, people

pytestmark = pytest.mark.django_db


def test_it_says_what_doctor_says_and_what_waits() -> None:
    game = game_of(persons=people(3))
    Game.objects.filter(pk=game.pk).update(aside=NOW)
    Notice.objects.create(kind="over", game=game, key="late", due=NOW, created=NOW)
    Pulse.objects.create(name="backup", at=NOW)
    support = User.objects.create_user("support@example.org", name="Support", verified=True)
    role_given(support, "support")
    page = client_of(support).get("/admin/health/").content.decode()
    assert all(f'<th scope="row">{name}</th>' in page for name in health.NAMES)
    for said in ("No sweep has run yet.", game.code, "2026-01-31 12:00 UTC", "Django", "Notices that wait"):
        assert said in page, said
    # Support reads, and takes nothing up.
    assert "/do/take-up/" not in page


def test_a_part_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()

    def hangs(_now: dt.datetime) -> Found:
        let_go.wait(30)
        return well("At last.")

    parts = tuple(replace(each, look=hangs) if each.name == "mail" else each for each in health.PARTS)
    monkeypatch.setattr(health, "PARTS", parts)
    try:
        found = {each.name: each for each in health.looked_over(now=timezone.now(), patience=3)}
    finally:
        let_go.set()
    assert tuple(found) == health.NAMES
    assert (found["mail"].state, found["mail"].said) == (State.BROKEN, "No answer in time.")
    # What the tests' PostgreSQL is warned of is no matter here.
    assert found["database"].state in (State.OK, State.WARNING)


def test_nothing_is_posted_there() -> None:
    boss = User.objects.create_superuser("boss@example.org", name="Boss", verified=True)
    assert client_of(boss).post("/admin/health/").status_code == 405
