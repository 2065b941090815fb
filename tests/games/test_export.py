import io
import json

import pytest
from django.core.management import CommandError, call_command

from games.models import Result
from games.rules.record import check_line, record_dict
from games.selectors.records import game_record
from tests.games.stored import game_of, game_recorded, played, recorded

pytestmark = pytest.mark.django_db


def export(code: str) -> str:
    out = io.StringIO()
    call_command("export_game", code, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize(("file", "why"), [("edges", "drawn_thrice"), ("edges", "conceded"), ("strict", None)])
def test_a_finished_game_is_one_line_equal_to_its_record(file: str, why: str | None) -> None:
    record = recorded(file, why=why)
    game = game_recorded(record)
    played(game, record)
    line = export(game.code)
    assert line.count("\n") == 1
    found = json.loads(line)
    assert {name: found[name] for name in ("rules", "players", "dealer", "moves", "result")} == {
        "rules": record.rules.as_dict(),
        "players": len(record.hands),
        "dealer": record.dealer,
        "moves": record_dict(record, None)["moves"],
        "result": record.result,
    }
    verdict = check_line(line)
    assert verdict.ok
    assert verdict.over


def test_a_running_game_or_none_is_a_sentence() -> None:
    game = game_of(bots=3)
    with pytest.raises(CommandError, match=r"^This game is still being played: its record would show hidden cards\.$"):
        export(game.code)
    with pytest.raises(CommandError, match=r"^There is no game with this code\.$"):
        export("nothing")
    with pytest.raises(Result.DoesNotExist):
        game_record(game)
