"""The banner: whose turn it is and what the rules ask of them (R15)."""

from dataclasses import dataclass
from typing import Final

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from games.rules.cards import Suit
from games.rules.events import Fouled, PickedUp
from games.rules.view import PublicView, SeatView
from games.selectors.cast import Cast, cards_text
from games.selectors.hands import led_suit
from games.selectors.sentences import verdict
from games.selectors.shown import Shown
from games.selectors.waits import NO_CLOCKS, NOTHING, Clocks, time_line

NAMED: Final = 3
"""The banner names no more seats than these, or it would not keep to two lines; the seats are marked anyway."""


@dataclass(frozen=True, slots=True)
class Banner(Shown):
    """A line about now. state: "my-turn", "waiting" or "over". head: the part that shouts, may be empty.

    time: a second line, about time; may be empty.
    """

    state: str
    head: str
    text: SafeString
    time: SafeString = NOTHING


def banner_of(view: PublicView, cast: Cast, clocks: Clocks = NO_CLOCKS) -> Banner:
    """Say whose turn it is, what the viewer must do, and by when (R15)."""
    if view.result is not None:
        return Banner("over", "Over", verdict(view.result, cast))
    time = time_line(view, cast, clocks)
    if not isinstance(view, SeatView):
        return Banner("waiting", "You watch", _waiting(view, cast), time)
    if view.seat in clocks.stood_in:
        told = escape("It is about to play.") if view.must_play else _waiting(view, cast)
        return Banner("waiting", "A bot plays for you", told)
    if view.must_play:
        return Banner("my-turn", "Your turn", escape(demand(view)), time)
    return Banner("waiting", "", _waiting(view, cast), time)


def _waiting(view: PublicView, cast: Cast) -> SafeString:
    if len(view.awaited) == 1:
        turn = format_html("{}\u2019s turn", cast.who(view.awaited[0]))
    elif len(view.awaited) <= NAMED:
        turn = format_html("Waiting for {}", cast.all(view.awaited))
    else:
        turn = format_html("Waiting for {} players", len(view.awaited))
    if cast.viewer in view.away:
        return format_html("You have got away. {}.", turn)
    if any(each.seat == cast.viewer for each in view.table) and len(view.awaited) > 1:
        return format_html("You have played. {}.", turn)
    return format_html("{}.", turn)


def demand(view: SeatView) -> str:
    """Say in a few words what the viewer must play now (rules.md 5, 6, 7, 9)."""
    led = led_suit(view)
    if led is None:
        return _lead(view)
    suits = {card.suit for card in view.playable}
    if led in suits:
        return f"follow {led.word}{_face_down(view)}"
    if view.trump is not None and suits == {view.trump}:
        return f"no {led.word}: play a trump, {view.trump.word}"
    return _void(view, led)


def _lead(view: SeatView) -> str:
    if view.drawn is not None:
        return f"lead the card you drew, the {view.drawn.name}"
    return "lead any card" if view.tricks else "lead the ace of spades"


def _void(view: SeatView, led: Suit) -> str:
    if view.rules.game == "donkey" and view.trump is None:
        return f"no {led.word}: the suit you play becomes trump"
    if view.tricks == 0 and view.rules.opening_tochoo == "ignored":
        return f"no {led.word}: play any card{_face_down(view)}"
    return f"no {led.word}: any card is a tochoo"


def _face_down(view: SeatView) -> str:
    """Return what is special about an opening to which all may play at once (R12), "" in any other trick."""
    if view.tricks or view.rules.opening != "any_order":
        return ""
    return ", face down; all may play now" if len(view.awaited) > 1 else ", face down"


def foul_note(view: SeatView) -> str:
    """Say what a foul of the viewer would bring now, "" where none is accepted (rules.md 10)."""
    if not view.fouls:
        return ""
    if view.table:
        return f"A foul: you take {_those(len(view.table))} on the table and lead next."
    # Right after a pick-up that trick still counts as the trick on the table.
    picked = next((each for each in view.events if isinstance(each, PickedUp)), None)
    if picked is not None and not isinstance(view.events[0], Fouled):
        return f"A foul: you take {_those(len(picked.cards))} just picked up and lead next."
    return "A foul: the card goes back and you must lead next."


def _those(count: int) -> str:
    return "the card" if count == 1 else f"the {cards_text(count)}"
