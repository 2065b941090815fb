"""A backup of PostgreSQL while people play: what it says of itself is of the moment that it holds."""

import io
import threading
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections

from games.models import Game, Move
from games.services.backups import postgres
from games.services.backups.making import backup_made
from tests.games.pacing import slow_game
from tests.games.stored import NOW, play_on

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_card_played_meanwhile_is_not_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, run = slow_game(), postgres._run
    play_on(game, lambda state: state.entries == 7)

    def slow(command: list[str], place: postgres.Place) -> None:
        player = threading.Thread(target=_played, args=(game,))
        player.start()
        player.join()
        run(command, place)

    with monkeypatch.context() as patch:
        patch.setattr(postgres, "_run", slow)
        file = backup_made(folder=tmp_path, now=NOW)
    assert Move.objects.count() == 8
    with postgres.database_aside() as place:
        call_command("verify_backup", str(file), into=postgres.url_of(place), stdout=io.StringIO())
        assert postgres.facts_at(place).rows["games_move"] == 7


def _played(game: Game) -> None:
    try:
        play_on(game, lambda state: state.entries == 8)
    finally:
        connections.close_all()
