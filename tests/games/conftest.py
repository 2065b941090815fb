from collections.abc import Callable, Iterator
from datetime import timedelta
from queue import Empty

import pytest
import time_machine
from celery import current_app
from celery.contrib.testing.worker import start_worker

from accounts.models import User
from games.models import Game, Table
from games.services import bot_pace
from tests.games.office import boss
from tests.games.stored import NOW, game_of, over, people, person, play_on

type Tasks = Callable[[], list[tuple[str, list[int], bool]]]


@pytest.fixture
def sent() -> Tasks:
    """What was sent to the broker since it was last asked for: (task, arguments, whether to be run later)."""

    def take() -> list[tuple[str, list[int], bool]]:
        found: list[tuple[str, list[int], bool]] = []
        with current_app.connection_for_write() as line, line.SimpleQueue("celery") as queue:
            while True:
                try:
                    message = queue.get(block=False)
                except Empty:
                    return found
                message.ack()
                assert message.payload[1] == {}
                found.append((message.headers["task"], message.payload[0], message.headers["eta"] is not None))

    take()
    return take


@pytest.fixture
def worker(sent: Tasks, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Celery worker in a thread, as in the embedded default, for bots that do not wait."""
    monkeypatch.setattr(bot_pace, "PAUSE", timedelta(0))
    monkeypatch.setattr(bot_pace, "LEAD_PAUSE", timedelta(0))
    with start_worker(current_app, pool="solo", perform_ping_check=False, shutdown_timeout=30):
        yield


@pytest.fixture
def nani() -> User:
    return person("Nani")


@pytest.fixture
def roza() -> User:
    return person("Roza")


@pytest.fixture
def four() -> list[User]:
    return [person(name) for name in ("Nani", "Bilal", "Amrit", "Roza")]


@pytest.fixture
def by() -> User:
    """An operator."""
    return boss()


@pytest.fixture
def done() -> Game:
    return over(game_of(persons=people(4)))


@pytest.fixture
def running() -> Game:
    """The first of three deals, in its second trick."""
    game = game_of(persons=people(4))
    Table.objects.update(deals=3)
    play_on(game, lambda state: state.tricks == 1 and len(state.trick) == 1)
    return Game.objects.select_related("table").get()


@pytest.fixture
def then() -> Iterator[None]:
    """Let it be the moment at which tests store what they store."""
    with time_machine.travel(NOW):
        yield


@pytest.fixture
def pair() -> tuple[User, User]:
    """Two who have met at a table."""
    one, other = people(2)
    game_of(persons=[one, other], bots=1)
    return one, other
