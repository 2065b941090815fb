"""Which entries the rules accept (rules.md 4 to 10): the engine asks, and so do views."""

from games.rules.cards import ACE_OF_SPADES, Card, Suit, has_suit
from games.rules.errors import IllegalMove
from games.rules.moves import Draw, Move, Play, Take
from games.rules.state import GameState

FOULS = frozenset({"not_your_turn", "follow_suit", "play_trump"})
"""Problems of a held card that a table with penalties accepts as a foul (rules.md 10)."""


def play_problem(state: GameState, play: Play) -> IllegalMove | None:
    """Return why a card may not be played now, or None (rules.md 5, 6, 7, 9)."""
    problem = _seat_problem(state, play.seat)
    if problem is not None:
        return problem
    if state.due is not None:
        return IllegalMove("draw_due")
    if play.card not in state.hands[play.seat]:
        return IllegalMove("not_held", card=play.card.name)
    if play.seat not in state.awaited:
        return IllegalMove(_not_awaited(state, play.seat))
    if not state.trick:
        return _lead_problem(state, play.card)
    return _follow_problem(state, play)


def _seat_problem(state: GameState, seat: int) -> IllegalMove | None:
    if state.result is not None:
        return IllegalMove("over")
    if seat not in range(state.players):
        return IllegalMove("no_seat")
    return IllegalMove("away") if seat in state.away else None


def _not_awaited(state: GameState, seat: int) -> str:
    played = state.face_down and any(play.seat == seat for play in state.trick)
    return "already_played" if played else "not_your_turn"


def _lead_problem(state: GameState, card: Card) -> IllegalMove | None:
    if state.opening and card is not ACE_OF_SPADES:
        return IllegalMove("lead_ace")
    if state.drawn is not None and card is not state.drawn:
        return IllegalMove("lead_drawn", card=state.drawn.name)
    return None


def _follow_problem(state: GameState, play: Play) -> IllegalMove | None:
    led, trump, hand = state.trick[0].card.suit, state.trump, state.hands[play.seat]
    if play.card.suit is led:
        return None
    if has_suit(hand, led):
        return IllegalMove("follow_suit", suit=led.word)
    if trump is None or play.card.suit is trump or not has_suit(hand, trump):
        return None
    return IllegalMove("play_trump", suit=led.word, trump=trump.word)


def is_foul(state: GameState, problem: IllegalMove) -> bool:
    """Say whether a play with this problem is accepted as a foul (rules.md 10)."""
    return state.rules.penalties == "penalise" and not state.opening and state.drawn is None and problem.code in FOULS


def take_problem(state: GameState, take: Take) -> IllegalMove | None:
    """Return why a hand may not be taken now, or None (rules.md 4)."""
    problem = _seat_problem(state, take.seat)
    if problem is not None:
        return problem
    taking = state.rules.taking
    if taking == "off":
        return IllegalMove("taking_off")
    if state.due is not None or state.drawn is not None:
        return IllegalMove("take_draw")
    if state.trick:
        return IllegalMove("take_too_late")
    if taking == "leader" and take.seat != state.power:
        return IllegalMove("take_leader")
    if take.victim != state.next_seat(take.seat):
        return IllegalMove("take_not_next")
    return None


def draw_pool(state: GameState) -> tuple[Card, ...]:
    """Return the cards of which the due draw takes one; empty if none is due (rules.md 7.2)."""
    if state.due == "waste":
        return state.waste
    if state.due == "next":
        return state.hands[state.next_seat(state.power)]
    return ()


def draw_problem(state: GameState, draw: Draw) -> IllegalMove | None:
    """Return why a draw may not be entered now, or None (rules.md 7.2)."""
    problem = _seat_problem(state, draw.seat)
    if problem is not None:
        return problem
    if state.due is None:
        return IllegalMove("no_draw_due")
    if draw.seat != state.power:
        return IllegalMove("draw_seat")
    if draw.card not in draw_pool(state):
        return IllegalMove("draw_absent", card=draw.card.name)
    return None


def legal_cards(state: GameState, seat: int) -> tuple[Card, ...]:
    """Return the faces that a seat may play now, rising, each once."""
    if seat not in state.awaited:
        return ()
    hand = state.hands[seat]
    if not state.trick:
        return _leads(state, seat)
    fits = _suit_duty(state, seat)
    return tuple(dict.fromkeys(each for each in hand if fits is None or each.suit is fits))


def _leads(state: GameState, seat: int) -> tuple[Card, ...]:
    if state.opening:
        return (ACE_OF_SPADES,)
    if state.drawn is not None:
        return (state.drawn,)
    return tuple(dict.fromkeys(state.hands[seat]))


def _suit_duty(state: GameState, seat: int) -> Suit | None:
    led, hand = state.trick[0].card.suit, state.hands[seat]
    if has_suit(hand, led):
        return led
    trump = state.trump
    return trump if trump is not None and has_suit(hand, trump) else None


def legal_moves(state: GameState, seat: int) -> tuple[Move, ...]:
    """Return everything that a seat may do now without a foul, taking included."""
    plays = [Play(seat, each) for each in legal_cards(state, seat)]
    if state.left > 1 and seat in range(state.players) and seat not in state.away:
        take = Take(seat, state.next_seat(seat))
        if take_problem(state, take) is None:
            return (*plays, take)
    return tuple(plays)


def foul_cards(state: GameState, seat: int) -> tuple[Card, ...]:
    """Return the faces that a seat may try now as a foul, each once (rules.md 10)."""
    if state.rules.penalties != "penalise" or seat not in range(state.players):
        return ()
    faces = dict.fromkeys(state.hands[seat])
    problems = {each: play_problem(state, Play(seat, each)) for each in faces}
    return tuple(each for each, why in problems.items() if why and is_foul(state, why))
