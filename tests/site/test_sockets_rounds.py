"""The sockets of a game are served together: in one job, each with its own, and who acted last."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from autobahn.exception import Disconnected

from games.live import places
from games.live.checks import checked
from games.live.frames import Asked, board_frames
from games.live.hub import hub
from games.live.places import OWN
from games.metrics import LIVE_FAILED, REGISTRY
from games.models import Game
from games.selectors.games import game_state
from games.services.extensions import everybody_extended
from tests.games.pacing import slow_game
from tests.games.stored import people
from tests.site.talks import Talk, at_of, cookie_of, in_thread, moved, path_of, world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

FAULTS_MEANT = True


class Jobs:
    """The jobs that were done, by how many were served; each waits for `gate`, and fails for who is in `broken`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: list[int] = []
        self.broken: set[int] = set()
        self.gate, self.begun = threading.Event(), threading.Event()
        self.gate.set()
        monkeypatch.setattr(places, "board_frames", self._made)

    def _made(self, *, asked: Sequence[Asked], **given: Any) -> list[Any]:
        self.begun.set()
        assert self.gate.wait(5)
        self.done.append(len(asked))
        found = board_frames(asked=asked, **given)
        return [
            ValueError() if each.user_id in self.broken else frame for each, frame in zip(asked, found, strict=True)
        ]


async def opened(game: Game, cookies: Sequence[str]) -> list[Talk]:
    talks = []
    for each in cookies:
        talks.append(await Talk(path_of(game), each).opened())
        assert await talks[-1].heard() == {"here": []}
    return talks


async def gone(talks: Sequence[Talk]) -> None:
    for each in talks:
        await each.gone()
    assert (dict(hub.games), hub.rounds) == ({}, set())


def fanned_out() -> float:
    return REGISTRY.get_sample_value("getaway_fanout_seconds_count") or 0


def poster(game: Game) -> int:
    return game_state(game).awaited[0]


async def test_one_job_serves_all_but_who_played(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    jobs, seat = Jobs(monkeypatch), await in_thread(poster, game)
    talks = await opened(game, [cookies[seat], *cookies])
    tab, own = talks[0], talks.pop(1 + seat)
    before = fanned_out()
    await in_thread(moved, game)
    # Its page has had the board as an answer, and says so.
    await own.beat(at_of(game))
    assert await own.heard() == {"ok": 1}
    for each in talks[1:]:
        assert 'data-version="1"' in await each.board()
    # The other page of who played gets it a little later.
    assert 'data-version="1"' in await tab.board()
    assert jobs.done == [3, 1]
    assert await own.receive_nothing(OWN)
    # That it waited was meant: it is no delay.
    assert fanned_out() == before + 3
    await gone([own, *talks])


async def test_a_beat_before_the_ring_is_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    jobs, seat = Jobs(monkeypatch), await in_thread(poster, game)
    [own] = await opened(game, [cookies[seat]])
    await own.beat("1.2")
    assert await own.heard() == {"ok": 1}
    await in_thread(moved, game)
    assert await own.receive_nothing(2 * OWN)
    assert jobs.done == []
    # What it does not show is healed by the next check.
    await own.beat("7.7")
    await checked(hub)
    assert 'data-version="1"' in await own.board()
    await gone([own])


async def test_whoever_acts_next_ends_the_wait_of_who_acted(monkeypatch: pytest.MonkeyPatch) -> None:
    users = await in_thread(people, 4)
    game = await in_thread(slow_game, users)
    monkeypatch.setattr(places, "OWN", 60.0)
    seat = await in_thread(poster, game)
    [own] = await opened(game, [await in_thread(cookie_of, users[seat])])
    await in_thread(moved, game)
    assert await own.receive_nothing(0.2)
    await in_thread(lambda: everybody_extended(game_id=game.pk, user=users[seat - 1], now=game.created))
    assert 'data-revision="3"' in await own.board()
    await gone([own])


async def test_a_fault_of_one_board_takes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    game, users, cookies = await in_thread(world)
    jobs, seat = Jobs(monkeypatch), await in_thread(poster, game)
    others = [each for each in range(4) if each != seat]
    talks = await opened(game, [cookies[each] for each in others])
    jobs.broken = {users[others[0]].pk}
    await in_thread(moved, game)
    for each in talks[1:]:
        assert 'data-version="1"' in await each.board()
    assert await talks[0].receive_nothing(0.2)
    assert jobs.done == [3]
    jobs.broken.clear()
    await checked(hub)
    assert 'data-version="1"' in await talks[0].board()
    await gone(talks)


async def test_whoever_has_gone_takes_no_board_from_others() -> None:
    """Nor is that a fault: pages are left all the time."""
    game, users, cookies = await in_thread(world)
    talks = await opened(game, cookies)

    async def left(_: Any) -> None:
        raise Disconnected

    seat, faults = await in_thread(poster, game), float(LIVE_FAILED.labels("fault")._value.get())
    rest = [each for each in range(4) if each != seat]
    [goes] = hub.people[users[rest[0]].pk]
    goes._send = left
    await in_thread(moved, game)
    for each in rest[1:]:
        assert 'data-version="1"' in await talks[each].board()
    # It speaks once more before it is heard that it has gone.
    await talks[rest[0]].beat(at_of(game))
    assert await talks[rest[0]].receive_nothing(0.2)
    assert float(LIVE_FAILED.labels("fault")._value.get()) == faults
    await gone(talks)


async def test_what_happens_while_a_job_runs_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    jobs, seat = Jobs(monkeypatch), await in_thread(poster, game)
    others = [each for each in range(4) if each != seat]
    talks = await opened(game, [cookies[each] for each in others[:2]])
    jobs.gate.clear()
    await in_thread(moved, game)
    assert await asyncio.to_thread(jobs.begun.wait, 5)
    late = await Talk(path_of(game, "0.0"), cookies[others[2]]).opened()
    await talks[1].gone()
    await in_thread(moved, game)
    jobs.gate.set()
    boards = [await talks[0].board(), await late.board()]
    if 'data-version="1"' in boards[0]:
        await talks[0].beat("1.2")
        boards[0] = await talks[0].board()
    assert all('data-version="2"' in each for each in boards)
    await gone([talks[0], late])
