from typing import Any

import pytest

from games import effects
from games.services.locks import table_locked, writing
from tests.games.stored import game_of, in_threads

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def test_while_effects_run_others_may_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that is slow to answer holds up whoever played, and nobody else."""
    written: list[object] = []

    def write(_: int) -> bool:
        with writing():
            return True

    def slow(*_: Any, **__: Any) -> None:
        written.extend(in_threads(1, write))

    monkeypatch.setattr(effects, "tell", slow)
    game_of(bots=3)
    assert written == [True]


def test_what_fails_lets_the_next_one_write() -> None:
    game = game_of(bots=3)

    def fail(_: int) -> None:
        with writing():
            raise ZeroDivisionError

    def write(_: int) -> int:
        with writing():
            return table_locked(game.table_id).pk

    with pytest.raises(ZeroDivisionError):
        fail(0)
    assert in_threads(1, write) == [game.table_id]
