"""Metrics, log lines and faults: what those who watch learn, and that it is no card, token or address (S40)."""

import json
import re
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from asgiref.testing import ApplicationCommunicator
from celery import shared_task
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path
from pytest_django import Settings

from bhabhi_site import watching
from bhabhi_site.asgi import application
from bhabhi_site.faults import telling
from bhabhi_site.request_ids import task_begun, task_ended
from bhabhi_site.watching import Watching, watching_begun, watching_ended
from games import tasks
from games.metrics import MOVES, REGISTRY
from games.models import Game, Move
from games.selectors.games import game_state
from games.services.pulse import BACKUP, SWEEP, pulsed, site_now
from tests.games.stored import chosen, game_of, people, play
from tests.site.commands import ROOT
from tests.site.watched import faults_kept, lines_of, log_lines

HAND = "AS KS QS"
TOKEN = "kTq3Xh_0-aB9zQw2LmNpRs"


def failing(hand: str) -> None:
    """Fail with a hand in a local and in the words."""
    cards = hand.split()
    raise RuntimeError(f"cannot play {cards[0]}")


def view(request: HttpRequest, token: str) -> HttpResponse:
    failing(HAND)
    return HttpResponse(token)


urlpatterns = [path("i/<str:token>/", view, name="invite")]


@shared_task(name="tests.failing")
def failing_task(game_id: int) -> None:
    failing(HAND)


async def failing_socket(_scope: Any, _receive: Any, _send: Any) -> None:
    failing(HAND)


def scraped(served: Watching) -> str:
    with urlopen(f"http://127.0.0.1:{served.port}/metrics", timeout=10) as answer:
        return str(answer.read().decode())


def figure(text: str, name: str) -> float:
    (found,) = re.findall(rf"(?m)^{re.escape(name)} (\S+)$", text)
    return float(found)


@pytest.mark.django_db(transaction=True)
def test_metrics_tell_how_the_site_is_and_of_nobody(settings: Settings) -> None:
    settings.BACKUP_TO = "/somewhere"
    game = game_of(persons=people(3), bots=1)
    played = MOVES.labels("person")._value.get(), MOVES.labels("bot")._value.get()
    for _ in range(4):
        state = game_state(game)
        play(game, chosen(state, state.awaited[0]), version=state.entries)
    Game.objects.filter(pk=game.pk).update(aside=site_now())
    pulsed(name=SWEEP, now=site_now())
    Client().get(f"/games/{game.code}/")
    Client().get(f"/i/{TOKEN}/")
    served = Watching("127.0.0.1", 0)
    try:
        text = scraped(served)
        assert figure(text, "getaway_sweep_age_seconds") < 60
        assert figure(text, "getaway_backup_age_seconds") == float("inf")
        assert figure(text, "getaway_games_aside") == figure(text, "getaway_database_up") == 1
        assert figure(text, "getaway_outbox_due") >= 0
        entries = [Move.objects.filter(actor=actor).count() for actor in (Move.Actor.HAND, Move.Actor.BOT)]
        assert all(entries)
        counted = [figure(text, f'getaway_moves_total{{actor="{actor}"}}') for actor in ("person", "bot")]
        assert counted == [before + now for before, now in zip(played, entries, strict=True)]
        assert 'route="table"' in text
        assert TOKEN not in text
        assert game.code not in text
        # What was found is kept: nobody can make the database busy by asking.
        pulsed(name=BACKUP, now=site_now())
        assert figure(scraped(served), "getaway_backup_age_seconds") == float("inf")
    finally:
        served.close()
    with pytest.raises(OSError, match="refused"):
        scraped(served)


@pytest.mark.django_db
def test_metrics_say_that_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise RuntimeError

    monkeypatch.setattr("games.services.pulse.site_now", away)
    monkeypatch.setattr("bhabhi_site.watching.connections.close_all", lambda: None)
    assert [(each.name, each.samples[0].value) for each in watching.Stored().collect()] == [("getaway_database_up", 0)]


def test_a_port_that_is_taken_keeps_no_site_down(settings: Settings) -> None:
    settings.METRICS_PORT = 0
    assert watching_begun() is None
    taken = Watching("127.0.0.1", 0)
    try:
        settings.METRICS_PORT = taken.port
        with log_lines() as found:
            assert watching_begun() is None
        assert [line["event"] for line in lines_of(found)] == ["no metrics"]
    finally:
        taken.close()
    served = watching_begun()
    assert served is not None
    assert watching_begun() is served
    watching_ended()


