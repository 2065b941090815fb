"""How deals count: corrections, which are undone by corrections, and deals that are voided."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.models import Correction, Game, Result
from games.selectors.effective import effective_of
from games.selectors.games import game_state
from games.selectors.sight import looking
from games.selectors.updates import updates_for
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
from games.services.office.results import correction_undo, game_take_up, result_correct
from games.services.office.seen import seen_of
from games.services.seats import seat_handed
from tests.games.office import WHY, left, refused, told, verified
from tests.games.office_results import correct, counts, end, ended, said, undo, void
from tests.games.stored import NOW, game_of, over, people, play_on
from tests.games.telling import HOUR

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


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


def test_whoever_was_ever_charged_is_told(by: User) -> None:
    """Of several corrections only the newest is told: it tells all who heard, or would have heard, of one before it."""
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.tricks == 1)
    Game.objects.update(created=NOW - HOUR)
    for seat in (2, 3):
        seat_handed(table_id=game.table_id, seat=seat, now=NOW)
    over(game)
    first = correct(game, by, 2, 5)
    assert "P2" in told(first.audit)
    assert {"P2", "P3"} <= set(told(correct(game, by, 3, 5).audit))
    assert told(correct(game, by, 0, 5).audit) == ["P0", "P1", "P2", "P3"]


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
    assert said(done) == "The operators voided this deal: nobody lost."
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
