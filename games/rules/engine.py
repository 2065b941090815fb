"""The engine: one entry takes a game from one state to the next (rules.md 4 to 10)."""

from typing import assert_never

from games.rules.cards import Card, Suit, with_cards, without_card
from games.rules.deal import opener
from games.rules.ending import finish_if_over, get_away, trick_ended
from games.rules.events import (
    CardDrawn,
    Fouled,
    GotAway,
    HandTaken,
    PickedUp,
    Played,
    PowerPassed,
    TrumpMade,
)
from games.rules.knowledge import Known
from games.rules.legality import draw_problem, is_foul, play_problem, take_problem
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.state import GameState, LastTrick, Lead
from games.rules.tricks import is_tochoo, proved_by, winning_play


def apply(state: GameState, entry: Entry) -> GameState:
    """Return the state after an entry; its `events` say what that brought about.

    Raises:
        IllegalMove: if the rules refuse the entry; `state` is a value and stays as it was.
    """
    match entry:
        case Play():
            return _apply_play(state, entry)
        case Take():
            problem = take_problem(state, entry)
            if problem is not None:
                raise problem
            return _take(_next_entry(state), entry)
        case Draw():
            problem = draw_problem(state, entry)
            if problem is not None:
                raise problem
            return _draw(_next_entry(state), entry)
        case _:
            assert_never(entry)


def _apply_play(state: GameState, play: Play) -> GameState:
    problem = play_problem(state, play)
    if problem is None:
        return _play(state, play)
    if is_foul(state, problem):
        return _foul(state, play)
    raise problem


def _next_entry(state: GameState) -> GameState:
    return state._replace(entries=state.entries + 1, window=False, events=())


def _play(state: GameState, play: Play) -> GameState:
    """Put a legal card on the table, and end the trick if that ends it."""
    seat, card = play.seat, play.card
    led = state.trick[0].card.suit if state.trick else card.suit
    trump = _trump_after(state, card, led)
    tochoo = is_tochoo(card, led, trump)
    face_down = state.face_down and bool(state.trick)
    drawn = state.drawn is not None
    events = [Played(seat, card, not state.trick, face_down, tochoo, drawn)]
    made = () if trump is state.trump or trump is None else (TrumpMade(seat, trump),)
    lead = state.lead if state.trick else _lead(state, seat)
    known = state.known if face_down else _known_after(state, play, led)
    state = state._replace(
        entries=state.entries + 1,
        hands=_put(state.hands, seat, without_card(state.hands[seat], card)),
        known=known,
        trick=(*state.trick, play),
        lead=lead,
        drawn=None,
        drawn_from=None,
        trump=trump,
        window=False,
        events=(*events, *made),
    )
    return trick_ended(state) if _ends(state, tochoo=tochoo) else state


def _trump_after(state: GameState, card: Card, led: Suit) -> Suit | None:
    if state.trump is None and state.rules.game == "donkey" and card.suit is not led:
        return card.suit
    return state.trump


def _lead(state: GameState, seat: int) -> Lead:
    return Lead(state.left, len(state.hands[seat]) == 1, state.drawn is not None)


def _known_after(state: GameState, play: Play, led: Suit) -> tuple[Known, ...]:
    seat, card = play.seat, play.card
    known = state.known
    if state.drawn is not None and state.drawn_from is not None:
        # The led card tells everybody what left the hand that it was drawn from.
        source, before = state.drawn_from
        known = _put(known, source, before.played(card))
    voids = proved_by(card, led, state.trump)
    if voids or card in known[seat].cards:
        known = _put(known, seat, known[seat].played(card, voids))
    return known


def _ends(state: GameState, *, tochoo: bool) -> bool:
    if len(state.trick) == state.left:
        return True
    ignored = state.opening and state.rules.opening_tochoo == "ignored"
    return tochoo and not ignored and state.rules.tochoo == "interrupts"