@pytest.mark.django_db
def test_every_line_of_a_request_bears_its_number(settings: Settings) -> None:
    game = game_of(persons=people(3))
    with log_lines() as found:
        Client(headers={"X-Request-Id": "given-12345"}).get(f"/games/{game.code}/")
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
        for number in ("given-12345", "short", "x" * 65, 'given"\n{"event": "forged"}'):
            Client(headers={"X-Request-Id": number}).get(f"/games/{game.code}/")
        Client().get(f"/i/{TOKEN}/")
        Client().get(f"/nowhere/{TOKEN}/")
        Client().get("/static/games/site.css")
    ours = [line for line in lines_of(found) if line["event"] == "request"]
    assert [(line["route"], line["status"]) for line in ours] == [("table", 302)] * 5 + [
        ("invite", 404), ("none", 404), ("static", 200),
    ]  # fmt: skip
    assert [line["request"] == "given-12345" for line in ours] == [False, True, *[False] * 6]
    assert len({line["request"] for line in ours}) == 8
    assert [line.get("code") for line in ours] == [game.code] * 5 + [None] * 3
    assert all(line["ms"] > 0 and line["timestamp"].endswith("Z") for line in ours)
    assert TOKEN not in "".join(map(str, ours))


@pytest.mark.django_db
async def test_the_chain_stays_in_one_thread_and_numbers_reach_it_there() -> None:
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/i/" + TOKEN + "/",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }
    with log_lines() as found:
        talk = ApplicationCommunicator(application, scope)
        await talk.send_input({"type": "http.request", "body": b""})
        assert (await talk.receive_output(10))["status"] == 404
        await talk.wait()
    lines = lines_of(found)
    numbers = {line["request"] for line in lines if "request" in line}
    assert len(numbers) == 1
    assert TOKEN not in found.getvalue()


def test_a_task_is_named_in_its_lines() -> None:
    import structlog

    task_begun(task_id="1-2", task=tasks.order, args=(7, 1))
    with log_lines() as found:
        structlog.get_logger("x").warning("one")
        task_ended()
        structlog.get_logger("x").warning("two")
    one, two = lines_of(found)
    assert (one["task"], one["task_id"], one["game"]) == ("games.order", "1-2", 7)
    assert "task" not in two


@override_settings(ROOT_URLCONF="tests.site.test_watching")
@pytest.mark.django_db
async def test_a_fault_tells_sentry_where_and_nothing_of_what() -> None:
    headers = [(b"host", b"localhost"), (b"cookie", b"sessionid=" + TOKEN.encode()), (b"user-agent", b"Agent 007")]
    scope = {"type": "http", "method": "GET", "path": f"/i/{TOKEN}/", "query_string": b"a=" + TOKEN.encode()}
    with faults_kept() as kept:
        talk = ApplicationCommunicator(application, scope | {"headers": headers})
        await talk.send_input({"type": "http.request", "body": b""})
        assert (await talk.receive_output(10))["status"] == 500
        await talk.wait()
        with pytest.raises(RuntimeError):
            await telling(failing_socket)({"type": "websocket"} | scope, None, None)
        failing_task.apply(args=(7,))
    assert len(kept) == 3
    for envelope in kept:
        event = json.loads(envelope.splitlines()[2])
        (error,) = event["exception"]["values"]
        assert error["type"] == "RuntimeError"
        assert error["stacktrace"]["frames"][-1]["function"] == "failing"
        text = envelope.decode()
        assert not re.search(rf"{TOKEN}|\b[AKQ]S\b|cannot play|vars|cookie|007|argv|server_name|context_line", text)
    assert [set(json.loads(each.splitlines()[2])["tags"]) for each in kept[::2]] == [{"request"}, {"task", "task_id"}]


def test_rules_for_alarms_ask_for_what_is_counted() -> None:
    rules = [
        each
        for group in yaml.safe_load((ROOT / ".deploy" / "alerts.yml").read_text())["groups"]
        for each in group["rules"]
    ]
    asked = {name for each in rules for name in re.findall(r"getaway_\w+", each["expr"])}
    counted = {
        sample.removesuffix("_created") for each in REGISTRY.collect() for sample in (each.name, f"{each.name}_total")
    }
    counted |= {f"{each.name}_{end}" for each in REGISTRY.collect() for end in ("count", "bucket")}
    counted |= {f"getaway_{name}" for name in watching._SAID}
    assert asked <= counted, asked - counted
    assert {"SweepStopped", "SweepLate", "MailsFail", "Faults", "BackupLate"} <= {each["alert"] for each in rules}
    assert all(each["annotations"]["fix"] for each in rules)
