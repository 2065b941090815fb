"""Hands show up nowhere by accident: not in a repr, a log line, the admin or an error of ours (trust.md S7, S10)."""

import logging
import re
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils.module_loading import import_string

from accounts.models import User
from bhabhi_site.logs import logging_config
from games.models import Deal, Game, Holder, Move, Result, Table, WastePile
from games.rules.cards import hand_text
from games.rules.moves import Draw, Play
from games.rules.shuffle import Source
from games.rules.view import SeatView
from games.selectors.games import BrokenGame, game_state
from games.services import bot_turns
from games.services import play as play_service
from games.services.errors import ServiceError
from tests.accounts.doors import sign_in
from tests.games.stored import NOW, chosen, game_of, game_recorded, person, play, play_on, played, recorded

pytestmark = pytest.mark.django_db

CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b|(clubs|diamonds|hearts|spades)")


@pytest.fixture
def game() -> Game:
    game = game_of(persons=[person()], bots=3)
    play_on(game, lambda state: state.tricks == 2 and len(state.trick) == 1)
    return game


def test_deal_waste_and_entries_show_counts_only(game: Game) -> None:
    deal, waste = Deal.objects.get(game=game), WastePile.objects.get(game=game)
    assert repr(deal) == "<Deal: deal of 4 hands>"
    assert repr(waste) == "<WastePile: waste of 8 cards, shuffled 0 times>"
    assert repr(Move.objects.filter(game=game).first()) == "<Move: entry 1>"
    assert not CARD.search(f"{deal!r}{deal}{waste!r}{waste}{game_state(game)!r}{list(Move.objects.all())}")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_fault_in_the_middle_of_a_move_logs_no_card(
    game: Game, as_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Fault(Exception):
        pass

    def broken(**_: Any) -> None:
        raise Fault

    monkeypatch.setattr(play_service, "game_projected", broken)
    state = game_state(game)
    with pytest.raises(Fault) as fault:
        play(game, chosen(state, state.awaited[0]))
    line = logged(fault, as_json=as_json)
    assert "move_play" in line
    assert not CARD.search(line)


def logged(fault: pytest.ExceptionInfo[Exception], *, as_json: bool) -> str:
    """The line that a log gets of a fault."""
    made = logging_config(as_json=as_json, level="INFO")["formatters"]["structlog"]
    formatter = import_string(made["()"])(**{name: value for name, value in made.items() if name != "()"})
    told = (fault.type, fault.value, fault.tb)
    line: str = formatter.format(logging.LogRecord("games", logging.ERROR, __file__, 1, "broken", None, told))
    return line


@pytest.mark.parametrize("as_json", [True, False])
def test_a_bots_refused_move_logs_no_card(game: Game, as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    state = play_on(game, lambda state: bool(state.trick) and state.awaited[0] != 0)
    elsewhere = state.hands[state.next_seat(state.awaited[0])][0]

    class Wild:
        def choose(self, view: SeatView, source: Source) -> Play:
            return Play(view.seat, elsewhere)

    monkeypatch.setattr(bot_turns, "bot_named", lambda _: Wild())
    with pytest.raises(BrokenGame) as fault:
        bot_turns.bot_move(game_id=game.pk, version=game.version, now=NOW)
    line = logged(fault, as_json=as_json)
    assert f"game {game.code}, entry {game.version + 1}: the rules refuse a bot's move (not_held)" in line
    assert not CARD.search(line)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_refused_draw_logs_no_card(as_json: bool) -> None:
    record = recorded("edges", why="drawn_thrice")
    at = next(at for at, move in enumerate(record.moves) if isinstance(move, Draw))
    game = game_recorded(record)
    played(game, record, upto=at - 1)
    state, move = game_state(game), record.moves[at - 1]
    assert isinstance(move, Play)
    others = (hand for seat, hand in enumerate(state.hands) if seat != move.seat)
    WastePile.objects.filter(game=game).update(cards=hand_text(next(filter(None, others))))
    with pytest.raises(BrokenGame) as fault:
        play(game, move)
    line = logged(fault, as_json=as_json)
    assert f"game {game.code}, entry {at + 1}: the rules refuse the draw (draw_absent)" in line
    assert not CARD.search(line)


def test_the_admin_knows_no_secret() -> None:
    ours = set(apps.get_app_config("games").get_models())
    assert ours.intersection(admin.site._registry).isdisjoint({Deal, WastePile, Move})


@pytest.mark.parametrize("model", [Table, Holder, Game, Result])
def test_admin_pages_show_no_hand_and_no_hash(
    game: Game, model: type[Table] | type[Holder] | type[Game] | type[Result], client: Client
) -> None:
    record = recorded("edges", why="conceded")
    over = game_recorded(record)
    played(over, record)
    sign_in(client, User.objects.create_superuser("root@example.org", name="Root"))
    info = f"admin:games_{model._meta.model_name}"
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    for address in [reverse(f"{info}_changelist"), reverse(f"{info}_change", args=[row.pk])]:
        response = client.get(address)
        assert response.status_code == 200
        page = response.content.decode()
        assert 'id="content"' in page
        for each in Game.objects.all():
            assert bytes(each.last_hash).hex() not in page
            assert not any(hand in page for hand in Deal.objects.get(game=each).hands)
    assert client.get(reverse(f"{info}_add")).status_code == 403
    assert client.post(reverse(f"{info}_change", args=[row.pk]), {}).status_code == 403
    assert client.post(reverse(f"{info}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_no_refusal_of_a_service_names_a_card() -> None:
    assert not any(CARD.search(each.sentence) for each in ServiceError.__subclasses__())
