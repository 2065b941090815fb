"""Proving that what is stored of a game is what its deal and its log give."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from games.models import Correction, Deal, Game, Holder, Move, Result, Turn, WastePile
from games.rules.cards import hand_of
from games.rules.deal import full_deck, start
from games.rules.engine import apply
from games.rules.errors import RulesError
from games.rules.moves import Entry
from games.rules.state import GameState
from games.selectors.games import BrokenGame, result_of, rules_of, stopped, stored_entry
from games.services.chain import deal_hash, entry_hash
from games.services.errors import GameGone
from games.services.locks import game_locked, writing

_AT_ONCE = 500


class _Replayed(NamedTuple):
    state: GameState
    last_hash: bytes


def game_ids() -> Iterator[int]:
    """Yield the ids of all games, oldest first; memory does not grow with their number."""
    last = 0
    while ids := list(Game.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_AT_ONCE]):
        yield from ids
        last = ids[-1]


def game_verify(*, game_id: int) -> None:
    """Replay a game and compare everything that is stored of it; nothing is changed.

    The game is locked meanwhile, a few milliseconds, since a half-read move would look like a fault.

    Raises:
        BrokenGame: naming the first thing that differs.
    """
    with writing():
        try:
            game = game_locked(game_id)
        except GameGone:
            return
        replayed = _replayed(game)
        for why in _differences(game, replayed):
            raise BrokenGame(game.code, why)


def _replayed(game: Game) -> _Replayed:
    state, last = _dealt(game)
    rows = Move.objects.filter(game=game).order_by("number")
    for at, row in enumerate(rows, 1):
        if row.number != at:
            raise BrokenGame(game.code, "it is missing", at)
        entry = stored_entry(row.kind, row.seat, row.card, row.victim)
        last = entry_hash(last, at, entry, row.actor, row.at)
        if bytes(row.hash) != last:
            raise BrokenGame(game.code, "its hash does not fit: it, or the hash, was changed", at)
        state = _applied(game, state, entry, at)
    if Result.objects.filter(game=game, stopped=True).exists():
        state = stopped(game, state)
    return _Replayed(state, last)


def _dealt(game: Game) -> tuple[GameState, bytes]:
    """Return the first state and hash."""
    deal = Deal.objects.filter(game=game).first()
    if deal is None:
        raise BrokenGame(game.code, "the deal is missing")
    if not _are_texts(deal.hands):
        raise BrokenGame(game.code, "the deal is not one text for each seat")
    first = deal_hash(rules_version=game.rules_version, rules=game.rules, dealer=game.dealer, hands=deal.hands)
    try:
        state = start(rules_of(game), game.dealer, tuple(map(hand_of, deal.hands)))
    except RulesError as error:
        raise BrokenGame(game.code, f"the deal or the rules cannot be ({error.code})") from None
    except ValueError:
        raise BrokenGame(game.code, "the deal holds what is no card") from None
    if bytes(deal.hash) != first:
        raise BrokenGame(game.code, "the hash of the deal does not fit: deal, dealer, rules or the hash were changed")
    return state, first


def _are_texts(hands: object) -> bool:
    return isinstance(hands, list) and all(isinstance(hand, str) for hand in hands)


def _applied(game: Game, state: GameState, entry: Entry, at: int) -> GameState:
    try:
        return apply(state, entry)
    except RulesError as error:
        raise BrokenGame(game.code, f"the rules refuse it ({error.code})", at) from None


def _differences(game: Game, replayed: _Replayed) -> Iterator[str]:
    state = replayed.state
    if game.version != state.entries:
        yield f"the version is {game.version}, but the log has {state.entries} entries"
    if bytes(game.last_hash) != replayed.last_hash:
        yield "the last hash is not that of the log"
    if state.due is not None:
        yield f"a draw is missing after entry {state.entries}"
    if not _whole(state):
        yield "cards were lost or came from nowhere"
    yield from _waste_differs(game, state)
    yield from _result_differs(game, state)
    turns = sorted(Turn.objects.filter(game=game).values_list("seat", flat=True))
    if turns != sorted(state.awaited):
        yield f"turns are open for seats {turns}, but the log awaits {sorted(state.awaited)}"


def _whole(state: GameState) -> bool:
    held = [each for hand in state.hands for each in hand]
    held += [play.card for play in state.trick]
    return Counter([*held, *state.waste, *state.held]) == Counter(full_deck(state.rules))


def _waste_differs(game: Game, state: GameState) -> Iterator[str]:
    pile = WastePile.objects.filter(game=game).first()
    if pile is None:
        yield "the waste pile is missing"
    elif sorted(pile.cards.split()) != sorted(each.code for each in state.waste):
        yield "the waste pile does not hold the cards that the log put there"


def _result_differs(game: Game, state: GameState) -> Iterator[str]:
    if (game.status == Game.Status.OVER) != (state.result is not None):
        yield f"the status is {game.status}, which is not what the log gives"
    stored = Result.objects.filter(game=game).select_related("holder__seat").first()
    if stored is None or state.result is None:
        if stored or state.result:
            yield "there is a result only in the log" if state.result else "there is a result, but none in the log"
        return
    if not isinstance(stored.away, list) or result_of(stored) != state.result:
        yield "the result is not what the log gives"
    yield from _charged_differs(game, stored.holder, stored.loser)
    yield from _corrections_differ(game)


def _charged_differs(game: Game, holder: Holder | None, loser: int | None) -> Iterator[str]:
    if holder and (holder.seat.number != loser or holder.table_id != game.table_id):
        yield "the result charges somebody who did not sit at the loser's seat"


def _corrections_differ(game: Game) -> Iterator[str]:
    """Compare what an operator found with what it can be: a row for each, the first numbered 1."""
    rows = Correction.objects.filter(game=game).select_related("holder__seat").order_by("number")
    for at, row in enumerate(rows, 1):
        if row.number != at:
            yield f"correction {at} is missing"
        if row.loser is not None and row.loser >= game.table.seats:
            yield f"correction {at} charges a seat that the table has not"
        yield from _charged_differs(game, row.holder, row.loser)
