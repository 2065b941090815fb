"""What goes wrong behind a socket: it is told, keeps nobody else waiting, and leaves none open for ever."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.db import OperationalError

from games.live import newcomers
from games.live.checks import checked
from games.live.hub import Hub, hub
from games.live.sockets import Socket
from games.metrics import LIVE_FAILED, RINGS_LOST, SOCKETS
from tests.games.stored import people
from tests.site.talks import Talk, at_of, cookie_of, in_thread, moved, path_of, world
from tests.site.watched import faults_kept, lines_of, log_lines

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

FAULTS_MEANT = True


@pytest.fixture(autouse=True)
def _said_nothing_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "_said", {})


def failed(why: str) -> float:
    return float(LIVE_FAILED.labels(why)._value.get())


def failing(*_: Any, **__: Any) -> None:
    hand = ["AS", "KS", "QS"]
    raise RuntimeError(f"cannot show {hand[0]}")


def away(**_: Any) -> None:
    raise OperationalError("the database is away")


async def test_a_fault_of_a_push_is_told_once_and_names_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    talk = await Talk(path_of(game), cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    before = failed("fault")
    monkeypatch.setattr("games.live.places.board_frames", failing)
    with faults_kept() as kept, log_lines() as found:
        await in_thread(moved, game)
        for _ in range(3):
            await checked(hub)
        assert await talk.receive_nothing(0.3)
    assert failed("fault") >= before + 3
    [envelope] = kept
    event = json.loads(envelope.splitlines()[2])
    assert event["exception"]["values"][0]["type"] == "RuntimeError"
    assert event["exception"]["values"][0]["stacktrace"]["frames"][-1]["function"] == "failing"
    assert not re.search(r"\b[AKQ]S\b|cannot show|vars|cookie|context_line", envelope.decode())
    assert game.code not in envelope.decode()
    [said] = [each for each in lines_of(found) if each["event"] == "live failed"]
    assert (said["level"], said["what"], said["error"]) == ("error", "push", "RuntimeError")
    await talk.gone()


@pytest.mark.parametrize("since", ["².²", "1.²", "9" * 40 + ".0", ".", "-1.-1", "1.2.3", "\0", "%ff"])
async def test_what_somebody_says_that_they_show_is_nobody_elses_fault(since: str) -> None:
    game, _, cookies = await in_thread(world)
    stranger = await in_thread(lambda: cookie_of(people(1)[0]))
    talk = await Talk(path_of(game), cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    odd = await Talk(path_of(game, quote(since, safe="%")), cookies[2]).opened()
    other = await Talk(path_of(game, quote(since, safe="%")), stranger).opened()
    # Each is told what they may see, and no more; and the one beside them hears of the next card.
    assert f'data-version="{game.version}"' in await odd.board()
    assert await other.closed() == 4404
    await in_thread(moved, game)
    assert 'data-version="1"' in await talk.board()
    await odd.beat("0.0")
    assert 'data-version="1"' in await odd.board()
    for each in (talk, odd, other):
        await each.gone()


async def test_the_ear_hears_on_whatever_goes_wrong_with_a_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    talk = await Talk(path_of(game), cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    lost = RINGS_LOST._value.get()
    with monkeypatch.context() as broken, faults_kept() as kept:
        broken.setattr(hub, "rung", failing)
        await in_thread(moved, game)
        assert await talk.receive_nothing(0.3)
        assert len(kept) == 1
    await in_thread(moved, game)
    assert 'data-version="2"' in await talk.board()
    assert RINGS_LOST._value.get() == lost
    await talk.gone()


async def test_a_database_that_is_away_is_no_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    talk = await Talk(path_of(game), cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    before = failed("away")
    monkeypatch.setattr("games.live.places.board_frames", away)
    with faults_kept() as kept:
        await in_thread(moved, game)
        await checked(hub)
        assert await talk.receive_nothing(0.3)
    assert (kept, failed("away") > before) == ([], True)
    await talk.gone()


async def test_a_fault_beside_a_push_is_told_too() -> None:
    async def beside() -> None:
        raise RuntimeError

    with faults_kept() as kept:
        hub.spawn(beside())
        await asyncio.sleep(0.05)
    assert len(kept) == 1


def judged_badly(monkeypatch: pytest.MonkeyPatch, bad: Callable[[Socket], bool]) -> None:
    """Let it fail to say whose a socket is; many at once fail with one of them."""
    judged = newcomers._judged

    async def fails(hub: Hub, batch: list[Socket]) -> None:
        if any(map(bad, batch)):
            raise RuntimeError
        await judged(hub, batch)

    monkeypatch.setattr(newcomers, "AGAIN", 0.01)
    monkeypatch.setattr(newcomers, "_judged", fails)


async def test_who_comes_while_nobody_can_say_whose_it_is_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    with monkeypatch.context() as broken:
        judged_badly(broken, lambda _: True)
        talks = [await Talk(path_of(game, "0.0"), each).opened() for each in cookies]
        for each in talks:
            assert await each.receive_nothing(0.1)
        assert (len(hub.newcomers), hub.sockets()) == (4, [])
    for each in talks:
        assert 'data-version="0"' in await each.board()
    assert (hub.newcomers, len(hub.sockets())) == ([], 4)
    for each in talks:
        await each.gone()


async def test_one_who_cannot_be_told_keeps_nobody_else_from_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    bad = cookies[0].partition("=")[2]
    judged_badly(monkeypatch, lambda socket: socket.session == bad)
    talks = [await Talk(path_of(game, "0.0"), each).opened() for each in cookies]
    for each in talks[1:]:
        assert 'data-version="0"' in await each.board()
    assert [each.session for each in hub.newcomers] == [bad]
    # Whatever it says: it is none that is heard.
    hub.newcomers[0].heard -= 61
    await talks[0].beat(at_of(game))
    await checked(hub)
    assert await talks[0].closed() == 4408
    assert SOCKETS._value.get() == 3
    for each in talks:
        await each.gone()
    await asyncio.sleep(0.05)
    assert hub.newcomers == []
