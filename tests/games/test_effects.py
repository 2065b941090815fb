"""What leaves the database's room: ids and numbers; and what happens when it cannot leave (trust.md S5, S17, S19)."""

import asyncio
import io
import logging
import re
import socket
import subprocess
import sys
import time
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from celery import Celery
from channels.layers import channel_layers, get_channel_layer
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from bhabhi_site.settings.base import redis_services
from games import effects, tasks
from games.models import Game, Move, Turn
from games.rules.ruleset import Ruleset
from games.selectors.due import turns_due
from games.selectors.games import game_state
from games.services.bot_turns import GRACE
from tests.games.conftest import Tasks
from tests.games.stored import NOW, ROOT, chosen, everything, game_of, person, play, play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

# A port of this computer on which nothing listens.
NOWHERE = "redis://127.0.0.1:1/0"
CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b|clubs|diamonds|hearts|spades")


async def heard(layer: Any, channel: str) -> Any:
    """The next ring; none for ten seconds is a fault."""
    return await asyncio.wait_for(layer.receive(channel), 10)


def test_everything_that_leaves_is_ids_and_numbers(sent: Tasks) -> None:
    game = game_of(Ruleset(opening="any_order"), persons=[person()], bots=3)
    layer: Any = get_channel_layer()
    channel = async_to_sync(layer.new_channel)()
    async_to_sync(layer.group_add)(effects.RINGS, channel)
    rung, asked = [], []
    while Game.objects.get(pk=game.pk).status == "running":
        state = game_state(game)
        play(game, chosen(state, state.awaited[-1]), version=state.entries, key=f"key {state.entries}")
        rung.append(async_to_sync(heard)(layer, channel))
        asked += sent()
    last = Game.objects.get(pk=game.pk)
    # The bell is a thread of its own: what rang before the first card may have come after it.
    while rung[-1]["version"] < last.version:
        rung.append(async_to_sync(heard)(layer, channel))
    at = rung[-1]["at"]
    by = rung[-1]["by"]
    assert by in (0, game.table.host_id)
    numbers = {"game": game.pk, "table": game.table_id, "version": last.version, "revision": last.revision, "by": by}
    assert rung[-1] == {"type": "game.changed", "at": at} | numbers
    assert {tuple(message) for message in rung} == {("type", *numbers, "at")}
    assert all(type(message[name]) is int for message in rung for name in numbers)
    assert all(type(message["at"]) is float for message in rung)
    assert asked
    for name, arguments, _ in asked:
        assert name == effects.BOT_TURN
        assert [type(each) for each in arguments] == [int, int]
    assert not CARD.search(f"{rung} {asked}")


def down_broker(url: str = NOWHERE) -> Celery:
    app = Celery("down", broker=url, set_as_current=False)
    app.conf.broker_transport_options = redis_services(url)["CELERY_BROKER_TRANSPORT_OPTIONS"]
    return app


def test_a_move_stands_when_layer_and_broker_are_down(
    settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = game_of(bots=3)
    state = game_state(game)
    settings.CHANNEL_LAYERS = redis_services(NOWHERE)["CHANNEL_LAYERS"]
    assert type(channel_layers["default"]).__name__ == "RedisChannelLayer"
    monkeypatch.setattr(effects, "current_app", down_broker())
    caplog.set_level(logging.WARNING)
    began = time.monotonic()
    outcome = play(game, chosen(state, state.power))
    assert time.monotonic() - began < 3
    effects._bell.rung(5)
    effects._post.sent(5)
    assert (outcome.version, Game.objects.get(pk=game.pk).version) == (1, 1)
    said = [record.getMessage() for record in caplog.records if record.name == "games.effects"]
    assert len(said) == 2
    assert any("ring lost" in each for each in said)
    assert any("send for bots" in each for each in said)
    assert not CARD.search(" ".join(said))


def test_who_plays_waits_for_no_broker_that_hangs(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = game_of(bots=3)
    state = game_state(game)
    caplog.set_level(logging.WARNING)
    # It takes connections, and never says a word.
    with socket.create_server(("127.0.0.1", 0)) as hangs:
        monkeypatch.setattr(effects, "current_app", down_broker(f"redis://127.0.0.1:{hangs.getsockname()[1]}/0"))
        play(game, chosen(state, state.power))
        assert Game.objects.get(pk=game.pk).version == 1
        said = [record.getMessage() for record in caplog.records if "send for bots" in record.getMessage()]
        assert said == []
    # Now its connections are refused.
    effects._post.sent(20)
    assert [record for record in caplog.records if "send for bots" in record.getMessage()]


KILLED = """
import os, signal, sys
import django
django.setup()
from games import effects
from games.services import play, projections
from games.services.bot_turns import bot_move
from django.utils import timezone
def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[4]
module, name = sys.argv[1].rsplit(".", 1)
setattr({"play": play, "effects": effects}[module], name, killed)
bot_move(game_id=int(sys.argv[2]), version=int(sys.argv[3]), now=timezone.now())
"""


def bot_killed_at(point: str, game: Game) -> None:
    """Let a bot move in a process of its own, which dies by SIGKILL when it comes to a point."""
    database = str(connection.settings_dict["NAME"])
    command = [sys.executable, "-c", KILLED, point, str(game.pk), str(game.version), database]
    died = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=60)
    assert died.returncode == -9, died.stderr.decode()


class TestKilled:
    """A worker that dies at a commit point: the move is there whole or not at all, and the game goes on."""

    @pytest.fixture
    def game(self) -> Game:
        game = game_of(Ruleset(taking="off"), bots=4)
        play_on(game, lambda state: state.tricks == 1 and len(state.trick) == 1)
        return game

    @pytest.mark.parametrize("point", ["play.waste_followed", "play._append", "play.turns_set", "play.game_projected"])
    def test_before_the_commit_nothing_has_happened(self, game: Game, point: str) -> None:
        before = everything()
        bot_killed_at(point, game)
        assert everything() == before
        call_command("verify_games", stdout=io.StringIO())

    def test_after_the_commit_the_sweep_sends_again(self, game: Game, sent: Tasks) -> None:
        bot_killed_at("effects.tell", game)
        assert Move.objects.filter(game=game).count() == game.version + 1
        call_command("verify_games", stdout=io.StringIO())
        assert sent() == []
        assert turns_due(now=timezone.now(), grace=GRACE).bots == ()
        Turn.objects.update(since=NOW, due_at=NOW)
        assert turns_due(now=timezone.now(), grace=GRACE).bots == ((game.pk, game.version + 1),)
        tasks.sweep()
        [(name, arguments, _)] = sent()
        assert name == effects.BOT_TURN
        tasks.bot_turn(*arguments)
        assert Move.objects.filter(game=game).count() == game.version + 2