def _foul(state: GameState, play: Play) -> GameState:
    """Let the offender take the trick on the table, and the power (rules.md 10)."""
    seat, last = play.seat, state.last
    plays, taker = state.trick, None
    if state.window and last is not None:
        plays, taker = last.plays, last.taker
    if plays:
        last = LastTrick(state.tricks + 1, plays, winning_play(plays, state.trump).seat, seat)
    cards = tuple(each.card for each in plays)
    state = _cards_to_offender(state, play, cards, taker)
    state = state._replace(
        entries=state.entries + 1,
        trick=(),
        lead=None,
        power=seat,
        tricks=state.tricks + 1,
        last=last,
        window=False,
        events=(Fouled(seat, play.card), PickedUp(seat, cards, taker) if cards else PowerPassed(seat)),
    )
    played = dict.fromkeys(each.seat for each in plays)
    empty = tuple(each for each in played if not state.hands[each] and each not in state.away)
    return finish_if_over(get_away(state, empty))


def _cards_to_offender(state: GameState, play: Play, cards: tuple[Card, ...], taker: int | None) -> GameState:
    """Move cards to the offender, from the table or from the seat that has just taken them."""
    seat, hands = play.seat, state.hands
    known = _put(state.known, seat, state.known[seat].shown(play.card))
    if taker is not None:
        hands = _put(hands, taker, _without(hands[taker], cards))
        known = _put(known, taker, known[taker].lost(cards))
    hands = _put(hands, seat, with_cards(hands[seat], cards))
    known = _put(known, seat, known[seat].gained(cards))
    return state._replace(hands=hands, known=known)


def _without(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    for each in cards:
        hand = without_card(hand, each)
    return hand


def _take(state: GameState, take: Take) -> GameState:
    """Move the next seat's whole hand to the taker (rules.md 4)."""
    seat, victim = take.seat, take.victim
    mine, theirs = state.hands[seat], state.hands[victim]
    hands = _put(_put(state.hands, seat, with_cards(mine, theirs)), victim, ())
    merged = state.known[seat].merged(len(mine), state.known[victim], len(theirs))
    known = _put(_put(state.known, seat, merged), victim, Known())
    power = _power_after_take(state, take, hands)
    passed = () if power == state.power else (PowerPassed(power),)
    state = state._replace(
        hands=hands,
        known=known,
        power=power,
        away=(*state.away, victim),
        events=(
            HandTaken(seat, victim, len(theirs)),
            GotAway(victim, len(state.away) + 1),
            *passed,
        ),
    )
    return finish_if_over(state)


def _power_after_take(state: GameState, take: Take, hands: tuple[tuple[Card, ...], ...]) -> int:
    if state.opening:
        return opener(state.rules, state.dealer, hands)
    return take.seat if take.victim == state.power else state.power


def _draw(state: GameState, draw: Draw) -> GameState:
    """Give the seat with the power the drawn card to lead (rules.md 7.2)."""
    if state.due == "waste":
        return _drawn(state, draw)._replace(waste=_without(state.waste, (draw.card,)) + state.held, held=())
    victim = state.next_seat(draw.seat)
    hand, before = state.hands[victim], state.known[victim]
    blurred = before.blurred(len(hand))
    left = without_card(hand, draw.card)
    known = _put(state.known, victim, blurred if left else Known())
    known = _put(known, draw.seat, Known((), blurred.voids))
    state = _drawn(state._replace(hands=_put(state.hands, victim, left)), draw, victim)._replace(
        known=known, drawn_from=(victim, before)
    )
    if left:
        return state
    away = (*state.away, victim)
    return finish_if_over(state._replace(away=away, events=(*state.events, GotAway(victim, len(away)))))


def _drawn(state: GameState, draw: Draw, source: int | None = None) -> GameState:
    return state._replace(
        hands=_put(state.hands, draw.seat, (draw.card,)),
        known=_put(state.known, draw.seat, Known()),
        due=None,
        drawn=draw.card,
        events=(CardDrawn(draw.seat, draw.card, source),),
    )


def _put[T](values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])
