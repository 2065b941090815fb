"""A playthrough as text: short enough to read, whole enough to check every view at every entry.

After each entry stand its events, then a line for the public and one for each seat: the beginning of the SHA-256 of
the whole view, and what changed in it. A list of cards shows which came and went (+QH -2C), anything else its new
value. A seat's line names only what differs from the public view; "~name" says that it differs no longer.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from games.rules.cards import Card, Hand, Suit, hand_text
from games.rules.events import Event
from games.rules.moves import Play
from games.rules.outcome import Result
from games.rules.state import GameState
from games.rules.view import PublicView, SeatView, TableCard, public_view, seat_view
from tests.playthroughs.play import Case, Step, played
from tests.views import canonical, entry_text

type Value = str | Hand
type Flat = dict[str, Value]


def written(value: object) -> str:
    """A value in a few letters; a card that the viewer may not see is "?"."""
    match value:
        case Card():
            return value.code
        case Suit():
            return value.value
        case Play(seat, card):
            return f"{seat}:{card.code}"
        case TableCard(seat=seat, card=card):
            return f"{seat}:{'?' if card is None else card.code}"
        case Result():
            away = written(value.away)
            return "void " + away if value.void else f"away {away} loser {value.loser} with {value.cards_left}"
        case tuple():
            return " ".join(written(each) for each in value) or "-"
        case _:
            return str(value)


def event_text(event: Event) -> str:
    """An event by its name and whatever it says that is neither no nor nothing."""
    said = ((each.name, getattr(event, each.name)) for each in fields(event))
    return " ".join([type(event).__name__, *(f"{name}={written(value)}" for name, value in said if says(value))])


def says(value: object) -> bool:
    return value is not None and value is not False


def flat(view: PublicView) -> Flat:
    """A view as named values, each hand and each seat's part by itself."""
    found: Flat = {}
    for name in ("power", "awaited", "counts", "table", "winning", "trump", "waste_count", "tricks", "away", "result"):
        found[name] = written(getattr(view, name))
    found["drawn_waits"] = written(view.drawn_waits)
    found["gone"] = view.gone
    if view.last is not None:
        found["last"] = f"{view.last.number}: {written(view.last.plays)} best {view.last.best} taker {view.last.taker}"
    for seat in range(view.players):
        found[f"known.{seat}"] = view.known[seat]
        found[f"voids.{seat}"] = written(view.voids[seat])
        if view.hands is not None:
            found[f"hands.{seat}"] = view.hands[seat]
    found["events"] = "; ".join(event_text(event) for event in view.events)
    return found | (flat_seat(view) if isinstance(view, SeatView) else {})


def flat_seat(view: SeatView) -> Flat:
    why: dict[str, list[Card]] = {}
    for refusal in view.refusals:
        why.setdefault(refusal.code, []).append(refusal.card)
    take = "" if view.take is None else f" takes {view.take.victim}"
    return {
        "hand": view.hand,
        "legal": (hand_text(view.playable) + take).strip() or "-",
        "fouls": written(view.fouls),
        "drawn": written(view.drawn),
        "refused": ", ".join(f"{code}: {hand_text(cards)}" for code, cards in why.items()) or "-",
    }


def changes(before: Mapping[str, Value], now: Mapping[str, Value]) -> Iterator[str]:
    for name, value in now.items():
        old = before.get(name)
        if value == old:
            continue
        if isinstance(value, str):
            yield f"{name}={value}"
            continue
        cards, gone = Counter(value), Counter(old if isinstance(old, tuple) else ())
        moved = [f"+{each}" for each in (cards - gone).elements()] + [f"-{each}" for each in (gone - cards).elements()]
        yield f"{name} {' '.join(moved)}" if moved else f"{name} none"
    yield from (f"~{name}" for name in before if name not in now)


class Writer:
    """Writes one game, remembering what it has said of each view."""

    def __init__(self) -> None:
        self.said: dict[int | None, Flat] = {}
        self.sentences: dict[str, str] = {}

    def views(self, state: GameState) -> Iterator[str]:
        public = public_view(state)
        shared = flat(public)
        yield self.line("public", None, public, {name: value for name, value in shared.items() if name != "events"})
        for seat in range(state.players):
            view = seat_view(state, seat)
            own = {name: value for name, value in flat(view).items() if shared.get(name) != value}
            yield self.line(f"{seat}", seat, view, own)
            self.sentences |= {each.code: each.sentence for each in view.refusals if each.code not in self.sentences}

    def line(self, title: str, viewer: int | None, view: PublicView, now: Flat) -> str:
        changed = "; ".join(changes(self.said.get(viewer, {}), now))
        self.said[viewer] = now
        digest = hashlib.sha256(canonical(view)).hexdigest()[:16]
        return f"  {title} {digest} {changed}".rstrip()

    def step(self, step: Step) -> Iterator[str]:
        state = step.state
        yield f"{state.entries}" + ("" if step.entry is None else f" {entry_text(step.entry)}")
        for event in state.events:
            yield f"  - {event_text(event)}"
        yield from self.views(state)


def lines(case: Case) -> Iterator[str]:
    writer, steps = Writer(), list(played(case))
    first = steps[0].state
    yield f"# {case.name}"
    yield " ".join(f"{name}={value}" for name, value in first.rules.as_dict().items())
    yield f"players {first.players}, dealer {first.dealer}"
    yield from (f"hand {seat}: {hand_text(hand)}" for seat, hand in enumerate(first.hands))
    for step in steps:
        yield from writer.step(step)
    yield "# refusals"
    yield from sentences(writer.sentences)


def sentences(found: Mapping[str, str]) -> Iterable[str]:
    return (f"{code}: {sentence}" for code, sentence in sorted(found.items()))


def text(case: Case) -> str:
    return "\n".join(lines(case)) + "\n"
