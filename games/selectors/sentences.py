"""One plain sentence for each thing that happened (rules.md 4 to 10), as one viewer may hear it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from games.rules.cards import Card, Suit
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
from games.rules.moves import Play
from games.rules.outcome import Result
from games.rules.state import GameState
from games.selectors.cast import Cast, cards_text
from games.selectors.makers import BOT, BY_WORDS, HAND
from games.selectors.shown import Shown


@dataclass(frozen=True, slots=True)
class Line(Shown):
    """A sentence. step: the entry that brought it about, from 1. kind: the event's, for style and tests.

    by: how that entry was made, of its first sentence (`games.selectors.makers`).
    """

    step: int
    kind: str
    text: SafeString
    by: str = ""

    @property
    def mark(self) -> str:
        """What stands beside it: how it was made, unless that goes without saying."""
        return BY_WORDS.get(self.by, "") if self.by not in {HAND, BOT} else ""

    @property
    def made(self) -> str:
        """How it was made, in words; "" if that was told before."""
        return BY_WORDS.get(self.by, "")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a sentence needs to know of the entry that it tells.

    opening: the entry belongs to an opening trick in which nobody picks up (rules.md 5). turned_up: its cards lay face
    down until the trick ended (rules.md 5.2). by: how it was made, as far as the reader may know.
    """

    step: int
    opening: bool = False
    turned_up: bool = False
    by: str = ""


def moment_of(state: GameState, before: GameState, by: str = "") -> Moment:
    """Return what the sentences about an entry must know; *by*: how it was made."""
    opening = before.opening and before.rules.opening_tochoo == "ignored"
    return Moment(state.entries, opening=opening, turned_up=before.face_down and not state.opening, by=by)


def lines_of(state: GameState, before: GameState, cast: Cast, by: str = "") -> tuple[Line, ...]:
    """Return the sentences for the entry that led from one state to the next, as the cast's viewer may hear them."""
    events = tuple(visible(event, cast.viewer) for event in state.events)
    return tell(events, cast, moment_of(state, before, by))


def tell(events: Iterable[Event], cast: Cast, moment: Moment) -> tuple[Line, ...]:
    """Return the sentences for what one entry brought about; the events must be those that the viewer may see."""
    return tuple(
        Line(moment.step, _kind(event), sentence(event, cast, moment), "" if at else moment.by)
        for at, event in enumerate(events)
    )


def _kind(event: Event) -> str:
    tochoo = isinstance(event, Played) and event.tochoo
    return "Tochoo" if tochoo else type(event).__name__


def sentence(event: Event, cast: Cast, moment: Moment) -> SafeString:
    """Return the sentence for one event."""
    match event:
        case Played():
            return _played(event, cast, moment)
        case TrumpMade() | Fouled() | GotAway() | PowerPassed():
            return _of_one(event, cast)
        case TrickWasted():
            return _wasted(event, cast, moment)
        case PickedUp():
            return _picked_up(event, cast)
        case HandTaken() | CardDrawn():
            return _taken(event, cast) if isinstance(event, HandTaken) else _drawn(event, cast)
        case GameOver(result):
            return ending(result, cast)
        case _:
            assert_never(event)


def _played(event: Played, cast: Cast, moment: Moment) -> SafeString:
    seat, card = event.seat, event.card
    if card is None:
        return cast.say(seat, "You lay a card face down.", "{name} lays a card face down.")
    if event.face_down:
        return cast.say(seat, "You lay the {card} face down.", "{name} lays the {card} face down.", card=card.name)
    mine, theirs = _play_words(event, moment)
    return cast.say(seat, f"You {mine}", f"{{name}} {theirs}", card=card.name)


def _play_words(event: Played, moment: Moment) -> tuple[str, str]:
    if event.led and event.drawn:
        return "lead the card you drew, the {card}.", "leads the card just drawn, the {card}."
    if event.led:
        return "lead the {card}.", "leads the {card}."
    if event.tochoo and moment.opening:
        return "have no spades and play the {card}.", "has no spades and plays the {card}."
    if event.tochoo:
        return "play the {card}, a tochoo.", "plays the {card}, a tochoo."
    return "play the {card}.", "plays the {card}."


def _of_one(event: TrumpMade | Fouled | GotAway | PowerPassed, cast: Cast) -> SafeString:
    seat = event.seat
    match event:
        case TrumpMade(suit=suit):
            return _trump(suit)
        case Fouled(card=card):
            return cast.say(
                seat,
                "You try the {card}, a foul: it goes back to your hand.",
                "{name} tries the {card}, a foul: it goes back.",
                card=card.name,
            )
        case GotAway(place=place):
            return cast.say(
                seat, "You have got away, place {place}.", "{name} has got away, place {place}.", place=place
            )
        case PowerPassed():
            return cast.say(seat, "You have the power and lead.", "{name} has the power and leads.")
        case _:
            assert_never(event)


