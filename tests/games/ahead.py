"""The middle of a long game stored at once, for tests that only need a game which has come so far.

Every row is what the writer would have left (`test_stored.py` compares them); where that hangs on more than the cards,
as at a table with a clock or for people who are told of their turns, nothing is left out and every card is played.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from accounts.choices import wants
from accounts.models import User
from games.models import Answer, Game, Move, Turn, WastePile
from games.rules.cards import hand_text
from games.rules.engine import apply
from games.rules.events import TrickWasted
from games.rules.moves import Play
from games.rules.state import GameState
from games.selectors.clocks import pace_of
from games.selectors.games import Held, held_seats
from games.selectors.reach import reach_of
from games.services.chain import entry_hash
from games.services.locks import game_locked, writing
from games.services.play import _columns
from games.services.projections import _begun, bots_of

type Until = Callable[[GameState], bool]
type Choose = Callable[[GameState], Play]


def plain(game: Game) -> bool:
    """Whether nothing but the log, the turns and the waste follows from a card at this table."""
    people = [holder.user_id for holder in held_seats(game.table_id).values() if holder.user_id is not None]
    told = any(reach.mail or reach.push for reach in reach_of(people).values())
    forced = any(wants(user, "forced") for user in User.objects.filter(pk__in=people))
    return not (pace_of(game.table).timed or told or forced)


def _simple(state: GameState) -> bool:
    return len(state.awaited) == 1 and state.due is None and state.result is None


def _coming(state: GameState, until: Until, choose: Choose) -> Iterator[tuple[Play, GameState]]:
    """Give the cards that come, each with the state after it, up to the last but one before a state is as wanted."""
    while _simple(state) and not until(state):
        move = choose(state)
        state = apply(state, move)
        if not _simple(state) or until(state):
            return
        yield move, state


def skipped(game: Game, state: GameState, until: Until, choose: Choose, now: datetime) -> GameState:
    """Store the cards that come now as if each had been sent by its holder, and return the state after them."""
    found = list(_coming(state, until, choose))
    if not found:
        return state
    with writing():
        game = game_locked(game.pk)
        held = held_seats(game.table_id)
        last_hash = _logged(game, [move for move, _ in found], held, now)
        state = found[-1][1]
        Turn.objects.filter(game=game).delete()
        Turn.objects.bulk_create(_begun(game, state, state.awaited, bots_of(held), now))
        pile = WastePile.objects.get(game=game)
        pile.cards = " ".join(filter(None, [pile.cards, *_wasted(after for _, after in found)]))
        pile.save(update_fields=["cards"])
        Game.objects.filter(pk=game.pk).update(
            version=state.entries, revision=game.revision + len(found), last_hash=last_hash
        )
    return state


def _wasted(states: Iterable[GameState]) -> Iterator[str]:
    """Give the tricks that went to the waste, as it is stored."""
    for state in states:
        for event in state.events:
            if isinstance(event, TrickWasted):
                yield hand_text(play.card for play in event.plays)


def _logged(game: Game, moves: list[Play], held: Mapping[int, Held], now: datetime) -> bytes:
    """Store entries, and what the turns of people that end with them cost, which is no time; return the last hash."""
    last, rows, answers = bytes(game.last_hash), [], []
    for number, move in enumerate(moves, game.version + 1):
        holder = held[move.seat]
        actor = Move.Actor.BOT if holder.bot else Move.Actor.HAND
        last = entry_hash(last, number, move, actor, now)
        rows.append(Move(game=game, number=number, actor=actor, at=now, hash=last, **_columns(move)))
        if holder.awaited_user is not None:
            answers.append(
                Answer(
                    game=game,
                    seat=move.seat,
                    holder_id=holder.holder_id,
                    number=number,
                    since=now,
                    at=now,
                    how=Answer.How.HAND,
                )
            )
    Move.objects.bulk_create(rows)
    Answer.objects.bulk_create(answers)
    return last
