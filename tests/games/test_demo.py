import io
import time
from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from games.models import Game, Move, Table
from games.selectors.games import game_state, seat_of
from games.services.demo import EMAIL, demo_ensure
from tests.games.stored import NOW, chosen, everything, game_of, person, play, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


def test_a_finished_game_and_one_that_waits_for_the_persons_card() -> None:
    asha = demo_ensure(now=NOW)
    assert (asha.name, asha.email, asha.is_staff) == ("Asha", EMAIL, False)
    finished = Game.objects.get(status="over", table__holder__user=asha)
    assert finished.ended is not None
    assert finished.ended <= NOW
    for waiting in Game.objects.filter(status="running").order_by("-pk")[:1]:
        state = game_state(waiting)
        seat = seat_of(waiting, asha)
        assert state.awaited == (seat,)
        assert state.tricks >= 3
        assert waiting.table.name != finished.table.name
    call_command("verify_games", stdout=io.StringIO())


def test_nobody_can_sign_in_as_the_person() -> None:
    asha = demo_ensure(now=NOW)
    assert not asha.has_usable_password()
    for password in ["", "Asha", "demo", "password", asha.password]:
        assert authenticate(username=EMAIL, password=password) is None


def test_again_adds_nothing() -> None:
    asha = demo_ensure(now=NOW)
    before = everything()
    assert demo_ensure(now=NOW + timedelta(hours=1)) == asha
    assert everything() == before


def test_after_a_restart_in_a_bots_turn_the_game_is_let_be_and_another_waits() -> None:
    asha = demo_ensure(now=NOW)
    game = Game.objects.filter(status="running").latest("pk")
    state = game_state(game)
    # The person's card goes up to where a bot is awaited.
    play(game, chosen(state, state.awaited[0]))
    game.refresh_from_db()
    while seat_of(game, asha) in game_state(game).awaited:
        state = game_state(game)
        play(game, chosen(state, state.awaited[0]))
        game.refresh_from_db()
    before, games = list(Move.objects.filter(game=game).values_list()), Game.objects.count()
    for _ in range(2):
        demo_ensure(now=NOW)
        assert list(Move.objects.filter(game=game).values_list()) == before
        assert Game.objects.count() == games + 1
    fresh = Game.objects.latest("pk")
    assert game_state(fresh).awaited == (seat_of(fresh, asha),)


def test_a_game_that_waits_for_somebody_else_is_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    asha = demo_ensure(now=NOW)
    shared = game_of(persons=[asha, person()], bots=2)
    play_on(shared, lambda state: state.awaited == (1,))
    for game in Game.objects.filter(status="running").exclude(pk=shared.pk):
        play_on(game, lambda state: state.result is not None)

    def nobody_comes(_: float) -> None:
        raise AssertionError("waits for a person")

    monkeypatch.setattr(time, "sleep", nobody_comes)
    demo_ensure(now=NOW)
    assert Game.objects.get(pk=shared.pk).version == shared.version
    mine = Game.objects.filter(status="running").latest("pk")
    assert mine != shared
    assert seat_of(mine, asha) in game_state(mine).awaited


def test_when_the_waiting_game_is_over_another_waits() -> None:
    asha = demo_ensure(now=NOW)
    for game in Game.objects.filter(status="running"):
        play_on(game, lambda state: state.result is not None)
    tables = Table.objects.count()
    demo_ensure(now=NOW)
    assert Table.objects.count() > tables
    assert any(seat_of(each, asha) in game_state(each).awaited for each in Game.objects.filter(status="running"))
