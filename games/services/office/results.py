"""How deals count: corrections, which are rows and never edits, deals that are voided, and games that are ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User
from games.models import Audit, Correction, Game, Holder, Result
from games.rules.deal import full_deck
from games.selectors.effective import effective_of
from games.selectors.games import BrokenGame, game_state, rules_of
from games.services.aside import taken_up
from games.services.letters.office import RESULT, TABLE
from games.services.locks import game_locked, writing
from games.services.office.acting import audited, people_of, reason, told
from games.services.office.errors import (
    CardsUnfit,
    CorrectionGone,
    GameOn,
    GameOver,
    LoserUnfit,
    NotAside,
    NotNewest,
    SameResult,
)
from games.services.office.seen import check_seen
from games.services.office.stopping import game_stopped
from games.services.projections import board_changed, charged_holder
from games.services.rating_marks import deal_to_rate


def result_correct(
    *, game_id: int, by: User, why: str, loser: int | None, cards_left: int | None = None, seen: str, now: datetime
) -> Correction:
    """Let another seat have lost a deal that is over, or nobody (None); without *cards_left* the log says how many.

    Raises:
        GameGone: there is no such game.
        Changed: it is not as the operator's page showed it.
        GameOn: it is not over.
        ReasonNeeded, LoserUnfit, CardsUnfit: what is wrong with what was asked for.
        SameResult: it counts so already.
    """
    why = reason(why)
    with writing():
        game = _over(game_id, seen)
        if loser is None and cards_left is not None:
            raise CardsUnfit
        end = _VOID if loser is None else _lost(game, loser, cards_left)
        return _corrected(game, end, _Deed(Audit.Action.CORRECT, by, why, now))


def deal_void(*, game_id: int, by: User, why: str, seen: str, now: datetime) -> Audit:
    """Let nobody have lost a deal: by a correction if it is over, else it is ended now.

    Raises:
        GameGone: there is no such game.
        Changed: it is not as the operator's page showed it.
        ReasonNeeded: no reason was given.
        SameResult: nobody has lost it as it is.
    """
    why = reason(why)
    with writing():
        game = _held(game_id, seen)
        deed = _Deed(Audit.Action.VOID, by, why, now)
        if game.status == Game.Status.RUNNING:
            return _stopped(game, deed)
        return _corrected(game, _VOID, deed).audit


def correction_undo(*, correction_id: int, by: User, why: str, seen: str, now: datetime) -> Correction:
    """Let count again what counted before the newest correction of a game: by another one, which says so.

    Raises:
        CorrectionGone: there is no such correction.
        Changed: it is not as the operator's page showed it.
        NotNewest: the game was corrected again since.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        game_id = Correction.objects.filter(pk=correction_id).values_list("game", flat=True).first()
        if game_id is None:
            raise CorrectionGone
        game = game_locked(game_id)
        rows = list(Correction.objects.filter(game=game).select_related("holder").order_by("-number")[:2])
        correction = next((each for each in rows if each.pk == correction_id), None)
        if correction is None or correction != rows[0]:
            raise NotNewest
        correction.game = game
        check_seen(correction, seen)
        before = rows[1] if len(rows) > 1 else game.result
        end = _End(before.loser, before.holder, before.cards_left)
        return _corrected(game, end, _Deed(Audit.Action.UNDO, by, why, now), undoes=correction)


def game_end(*, game_id: int, by: User, why: str, seen: str, now: datetime) -> Audit:
    """End a game that goes on, or cannot: nobody has lost it, and the series goes on.

    Raises:
        GameGone: there is no such game.
        Changed: it is not as the operator's page showed it.
        GameOver: it has ended by itself.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        game = _held(game_id, seen)
        if game.status != Game.Status.RUNNING:
            raise GameOver
        return _stopped(game, _Deed(Audit.Action.END, by, why, now))


def game_take_up(*, game_id: int, by: User | None, why: str, seen: str, now: datetime) -> Audit:
    """Let a game go on that was set aside because something failed at it; by nobody (None): from the command line.

    Raises:
        GameGone: there is no such game.
        Changed: it is not as the operator's page showed it.
        NotAside: it was not set aside.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        game = _held(game_id, seen)
        before = {"aside": game.aside and game.aside.isoformat(), "failed": game.broken}
        if not taken_up(game=game, now=now):
            raise NotAside
        audit = audited(
            action=Audit.Action.TAKE_UP, by=by, why=why, game=game, before=before, after={"aside": None}, now=now
        )
        told(audit=audit, kind=TABLE, people=people_of(game.table), now=now)
        return audit


