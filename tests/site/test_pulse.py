"""The pages' pulse: it beats while the loop that serves them turns, and says so to the sweep."""

import asyncio
from typing import Any

import pytest

from bhabhi_site import pulse
from bhabhi_site.asgi import application
from bhabhi_site.pulse import WebPulse, beat
from games.models import Pulse
from tests.games.stored import in_threads


async def served(scope: Any, receive: Any, send: Any) -> None:
    await send(scope)


async def asked(site: Any) -> None:
    async def nothing(_: Any = None) -> None: ...

    await site({"type": "http"}, nothing, nothing)


async def beats(monkeypatch: pytest.MonkeyPatch, *, every: float, wrong: int = 0) -> tuple[WebPulse, list[int]]:
    """A site that was asked three times, and how often it has beaten since; the first ones may go wrong."""
    count: list[int] = []

    def counted() -> None:
        count.append(len(count))
        if len(count) <= wrong:
            raise OSError

    monkeypatch.setattr(pulse, "beat", counted)
    site = WebPulse(served, every)
    for _ in range(3):
        await asked(site)
    return site, count


async def turned(count: list[int], wanted: int) -> None:
    for _ in range(500):
        if len(count) >= wanted:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(count)


async def stopped(site: WebPulse) -> None:
    assert site._beating is not None
    site._beating.cancel()
    await asyncio.gather(site._beating, return_exceptions=True)


async def test_it_beats_from_the_first_request_on_once_however_many_come(monkeypatch: pytest.MonkeyPatch) -> None:
    site, count = await beats(monkeypatch, every=60)
    await turned(count, 1)
    await asked(site)
    await asyncio.sleep(0)
    assert len(count) == 1
    await stopped(site)


async def test_it_goes_on_when_the_database_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    site, count = await beats(monkeypatch, every=0.001, wrong=2)
    await turned(count, 4)
    await stopped(site)


async def test_it_begins_again_in_another_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    site, count = await beats(monkeypatch, every=60)
    await turned(count, 1)
    await stopped(site)
    site.start()
    await turned(count, 2)
    await stopped(site)


async def test_without_an_interval_it_does_not_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    site, count = await beats(monkeypatch, every=0)
    await asyncio.sleep(0.01)
    assert (site._beating, count) == (None, [])


def test_the_site_is_served_by_one() -> None:
    assert isinstance(application, WebPulse)


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite_too
def test_a_beat_is_stored_from_any_thread() -> None:
    assert in_threads(3, lambda _: beat()) == [None] * 3
    assert [each.name for each in Pulse.objects.all()] == ["web"]
