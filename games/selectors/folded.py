"""A game step by step, out of its log: folded once, and on from where it was folded already."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.models import Game
from games.rules.cards import Suit
from games.rules.engine import apply
from games.rules.errors import IllegalMove
from games.rules.state import GameState
from games.selectors.games import BrokenGame, Log, dealt_state, log_of, log_read, log_since, rules_of, stopped
from games.selectors.marks import VoidSteps


@dataclass(frozen=True, slots=True, repr=False)
class Folded:
    """A log, the deal and the state after each entry, and since which entry each void is proved now.

    It holds all hands: nothing of it but a view may leave the selectors, and it shows nothing in a log.
    """

    log: Log
    states: tuple[GameState, ...]
    voids: VoidSteps

    def __repr__(self) -> str:
        return f"<{len(self.log.entries)} entries, folded>"

    def fits(self, game: Game) -> bool:
        """Tell whether a game has as many entries."""
        return len(self.log.entries) == game.version

    @property
    def state(self) -> GameState:
        """The state as it is now."""
        return self.states[-1]


class Known(NamedTuple):
    """What is folded already of a game, up to the entry with this hash."""

    folded: Folded
    last_hash: bytes


_MOST: Final = 200
_kept: Final[OrderedDict[int, Known]] = OrderedDict()
_keeping: Final = threading.Lock()


def folded_of(game: Game) -> Folded:
    """Return a game as its log stands, in two queries.

    Raises:
        BrokenGame: if the rules refuse an entry of the log, or this program does not know their version.
    """
    dealt = dealt_state(game)
    return folded_on(game, Folded(Log((), (), ()), (dealt,), {}), log_of(game))


def folded_since(game: Game, known: Known) -> Folded | None:
    """Return a game as its log stands from what is known of it, in one query; None if that is not how it began.

    Raises:
        BrokenGame: as `folded_of`.
    """
    rows = log_since(game, len(known.folded.log.entries))
    # A hash covers all entries before it and the deal: what has the same one began in the same way.
    if not rows or bytes(rows[0][-1]) != known.last_hash:
        return None
    return folded_on(game, known.folded, log_read(rows[1:]))


def folded_kept(game: Game) -> Folded:
    """Return a game as its log stands, on from what this process has folded of it: if that is all, without a query.

    Raises:
        BrokenGame: as `folded_of`.
    """
    # They stand in the game's own row, which no hash looks at again.
    rules_of(game)
    last_hash = bytes(game.last_hash)
    with _keeping:
        known = _kept.get(game.pk)
    if known is not None and known.last_hash == last_hash:
        # An operator may have ended it since, which no entry says.
        return folded_on(game, known.folded, Log((), (), ()))
    found = (known and folded_since(game, known)) or folded_of(game)
    if found.fits(game):
        folded_keep(game.pk, Known(found, last_hash))
    return found


def folded_keep(game_id: int, known: Known) -> None:
    """Keep a game for its next move. What never comes to be stored is kept in vain: no game has its hash."""
    with _keeping:
        _kept[game_id] = known
        _kept.move_to_end(game_id)
        if len(_kept) > _MOST:
            _kept.popitem(last=False)


def folded_on(game: Game, folded: Folded, more: Log) -> Folded:
    """Return a game that goes on with some entries.

    Raises:
        BrokenGame: if the rules refuse one of them.
    """
    states, voids = list(folded.states), folded.voids
    try:
        for entry in more.entries:
            after = apply(states[-1], entry)
            if after.known is not states[-1].known:
                voids = voids_of(after, voids)
            states.append(after)
    except IllegalMove as error:
        raise BrokenGame(game.code, f"the rules refuse it ({error.code})", len(states)) from None
    states[-1] = stopped(game, states[-1])
    before = folded.log
    log = Log(before.entries + more.entries, before.actors + more.actors, before.times + more.times)
    return Folded(log, tuple(states), voids)


def voids_of(state: GameState, old: VoidSteps) -> dict[tuple[int, Suit], int]:
    """Return the voids proved now, each with the entry since which it has been."""
    pairs = (
        (seat, suit) for seat, known in enumerate(state.known) for suit in known.proved_voids(len(state.hands[seat]))
    )
    return {pair: old.get(pair, state.entries) for pair in pairs}
