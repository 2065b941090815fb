"""Games that an operator ends: nobody has lost, the log stays as it is, and the series goes on."""

import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.db.models import F

from accounts.models import User
from games.models import Audit, Correction, Game, Move, Result, Table, Turn
from games.rules.errors import IllegalMove
from games.rules.record import check_record, record_of
from games.rules.ruleset import Ruleset
from games.selectors.company import NotAtTable
from games.selectors.games import BrokenGame, game_state
from games.selectors.records import game_record
from games.selectors.replays import replay_of
from games.selectors.sight import looking
from games.selectors.updates import updates_for
from games.services.aside import MOST_FAILED
from games.services.dealing import game_next
from games.services.office.errors import CardsUnfit, Changed, SameResult
from games.services.office.results import game_take_up
from games.services.office.seen import seen_of
from games.services.verify import game_verify
from tests.games.office import WHY, left, refused, told, verified
from tests.games.office_results import correct, counts, end, said, undo, void
from tests.games.pages import client_of
from tests.games.stored import NOW, chosen, everything, game_of, people, person, play, play_on
from tests.games.test_verify import guards_off

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def test_a_game_is_ended_and_the_series_goes_on(running: Game, by: User) -> None:
    version, moves, revision = running.version, list(Move.objects.values_list()), running.revision
    audit = end(running, by)
    assert audit == left("end", by=by)
    running.refresh_from_db()
    assert (running.status, running.ended, running.version) == (Game.Status.OVER, NOW, version)
    assert running.revision > revision
    assert list(Move.objects.values_list()) == moves
    assert not Turn.objects.exists()
    result = Result.objects.get()
    assert (result.void, result.stopped, result.loser, result.holder, result.away) == (True, True, None, None, [])
    assert running.next_at is not None
    assert told(audit) == ["P0", "P1", "P2", "P3"]
    assert said(running) == "The operators ended this deal: nobody lost."
    verified()
    assert game_next(table_id=running.table_id, now=NOW).number == 2
    verified()


@pytest.mark.parametrize("act", [end, void])
def test_with_the_last_deal_the_series_ends(running: Game, by: User, act: Callable[[Game, User], Audit]) -> None:
    Table.objects.update(deals=1)
    act(Game.objects.get(), by)
    assert Table.objects.get().status == Table.Status.OVER
    assert Result.objects.get().stopped
    verified()


def test_whoever_got_away_before_has_their_place(by: User) -> None:
    game = game_of(persons=people(4))
    state = play_on(game, lambda state: len(state.away) == 1)
    end(game, by)
    assert Result.objects.get().away == list(state.away)
    assert check_record(record_of(game_record(Game.objects.get()))).over
    verified()


