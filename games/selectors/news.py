"""What of a game's entries is news to somebody who was not looking, and how soon it is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, assert_never

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from games.models import Move
from games.rules.events import (
    CardDrawn,
    Event,
    Fouled,
    GameOver,
    GotAway,
    HandTaken,
    PickedUp,
    Played,
    PowerPassed,
    TrickWasted,
    TrumpMade,
    visible,
)
from games.rules.state import GameState
from games.selectors.cast import Cast, cards_text
from games.selectors.playbill import Playbill
from games.selectors.sentences import Line, moment_of, tell

_ORDER, _BOT = Move.Actor.ORDER.value, Move.Actor.BOT.value


class Rank(IntEnum):
    """What is told first, where not everything can be."""

    END = 0
    MINE = 1
    TOCHOO = 2
    TRUMP = 3
    AWAY = 4
    TAKEN = 5
    SEAT = 6
    MISSED = 7
    LESS = 8
    CARD = 9


_OF_OTHERS: Final[Mapping[type[Event], Rank]] = {
    GotAway: Rank.AWAY,
    HandTaken: Rank.TAKEN,
    PickedUp: Rank.LESS,
    CardDrawn: Rank.LESS,
}


@dataclass(frozen=True, slots=True)
class News:
    """A sentence, and how soon it is told."""

    rank: Rank
    line: Line


@dataclass(frozen=True, slots=True)
class Step:
    """One entry as its viewer met it: what it brought about, and one sentence for each of that."""

    number: int
    actor: str
    cast: Cast
    events: tuple[Event, ...]
    lines: tuple[Line, ...]

    @property
    def seat(self) -> int:
        """Whose entry it is.

        Raises:
            ValueError: no entry begins with such an event.
        """
        match self.events[0]:
            case Played(seat=seat) | Fouled(seat=seat) | CardDrawn(seat=seat) | HandTaken(seat=seat):
                return seat
            case _:
                raise ValueError("an entry begins with a play, a foul, a draw or a taken hand")

    @property
    def by_me(self) -> bool:
        """Whether the viewer's own hand made it, so that it is no news to them; what they drew may be."""
        mine = self.seat == self.cast.viewer and not isinstance(self.events[0], CardDrawn)
        return mine and self.actor == Move.Actor.HAND

    @property
    def for_me(self) -> bool:
        """Whether it is a card of the viewer's that a stand-in played, or that went by itself."""
        mine = self.seat == self.cast.viewer and isinstance(self.events[0], Played)
        return mine and self.actor in (_BOT, _ORDER)

    @property
    def card(self) -> bool:
        """Whether it is a card that is not told otherwise."""
        return isinstance(self.events[0], Played | Fouled) and not (self.by_me or self.for_me)


def steps_since(
    states: Sequence[GameState], bill: Playbill, actors: Sequence[str], since: int, *, public: bool = False
) -> Iterator[Step]:
    """Yield the entries after one, as their viewer met them; with *public* as everybody did.

    *states* are all of the game, the deal first; *actors* say who made each entry.
    """
    for number in range(since + 1, len(states)):
        before, state, cast = states[number - 1], states[number], bill.at(number)
        events = tuple(visible(event, None if public else cast.viewer) for event in state.events)
        yield Step(number, actors[number - 1], cast, events, tell(events, cast, moment_of(state, before)))


def news_of(step: Step, bill: Playbill) -> Iterator[News]:
    """Yield what came with an entry and before the next, as far as its viewer may not know it yet."""
    first = _first(step)
    if first is not None:
        yield first
    # Who picks up is told together with the card that brought it about, or known to whoever played it.
    combined = isinstance(step.events[0], Played)
    for event, line in zip(step.events[1:], step.lines[1:], strict=True):
        rank = _rank(event, step.cast.viewer)
        if rank is not None and not (combined and isinstance(event, PickedUp)):
            yield News(rank, line)
    for line in bill.lines(step.number):
        yield News(Rank.SEAT, line)


def done_for_me(since: Sequence[Step]) -> Iterator[News]:
    """Yield how much a stand-in played for the viewer, and how many of their only cards went by themselves."""
    for actor, one, many in (
        (_BOT, "A bot has played a card for you.", "A bot has played {} cards for you."),
        (_ORDER, "Your only card went by itself.", "Your only card went by itself, {} times."),
    ):
        found = [step for step in since if step.for_me and step.actor == actor]
        if found:
            text = escape(one) if len(found) == 1 else format_html(many, len(found))
            yield News(Rank.MINE, Line(found[0].number, "ForMe", text))


def not_by_hand(step: Step) -> SafeString | None:
    """Return the sentence for a card that a bot played since its person's time was up, or that went without them."""
    event, cast = step.events[0], step.cast
    if not isinstance(event, Played):
        return None
    what = "a card face down" if event.card is None else f"the {event.card.name}"
    if step.actor == Move.Actor.TIMEOUT:
        mine, theirs = "Your time was up: a bot played {what}.", "{name}\u2019s time was up: a bot played {what}."
        return cast.say(event.seat, mine, theirs, what=what)
    if step.for_me:
        told = "A bot played {} for you." if step.actor == _BOT else "Your only card went by itself: {}."
        return format_html(told, what)
    return None


def _first(step: Step) -> News | None:
    """Return what was done, unless the viewer did it, or it is summed up as done for them."""
    event, line, mine = step.events[0], step.lines[0], step.seat == step.cast.viewer
    if step.by_me or step.for_me:
        return None
    tochoo, missed = _tochoo(step), not_by_hand(step)
    if missed is not None and (mine or tochoo is None):
        return News(Rank.MINE if mine else Rank.MISSED, replace(line, kind="Missed", text=missed))
    return tochoo or News(_rank(event, step.cast.viewer) or Rank.CARD, line)


def _tochoo(step: Step) -> News | None:
    """Return a tochoo and who picks up, in one sentence."""
    event, cast = step.events[0], step.cast
    picked = next((each for each in step.events if isinstance(each, PickedUp)), None)
    if not isinstance(event, Played) or event.card is None or picked is None:
        return None
    card, count = event.card.name, cards_text(len(picked.cards))
    text = format_html(
        "{}: {}.",
        cast.say(event.seat, "You play the {card}, a tochoo", "{name} plays the {card}, a tochoo", card=card),
        cast.say(picked.seat, "you pick up {count}", "{name} picks up {count}", count=count),
    )
    return News(Rank.MINE if picked.seat == cast.viewer else Rank.TOCHOO, replace(step.lines[0], text=text))


def _rank(event: Event, viewer: int | None) -> Rank | None:
    """Return how soon an event is told, None if never: that a trick went to the waste is told by its cards."""
    match event:
        case GameOver():
            return Rank.END
        case GotAway() | HandTaken() | PickedUp() | CardDrawn():
            return Rank.MINE if viewer is not None and viewer in _touched(event) else _OF_OTHERS[type(event)]
        case TrumpMade() | Fouled():
            return Rank.TRUMP if isinstance(event, TrumpMade) else Rank.LESS
        case Played() | TrickWasted() | PowerPassed():
            return None
        case _:
            assert_never(event)


def _touched(event: GotAway | HandTaken | PickedUp | CardDrawn) -> tuple[int | None, ...]:
    """Return the seats whose hands an event has changed."""
    match event:
        case GotAway(seat=seat):
            return (seat,)
        case HandTaken(seat=seat, victim=other):
            return (seat, other)
        case PickedUp(seat=seat, from_seat=source) | CardDrawn(seat=seat, from_seat=source):
            return (seat, source)
        case _:
            assert_never(event)