@dataclass(frozen=True, slots=True)
class _Deed:
    """What an operator does, and why."""

    action: Audit.Action
    by: User
    why: str
    now: datetime


@dataclass(frozen=True, slots=True)
class _End:
    """How a deal shall count; without a loser it is void."""

    loser: int | None
    holder: Holder | None
    cards_left: int | None


_VOID = _End(None, None, None)


def _held(game_id: int, seen: str) -> Game:
    """Return a game that this transaction now holds, as the operator's page showed it."""
    game = game_locked(game_id)
    check_seen(game, seen)
    return game


def _over(game_id: int, seen: str) -> Game:
    game = _held(game_id, seen)
    if game.status != Game.Status.OVER:
        raise GameOn
    return game


def _lost(game: Game, loser: int, cards_left: int | None) -> _End:
    """Return that a seat has lost, and who is charged with it.

    Raises:
        LoserUnfit, CardsUnfit: there is no such seat, or it cannot have held so many cards.
    """
    if not 0 <= loser < game.table.seats:
        raise LoserUnfit
    if cards_left is None:
        cards_left = _held_at_the_end(game, loser)
    if not 0 <= cards_left <= len(full_deck(rules_of(game))):
        raise CardsUnfit
    return _End(loser, to_charge(game, loser), cards_left)


def _held_at_the_end(game: Game, seat: int) -> int:
    """Return how many cards a seat held when a game ended.

    Raises:
        CardsUnfit: nobody can tell from its log.
    """
    try:
        return len(game_state(game).hands[seat])
    except BrokenGame:
        raise CardsUnfit from None


def to_charge(game: Game, seat: int) -> Holder:
    """Return who is charged with a deal that a seat has lost: the person who sat there last, else the bot."""
    return charged_holder(game=game, seat=seat) or _bot_at(game, seat)


def _bot_at(game: Game, seat: int) -> Holder:
    """Return the bot that sat at a seat when a game ended, or sits there."""
    sat = Holder.objects.filter(table=game.table_id, seat__number=seat).order_by("-since", "-pk")
    return (sat if game.ended is None else sat.filter(since__lte=game.ended))[0]


def _corrected(game: Game, end: _End, deed: _Deed, *, undoes: Correction | None = None) -> Correction:
    """Write down how a game that is over counts from now on, and tell its table.

    Raises:
        SameResult: it counts so already.
    """
    before = effective_of([game])[game.pk]
    result = before.result
    if (result.loser, result.cards_left) == (end.loser, end.cards_left):
        raise SameResult
    audit = audited(
        action=deed.action,
        by=deed.by,
        why=deed.why,
        game=game,
        before=_facts(result.loser, result.cards_left),
        after=_facts(end.loser, end.cards_left),
        now=deed.now,
    )
    correction = Correction.objects.create(
        game=game,
        number=before.number + 1,
        audit=audit,
        before=result.as_dict(),
        loser=end.loser,
        holder=end.holder,
        void=end.loser is None,
        cards_left=end.cards_left,
        undoes=undoes,
    )
    deal_to_rate(game=game)
    board_changed(game=game)
    told(audit=audit, kind=RESULT, people=_concerned(game), now=deed.now)
    return correction


def _facts(loser: int | None, cards_left: int | None) -> Mapping[str, Any]:
    return {"loser": loser, "cards_left": cards_left}


def _concerned(game: Game) -> set[int | None]:
    """Return who is told: those who sit there, and who is or ever was charged with the deal, who may have left.

    Of several corrections only the newest is told: whoever an earlier one was about hears of that one.
    """
    ended = Result.objects.filter(game=game).values_list("holder__user", flat=True)
    corrected = Correction.objects.filter(game=game).values_list("holder__user", flat=True)
    return {*ended, *corrected, *people_of(game.table)}


def _stopped(game: Game, deed: _Deed) -> Audit:
    before = {"status": game.status}
    game_stopped(game=game, now=deed.now)
    audit = audited(
        action=deed.action,
        by=deed.by,
        why=deed.why,
        game=game,
        before=before,
        after={"status": game.status, "void": True},
        now=deed.now,
    )
    told(audit=audit, kind=RESULT, people=people_of(game.table), now=deed.now)
    return audit
