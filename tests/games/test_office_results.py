"""How deals count: corrections, which are undone by corrections, deals that are voided, games that are ended."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import F

from accounts.models import User
from games.models import Audit, Correction, Game, Move, Result, Table, Turn
from games.rules.errors import IllegalMove
from games.rules.record import check_record, record_of
from games.rules.ruleset import Ruleset
from games.selectors.company import NotAtTable
from games.selectors.effective import effective_of
from games.selectors.games import BrokenGame, game_state
from games.selectors.records import game_record
from games.selectors.replays import replay_of
from games.selectors.sight import looking
from games.selectors.updates import updates_for
from games.services.aside import MOST_FAILED
from games.services.dealing import game_next
from games.services.errors import GameGone
from games.services.office.errors import (
    CardsUnfit,
    Changed,
    CorrectionGone,
    GameOn,
    GameOver,
    LoserUnfit,
    NotAside,
    NotNewest,
    ReasonNeeded,
    SameResult,
)
from games.services.office.results import correction_undo, deal_void, game_end, game_take_up, result_correct
from games.services.office.seen import seen_of
from games.services.seats import seat_handed
from games.services.verify import game_verify
from tests.games.office import WHY, boss, left, refused, told, verified
from tests.games.pages import client_of
from tests.games.stored import NOW, chosen, everything, game_of, over, people, person, play, play_on
from tests.games.telling import HOUR
from tests.games.test_verify import guards_off

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


@pytest.fixture
def by() -> User:
    return boss()


@pytest.fixture
def done() -> Game:
    return over(game_of(persons=people(4)))


@pytest.fixture
def running() -> Game:
    game = game_of(persons=people(4))
    Table.objects.update(deals=3)
    play_on(game, lambda state: state.tricks == 1 and len(state.trick) == 1)
    return Game.objects.select_related("table").get()


def correct(game: Game, by: User, loser: int | None, cards_left: int | None = None, **asked: Any) -> Correction:
    given: dict[str, Any] = {
        "game_id": game.pk,
        "by": by,
        "why": WHY,
        "loser": loser,
        "cards_left": cards_left,
        "now": NOW,
    }
    return result_correct(**given | {"seen": seen_of(game)} | asked)


def undo(correction: Correction, by: User, **asked: Any) -> Correction:
    given: dict[str, Any] = {"correction_id": correction.pk, "by": by, "why": WHY, "now": NOW}
    return correction_undo(**given | {"seen": seen_of(correction)} | asked)


def void(game: Game, by: User, **asked: Any) -> Audit:
    given: dict[str, Any] = {"game_id": game.pk, "by": by, "why": WHY, "now": NOW, "seen": seen_of(game)}
    return deal_void(**given | asked)


def end(game: Game, by: User, **asked: Any) -> Audit:
    given: dict[str, Any] = {"game_id": game.pk, "by": by, "why": WHY, "now": NOW, "seen": seen_of(game)}
    return game_end(**given | asked)


def counts(game: Game) -> tuple[int | None, int | None, str]:
    found = effective_of([game])[game.pk]
    return found.result.loser, found.result.cards_left, found.holder.name if found.holder else ""


def ended(game: Game) -> tuple[int, int, str]:
    """The loser that play gave, the cards that they held, and their name."""
    loser, cards, name = counts(game)
    assert loser is not None
    assert cards is not None
    return loser, cards, name


def said(game: Game, seat: int = 0) -> str:
    """What the board says of the end to who sits at a seat."""
    viewer = User.objects.get(holder__table=game.table_id, holder__seat__number=seat, holder__until=None)
    found = looking(viewer=viewer, code=game.code)
    board = updates_for(viewer=viewer, found=found, now=NOW)
    assert board is not None
    return board.banner.text


def test_another_has_lost(done: Game, by: User) -> None:
    first, revision = ended(done), done.revision
    loser = (first[0] + 1) % 4
    correction = correct(done, by, loser, 3)
    audit = left("correct", by=by)
    assert correction.audit == audit
    assert (audit.game, audit.table) == (done, done.table)
    assert (audit.before, audit.after) == (
        {"loser": first[0], "cards_left": first[1]},
        {"loser": loser, "cards_left": 3},
    )
    assert correction.before == effective_before(done)
    assert counts(done) == (loser, 3, f"P{loser}")
    assert told(audit) == ["P0", "P1", "P2", "P3"]
    done.refresh_from_db()
    assert done.revision == revision + 1
    assert said(done, first[0]) == f"<bdi>P{loser}</bdi> holds the last cards and loses this deal."
    assert said(done, loser) == "You hold the last cards: you lose this deal."
    verified()


def effective_before(game: Game) -> dict[str, Any]:
    return {"away": game.result.away, "loser": game.result.loser, "void": False, "cards_left": game.result.cards_left}


def test_the_log_says_how_many_cards_a_seat_held(done: Game, by: User) -> None:
    loser = (ended(done)[0] + 1) % 4
    assert correct(done, by, loser).cards_left == len(game_state(done).hands[loser]) == 0


def test_the_list_of_places_follows(done: Game, by: User) -> None:
    first = ended(done)
    loser = done.result.away[0]
    correct(done, by, loser, 2)
    viewer = User.objects.get(name="P0")
    board = updates_for(viewer=viewer, found=looking(viewer=viewer, code=done.code), now=NOW)
    assert board is not None
    names = [each.name for each in board.places]
    assert names == [f"P{seat}" for seat in (*done.result.away[1:], first[0], loser)]
    assert [each.name for each in board.places if each.loser] == [f"P{loser}"]


def test_who_left_is_charged_and_not_the_bot(by: User) -> None:
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.tricks == 1)
    Game.objects.update(created=NOW - HOUR)
    seat_handed(table_id=game.table_id, seat=2, now=NOW)
    over(game)
    if ended(game)[0] == 2:
        correct(game, by, 1, 1)
    correction = correct(game, by, 2, 5)
    assert correction.holder is not None
    assert correction.holder.user == User.objects.get(name="P2")
    assert told(correction.audit) == ["P0", "P1", "P2", "P3"]
    assert "who had left, loses this deal." in said(game)


def test_a_seat_of_a_bot_charges_the_bot(by: User) -> None:
    game = over(game_of(persons=people(2), bots=2))
    for seat in (2, 3):
        if ended(game)[0] != seat:
            correction = correct(game, by, seat, 1)
            assert correction.holder is not None
            assert (correction.holder.seat.number, correction.holder.bot) == (seat, "random")


def test_a_chain_of_corrections_is_undone_one_by_one(done: Game, by: User) -> None:
    first = ended(done)
    one, other = (seat for seat in range(4) if seat in done.result.away[:2])
    a = correct(done, by, one, 1)
    b = correct(done, by, None)
    assert counts(done) == (None, None, "")
    c = correct(done, by, other, 2)
    assert [each.number for each in (a, b, c)] == [1, 2, 3]
    for old in (a, b):
        with refused(NotNewest):
            undo(old, by)
    d = undo(c, by)
    assert counts(done) == (None, None, "")
    assert (d.undoes, d.number, d.audit.action) == (c, 4, "undo")
    # What was undone is done again by undoing that.
    e = undo(d, by)
    assert counts(done) == (other, 2, f"P{other}")
    with refused(NotNewest):
        undo(d, by)
    f = undo(undo(e, by), by)
    assert counts(done) == (other, 2, f"P{other}")
    assert f.number == 7
    assert (done.result.loser, done.result.cards_left) == first[:2]
    verified()


def test_undone_a_result_counts_as_it_ended(done: Game, by: User) -> None:
    first = ended(done)
    undo(correct(done, by, None), by)
    assert counts(done) == first
    found = effective_of([done])[done.pk]
    assert (found.corrected, found.number) == (False, 2)
    assert "operators" not in said(done)


def test_a_deal_that_is_over_is_voided(done: Game, by: User) -> None:
    audit = void(done, by)
    assert audit == left("void", by=by)
    assert Correction.objects.get().void
    assert said(done) == "The game is stopped. Nobody loses this deal."
    assert not Result.objects.get().void
    with refused(SameResult):
        void(done, by)
    with refused(SameResult):
        correct(done, by, None)
    verified()


REFUSALS: dict[str, tuple[type[Any], Callable[[Game, User], object]]] = {
    "no reason": (ReasonNeeded, lambda game, by: correct(game, by, 0, 1, why=" \n ")),
    "a long reason": (ReasonNeeded, lambda game, by: correct(game, by, 0, 1, why="x" * 301)),
    "a reason that turns": (ReasonNeeded, lambda game, by: correct(game, by, 0, 1, why="a\u202eb")),
    "no such game": (GameGone, lambda _, by: result_correct(game_id=0, by=by, why=WHY, loser=0, seen="", now=NOW)),
    "no such seat": (LoserUnfit, lambda game, by: correct(game, by, 4, 1)),
    "a seat below": (LoserUnfit, lambda game, by: correct(game, by, -1, 1)),
    "too many cards": (CardsUnfit, lambda game, by: correct(game, by, 0, 53)),
    "fewer than none": (CardsUnfit, lambda game, by: correct(game, by, 0, -1)),
    "cards of nobody": (CardsUnfit, lambda game, by: correct(game, by, None, 0)),
    "the same": (SameResult, lambda game, by: correct(game, by, *ended(game)[:2])),
    "not as shown": (Changed, lambda game, by: correct(game, by, 0, 1, seen="0")),
    "void, not as shown": (Changed, lambda game, by: void(game, by, seen="0")),
    "void without a reason": (ReasonNeeded, lambda game, by: void(game, by, why="")),
    "ended twice": (GameOver, end),
    "end without a reason": (ReasonNeeded, lambda game, by: end(game, by, why="")),
    "no such correction": (
        CorrectionGone,
        lambda _, by: correction_undo(correction_id=0, by=by, why=WHY, seen="", now=NOW),
    ),
    "not aside": (
        NotAside,
        lambda game, by: game_take_up(game_id=game.pk, by=by, why=WHY, seen=seen_of(game), now=NOW),
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_refused_changes_nothing(done: Game, by: User, name: str) -> None:
    error, act = REFUSALS[name]
    with refused(error):
        act(done, by)


def test_a_running_deal_has_no_result_to_correct(running: Game, by: User) -> None:
    with refused(GameOn):
        correct(running, by, 0, 1)


def test_an_undoing_asks_for_what_was_shown_and_a_reason(done: Game, by: User) -> None:
    correction = correct(done, by, None)
    with refused(Changed):
        undo(correction, by, seen="0")
    with refused(ReasonNeeded):
        undo(correction, by, why="")


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
