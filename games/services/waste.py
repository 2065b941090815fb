"""The waste as it lies: it grows with every clean trick and is shuffled before each draw from it (rules.md 7.2)."""

from datetime import datetime
from typing import Final

from django.db.models import BigIntegerField, F, TextField
from django.db.models.functions import Concat, LTrim

from games.models import WastePile
from games.rules.cards import Card, card, hand_text
from games.rules.events import TrickWasted
from games.rules.legality import draw_pool
from games.rules.moves import Draw
from games.rules.shuffle import Source, shuffled
from games.rules.state import GameState
from games.selectors.prepared import Given
from games.services.changes import Changing

_GROWN: Final = Changing(
    lambda: WastePile.objects.filter(game=Given("game", BigIntegerField())),
    cards=LTrim(Concat(F("cards"), Given("cards", TextField()))),
)


def waste_followed(*, game_id: int, state: GameState, source: Source, now: datetime) -> Draw | None:
    """Store what a play did to the waste, and return the draw that is due after it, if any.

    `state` is that after the play; the source decides which card comes.
    """
    if state.due == "waste":
        return Draw(state.power, _shuffled_top(game_id, state, source, now))
    wasted = next((event for event in state.events if isinstance(event, TrickWasted)), None)
    if wasted is not None:
        _GROWN(game=game_id, cards=" " + hand_text(play.card for play in wasted.plays))
    if state.due is None:
        return None
    pool = draw_pool(state)
    return Draw(state.power, pool[source(len(pool))])


def _shuffled_top(game_id: int, state: GameState, source: Source, now: datetime) -> Card:
    """Shuffle the waste, take its top card and lay the trick just played, which was kept out, on the rest."""
    pile = WastePile.objects.get(game_id=game_id)
    top, *rest = shuffled(tuple(map(card, pile.cards.split())), source)
    pile.cards = hand_text((*rest, *state.held))
    pile.shuffles += 1
    pile.shuffled_at = now
    pile.save(update_fields=["cards", "shuffles", "shuffled_at"])
    return top