FAULTS: dict[str, tuple[str, Callable[[Game], object]]] = {
    "it got further": ("the result is not what the log gives", lambda _: Result.objects.update(away=[1])),
    "nobody stopped it": ("which is not what the log gives", lambda _: Result.objects.update(stopped=False)),
    "a turn is open": ("turns are open", lambda game: Turn.objects.create(game=game, seat=1, since=NOW)),
    "it runs": (
        "there is a result, but none in the log",
        lambda _: Game.objects.update(status="running", ended=None, next_at=None),
    ),
    "the log goes on": ("the version is", lambda _: Game.objects.update(version=F("version") + 1)),
    "a correction is gone": (
        "correction 1 is missing",
        lambda game: Correction.objects.create(
            game=game, number=2, audit=Audit.objects.get(action="end"), before={}, void=True
        ),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_all_else_that_is_wrong_with_a_stopped_game_is_found(running: Game, by: User, name: str) -> None:
    end(running, by)
    game_verify(game_id=running.pk)
    said, spoil = FAULTS[name]
    with guards_off():
        spoil(running)
    with pytest.raises(BrokenGame, match=said):
        game_verify(game_id=running.pk)


def test_a_card_after_the_end_is_refused(running: Game, by: User) -> None:
    state = game_state(running)
    move = chosen(state, state.awaited[0])
    end(running, by)
    before = everything()
    with pytest.raises(IllegalMove):
        play(running, move, version=state.entries)
    assert everything() == before


@pytest.mark.parametrize("seat", [0, 3])
def test_all_hands_lie_open_after_the_end(by: User, seat: int) -> None:
    """Those that lie face down on the table, too."""
    game = game_of(Ruleset(opening="any_order"), persons=people(5))
    play_on(game, lambda state: len(state.trick) == 3, each=True)
    viewer = User.objects.get(holder__seat__number=seat)
    found = looking(viewer=viewer, code=game.code)
    board = updates_for(viewer=viewer, found=found, now=NOW)
    assert board is not None
    assert sum(each.face is None for each in board.trick) >= 1
    end(game, by)
    found = looking(viewer=viewer, code=game.code)
    board = updates_for(viewer=viewer, found=found, now=NOW)
    assert board is not None
    assert all(each.face is not None for each in board.trick)
    shown = replay_of(viewer=viewer, code=game.code, step=game.version)
    assert shown.over
    assert [each.count for each in shown.hands] != []
    assert len(shown.hands) == 5
    verified()


def test_every_page_of_a_stopped_game_opens(running: Game, by: User) -> None:
    end(running, by)
    client, path = client_of(User.objects.get(name="P0")), f"/games/{running.code}/"
    assert "The operators ended this deal: nobody lost." in client.get(path).content.decode()
    last = client.get(f"{path}replay/{running.version}/")
    record = client.get(f"{path}record.json")
    assert (last.status_code, record.status_code) == (200, 200)
    assert check_record(record_of(json.loads(record.content))).over
    assert client.get(f"/tables/{running.table.code}/").status_code == 200


def test_a_stranger_sees_as_little_as_before(running: Game, by: User) -> None:
    end(running, by)
    with pytest.raises(NotAtTable):
        looking(viewer=person("Stranger"), code=running.code)


def test_a_stopped_game_may_be_given_a_loser_and_be_stopped_again(running: Game, by: User) -> None:
    end(running, by)
    correction = correct(Game.objects.get(), by, 1)
    assert counts(running)[0] == 1
    assert said(running, 1).startswith("You hold the last cards: you lose this deal.")
    undo(correction, by)
    assert said(running, 1) == "The operators ended this deal: nobody lost."
    with refused(SameResult):
        void(Game.objects.get(), by)
    verified()


def aside(game: Game) -> Game:
    """A game that failed so often that it was set aside."""
    Game.objects.filter(pk=game.pk).update(aside=NOW, broken=MOST_FAILED)
    Turn.objects.filter(game=game).update(due_at=None)
    return Game.objects.select_related("table").get(pk=game.pk)


def test_a_game_that_was_set_aside_is_taken_up_or_ended(running: Game, by: User) -> None:
    game = aside(running)
    seen = seen_of(game)
    audit = game_take_up(game_id=game.pk, by=by, why=WHY, seen=seen, now=NOW)
    assert audit == left("take_up", by=by)
    assert told(audit) == ["P0", "P1", "P2", "P3"]
    game.refresh_from_db()
    assert (game.aside, game.broken) == (None, 0)
    with refused(Changed):
        game_take_up(game_id=game.pk, by=by, why=WHY, seen=seen, now=NOW)


def test_one_that_nothing_can_be_made_of_is_ended_all_the_same(running: Game, by: User) -> None:
    aside(running)
    with guards_off(), connection.cursor() as cursor:
        # The rules refuse it: the seat has that card no more.
        cursor.execute("UPDATE games_move SET card = (SELECT card FROM games_move WHERE number = 1) WHERE number = 3")
    end(Game.objects.get(), by)
    game = Game.objects.get()
    assert (game.status, game.aside, game.version) == (Game.Status.OVER, None, running.version)
    with pytest.raises(BrokenGame, match="entry 3"):
        game_verify(game_id=game.pk)
    # Who lost can be said by whoever was there; how many cards they held is in no log that can be read.
    with refused(CardsUnfit):
        correct(game, by, 0)
    assert correct(game, by, 0, 4).cards_left == 4