def _trump(suit: Suit) -> SafeString:
    return format_html("{} are trump for the rest of this deal.", suit.word.capitalize())


def _wasted(event: TrickWasted, cast: Cast, moment: Moment) -> SafeString:
    told = cast.say(
        event.winner,
        "The trick goes to the waste; you have the power.",
        "The trick goes to the waste; {name} has the power.",
    )
    if not moment.turned_up:
        return told
    return format_html("All cards are turned up: {}. {}", _turned_up(event.plays, cast), told)


def _turned_up(plays: tuple[Play, ...], cast: Cast) -> SafeString:
    told = ((cast.say(play.seat, "you", "{name}"), play.card.name) for play in plays)
    return format_html_join(", ", "{} the {}", told)


def _picked_up(event: PickedUp, cast: Cast) -> SafeString:
    count, cards = cards_text(len(event.cards)), _list(event.cards)
    if event.from_seat is None:
        return cast.say(
            event.seat,
            "You pick up {count}: {cards}.",
            "{name} picks up {count}: {cards}.",
            count=count,
            cards=cards,
        )
    other = cast.say(event.from_seat, "you", "{name}")
    return cast.say(
        event.seat,
        "You take {count} over from {other}: {cards}.",
        "{name} takes {count} over from {other}: {cards}.",
        count=count,
        cards=cards,
        other=other,
    )


def _list(cards: tuple[Card, ...]) -> str:
    return ", ".join(card.name for card in cards)


def _taken(event: HandTaken, cast: Cast) -> SafeString:
    return cast.say(
        event.seat,
        "You take {whose} hand of {count}.",
        "{name} takes {whose} hand of {count}.",
        whose=_whose(event.victim, cast),
        count=cards_text(event.count),
    )


def _whose(seat: int, cast: Cast) -> SafeString:
    return cast.say(seat, "your", "{name}\u2019s")


def _drawn(event: CardDrawn, cast: Cast) -> SafeString:
    card = "a card" if event.card is None else f"the {event.card.name}"
    if event.from_seat is None:
        return cast.say(event.seat, "You draw {card} from the waste.", "{name} draws {card} from the waste.", card=card)
    return cast.say(
        event.seat,
        "You draw {card} from {whose} hand.",
        "{name} draws {card} from {whose} hand.",
        card=card,
        whose=_whose(event.from_seat, cast),
    )


def ending(result: Result, cast: Cast) -> SafeString:
    """Return the sentence for the end of a game (rules.md 8, 9.6; words.md 3)."""
    if result.loser is None:
        return escape("The game is stopped without a loser: nothing is scored.")
    if cast.donkey:
        return cast.say(
            result.loser,
            "You are a donkey with {legs}.",
            "{name} is a donkey with {legs}.",
            legs=_legs(result.cards_left or 0),
        )
    if not result.cards_left:
        return cast.say(result.loser, "You are the last one left.", "{name} is the last one left.")
    return cast.say(result.loser, "You hold the last cards.", "{name} holds the last cards.")


def verdict(result: Result, cast: Cast) -> SafeString:
    """Return the sentence that says who has lost a game that is over, and by what."""
    if result.stopped:
        return escape("The operators ended this deal: nobody lost.")
    if result.loser is None:
        endless, voided = "The deal was endless: nobody loses it.", "The operators voided this deal: nobody lost."
        return escape(voided if cast.voided else endless)
    if cast.charged:
        return format_html("<bdi>{}</bdi>, who had left, loses this deal.", cast.charged)
    if cast.donkey:
        told = "You are a donkey with {legs}: you", "{name} is a donkey with {legs} and"
    elif not result.cards_left:
        told = "You are the last one left: you", "{name} is the last one left and"
    else:
        told = "You hold the last cards: you", "{name} holds the last cards and"
    mine, theirs = told
    legs = _legs(result.cards_left or 0)
    return cast.say(result.loser, f"{mine} lose this deal.", f"{theirs} loses this deal.", legs=legs)


def handed(seat: int, name: str, cast: Cast, *, bot: bool) -> SafeString:
    """Return the sentence for a seat that its holder in *cast* gives up to a bot or a person called *name*."""
    told = "{old} has left: a bot plays on, {new}." if bot else "{new} plays on for {old}."
    return format_html(told, old=cast.who(seat), new=format_html("<bdi>{}</bdi>", name))


def _legs(count: int) -> str:
    return f"{count} leg" if count == 1 else f"{count} legs"
