"""The one way into a game's log: people, standing orders, time-outs and bots all pass through here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import BigIntegerField, CharField, QuerySet

from games.metrics import MOVES
from games.models import Answer, Game, Move
from games.models.game import KEY_LENGTH
from games.rules import moves
from games.rules.engine import apply
from games.rules.errors import IllegalMove
from games.rules.legality import play_problem
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.shuffle import Source, system_source
from games.rules.state import GameState
from games.selectors.folded import Folded, Known, folded_keep, folded_kept, folded_on
from games.selectors.games import BrokenGame, Held, Log, held_seats, stored_entry
from games.selectors.prepared import Given, Prepared
from games.services.chain import entry_hash
from games.services.changes import Adding
from games.services.errors import KeyReused, NotYourSeat, StaleGame, StoodIn, TimeUp
from games.services.locks import game_locked, writing
from games.services.projections import Cause, game_projected, turns_set
from games.services.seen import seen_noted
from games.services.waste import waste_followed

_PERSONS: Final = frozenset({Move.Actor.HAND, Move.Actor.ORDER})
# What an entry is counted as, where that is not its own name.
_COUNTED: Final = dict.fromkeys(_PERSONS, "person")
_HOWS: Final = {
    Move.Actor.HAND: Answer.How.HAND,
    Move.Actor.ORDER: Answer.How.ORDER,
    Move.Actor.TIMEOUT: Answer.How.TIMEOUT,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a move: its entry's number, and the version that the game had after it and its draw.

    `repeated` says that the same move with the same key had been accepted before, and nothing was done now; if not,
    `folded` is the whole game as it was then, for its board: it need not be loaded again.
    """

    number: int
    version: int
    repeated: bool
    folded: Folded | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody wants entered, and as whom; the fields are the arguments of `move_play`."""

    move: moves.Move
    version: int
    actor: Move.Actor
    now: datetime
    key: str = ""
    user_id: int | None = None
    source: Source = system_source


def move_play(  # noqa: PLR0913 - what makes an attempt, every part named
    *,
    game_id: int,
    seat: int,
    move: moves.Move,
    version: int,
    key: str,
    actor: Move.Actor,
    user_id: int | None = None,
    seen: int | None = None,
    now: datetime,
    source: Source = system_source,
) -> Outcome:
    """Enter a move of a seat into the log, with the draw that the source decides, or refuse it and change nothing.

    `version` is that of the game which the chooser saw. `key` (empty: none) makes the move safe to send again. `actor`
    says who acts; hand and order need `user_id`. `seen`: up to which entry they were shown the game, if that is news.

    Raises:
        GameGone: there is no such game.
        NotYourSeat: the person, or any bot if a bot acts, does not hold the seat now.
        StoodIn: it is the person's, but a bot plays there until they say that they are back.
        KeyReused: the key came before with another move or from another seat.
        StaleGame: the game is not at that version; see `_check_version` for what may cross.
        TimeUp: it is not, since a bot has played for the person: their time was up.
        IllegalMove: the rules refuse the move, or it is a foul and not by a person's own hand.
        BrokenGame: the game cannot be what is stored.
        ValueError: the key is too long or no plain text, or the move is another seat's.
    """
    if move.seat != seat or len(key) > KEY_LENGTH or not key.isprintable():
        raise ValueError("The key is no short plain text, or the move is another seat's.")
    attempt = Attempt(move, version, actor, now, key, user_id, source)
    with writing():
        game = game_locked(game_id)
        held = held_seats(game.table_id)
        _check_holder(held.get(seat), actor, user_id)
        done = _repeated(game, move, key) or move_entered(game=game, held=held, attempt=attempt)
        if user_id is not None and seen is not None:
            seen_noted(user_id=user_id, game_id=game_id, number=seen)
        return done


def move_entered(*, game: Game, held: Mapping[int, Held], attempt: Attempt) -> Outcome:
    """Enter a move into the log of a game that this transaction holds, and store what follows from it.

    The caller has seen to it that who acts may act for the seat now. `held` is who plays from now on.

    Raises:
        StaleGame, IllegalMove, BrokenGame: as `move_play`.
    """
    move, now = attempt.move, attempt.now
    known = folded_kept(game)
    before = known.state
    _check_version(game, before, attempt)
    _check_foul(before, move, attempt.actor)
    after = apply(before, move)
    entries: list[Entry] = [move]
    draw = waste_followed(game_id=game.pk, state=after, source=attempt.source, now=now)
    if draw is not None:
        entries.append(draw)
        after = _drawn(game, after, draw)
    last_hash = _append(game, entries, attempt)
    kept = set(before.awaited).difference([move.seat] if isinstance(move, Play) else [])
    hows = {move.seat: _HOWS.get(attempt.actor, Answer.How.OTHER)}
    by = attempt.user_id if attempt.actor == Move.Actor.HAND else None
    turns_set(game=game, state=after, kept=kept, held=held, cause=Cause(before.entries + 1, hows, by), now=now)
    game_projected(game=game, state=after, last_hash=last_hash, held=held, by=by, now=now)
    transaction.on_commit(MOVES.labels(_COUNTED.get(attempt.actor, str(attempt.actor))).inc)
    made = Log(tuple(entries), (str(attempt.actor),) * len(entries), (now,) * len(entries))
    folded = folded_on(game, known, made)
    folded_keep(game.pk, Known(folded, last_hash))
    return Outcome(before.entries + 1, after.entries, repeated=False, folded=folded)


def _drawn(game: Game, state: GameState, draw: Draw) -> GameState:
    """Return the state after a draw.

    Raises:
        BrokenGame: the waste as it lies is not that of the log. The rules' sentence would name the card.
    """
    try:
        return apply(state, draw)
    except IllegalMove as error:
        raise BrokenGame(game.code, f"the rules refuse the draw ({error.code})", state.entries + 1) from None


def _check_holder(held: Held | None, actor: Move.Actor, user_id: int | None) -> None:
    """Check that the one who acts may act for the seat now.

    Raises:
        NotYourSeat: if not.
        StoodIn: a bot plays there for the person now.
    """
    if held is None:
        raise NotYourSeat
    if actor in _PERSONS:
        _check_person(held, user_id)
    if actor == Move.Actor.BOT and not held.bot:
        raise NotYourSeat


def _check_person(held: Held, user_id: int | None) -> None:
    if user_id is None or held.user_id != user_id:
        raise NotYourSeat
    if held.stand_in:
        raise StoodIn


def _repeated(game: Game, move: moves.Move, key: str) -> Outcome | None:
    """Return what became of the move that came with this key before, or None if none did.

    Raises:
        KeyReused: if that was another move, or another seat's.
    """
    if not key:
        return None
    found = _KEYED(game=game.pk, key=key)
    if not found:
        return None
    number, *columns = found[0]
    if stored_entry(*columns) != move:
        raise KeyReused
    drawn = Move.objects.filter(game=game, number=number + 1, kind=Move.Kind.DRAW).exists()
    return Outcome(number, number + drawn, repeated=True)


def _keyed() -> QuerySet[Any, Any]:
    rows = Move.objects.filter(game=Given("game", BigIntegerField()), key=Given("key", CharField()))
    return rows.values_list("number", "kind", "seat", "card", "victim")


_KEYED: Final = Prepared(_keyed)
_MOVES: Final = Adding(Move)


def _check_version(game: Game, state: GameState, attempt: Attempt) -> None:
    """Check that a move was made for the game as it stands.

    In an opening trick in any order a card may cross cards of other seats that were played face down to that trick, as
    long as its seat is still awaited: nobody's card there depends on another's (rules.md 5.2).

    Raises:
        StaleGame: if it was not; TimeUp, if a bot has played for the person since.
    """
    move, version = attempt.move, attempt.version
    if version == state.entries:
        return
    led_at = state.entries - len(state.trick) + 1
    crossing = state.face_down and isinstance(move, Play) and move.seat in state.awaited
    if not (crossing and state.trick and led_at <= version < state.entries):
        raise TimeUp if attempt.actor in _PERSONS and _timed_out(game, move.seat, version) else StaleGame


def _timed_out(game: Game, seat: int, version: int) -> bool:
    """Tell whether the first thing that a seat did after a version was done for it when its time was up."""
    since = Move.objects.filter(game=game, seat=seat, number__gt=version).order_by("number")
    return since.values_list("actor", flat=True).first() == Move.Actor.TIMEOUT


def _check_foul(state: GameState, move: moves.Move, actor: Move.Actor) -> None:
    """Check that only a person's own hand commits a foul (rules.md 10).

    Raises:
        IllegalMove: why the card may not be played.
    """
    if actor == Move.Actor.HAND or isinstance(move, Take):
        return
    problem = play_problem(state, move)
    if problem is not None:
        raise problem


def _append(game: Game, entries: Sequence[Entry], attempt: Attempt) -> bytes:
    """Store entries at the end of the log, the first with the key, and return the last one's hash."""
    last, rows = bytes(game.last_hash), []
    actor, now = attempt.actor, attempt.now
    for number, entry in enumerate(entries, game.version + 1):
        last = entry_hash(last, number, entry, actor, now)
        rows.append(Move(game=game, number=number, actor=actor, at=now, hash=last, **_columns(entry)))
    rows[0].key = attempt.key
    _MOVES(rows)
    return last


def _columns(entry: Entry) -> Mapping[str, str | int | None]:
    match entry:
        case Play(seat, card):
            return {"kind": Move.Kind.PLAY, "seat": seat, "card": card.code}
        case Take(seat, victim):
            return {"kind": Move.Kind.TAKE, "seat": seat, "victim": victim}
        case Draw(seat, card):
            return {"kind": Move.Kind.DRAW, "seat": seat, "card": card.code}
