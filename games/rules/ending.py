"""The end of a trick and of a game (rules.md 5.3, 6.4, 6.5, 7, 8)."""

from games.rules.cards import Card, with_cards
from games.rules.events import Event, GameOver, GotAway, PickedUp, PowerPassed, TrickWasted
from games.rules.outcome import Result
from games.rules.state import MAX_TRICKS, GameState, LastTrick, Lead, Source
from games.rules.tricks import is_tochoo, proved_by, winning_play


def trick_ended(state: GameState) -> GameState:
    """Return the state after the trick on the table has ended."""
    best = winning_play(state.trick, state.trump).seat if state.judged else None
    ignored = state.opening and state.rules.opening_tochoo == "ignored"
    state = _revealed(state) if state.face_down else state
    led = state.trick[0].card.suit
    stopped = not ignored and any(is_tochoo(each.card, led, state.trump) for each in state.trick)
    if stopped and best is not None:
        return _picked_up(state, best)
    return _wasted(state, best)


def _revealed(state: GameState) -> GameState:
    """Learn what the cards that were played face down prove (rules.md 5.2)."""
    led, known = state.trick[0].card.suit, list(state.known)
    for play in state.trick[1:]:
        voids = proved_by(play.card, led, None)
        known[play.seat] = known[play.seat].played(play.card, voids)
    return state._replace(known=tuple(known))


def _picked_up(state: GameState, picker: int) -> GameState:
    """Give a trick with a tochoo to its highest card's seat, with the power (rules.md 6.4)."""
    plays, lead = state.trick, state.lead
    cards = tuple(each.card for each in plays)
    hands, known = list(state.hands), list(state.known)
    hands[picker] = with_cards(hands[picker], cards)
    known[picker] = known[picker].gained(cards)
    state = state._replace(
        hands=tuple(hands),
        known=tuple(known),
        trick=(),
        lead=None,
        power=picker,
        tricks=state.tricks + 1,
        last=LastTrick(state.tricks + 1, plays, picker, picker),
        window=True,
        events=(*state.events, PickedUp(picker, cards, None)),
    )
    state = get_away(state, tuple(each.seat for each in plays if not hands[each.seat]))
    if lead is not None and _cut_short(state, lead):
        others = (s for s in range(state.players) if s != picker and s not in state.away)
        state = get_away(state, tuple(others))
    return finish_if_over(state)


def _cut_short(state: GameState, lead: Lead) -> bool:
    """Say whether a tochoo with two left ends the game (rules.md 8.2)."""
    if lead.seats != 2:
        return False
    match state.rules.two_left:
        case "none":
            return False
        case "drawn_lead":
            return lead.drawn
        case "last_card":
            return lead.last_card
        case "any_tochoo":
            return True


def _wasted(state: GameState, best: int | None) -> GameState:
    """Put a clean trick to the waste; its winner has the power, or keeps it (rules.md 5.3, 6.5, 7)."""
    plays, hands = state.trick, state.hands
    winner = state.power if best is None else best
    cards = tuple(each.card for each in plays)
    empty = tuple(each.seat for each in plays if not hands[each.seat])
    leader_loses = len(plays) == 2 and state.rules.both_empty == "leader_loses"
    state = state._replace(
        trick=(),
        lead=None,
        power=winner,
        tricks=state.tricks + 1,
        last=LastTrick(state.tricks + 1, plays, best, None),
        events=(*state.events, TrickWasted(plays, winner)),
    )
    if len(empty) == state.left:
        # Nobody holds a card: one of them is the last all the same (rules.md 7.3).
        loser = plays[0].seat if leader_loses else winner
        state = state._replace(power=loser, waste=state.waste + cards)
        return finish_if_over(get_away(state, tuple(s for s in empty if s != loser)))
    state = get_away(state, tuple(seat for seat in empty if seat != winner))
    if winner in empty:
        return _empty_with_power(state, winner, cards)
    return finish_if_over(state._replace(waste=state.waste + cards))


def _empty_with_power(state: GameState, seat: int, cards: tuple[Card, ...]) -> GameState:
    """Let the winner of a clean trick who has no card left draw or escape (rules.md 7.2).

    `cards` are the trick's: they join the waste after a draw from it.
    """
    source = _draw_source(state)
    if source is None:
        state = get_away(state._replace(waste=state.waste + cards), (seat,))
        power = state.next_seat(seat)
        passed = state._replace(power=power, events=(*state.events, PowerPassed(power)))
        return finish_if_over(passed)
    if state.tricks >= MAX_TRICKS:
        return finish_if_over(state._replace(waste=state.waste + cards))
    if source == "waste":
        return state._replace(due=source, held=cards)
    return state._replace(due=source, waste=state.waste + cards)


def _draw_source(state: GameState) -> Source | None:
    """Return where the empty seat with the power draws from; None means that it escapes."""
    match state.rules.power:
        case "draw_next":
            return "next"
        case "escape":
            return None
        case "escape_if_three" if state.left >= 3:
            return None
        case _:
            return "waste" if state.waste else None


def get_away(state: GameState, seats: tuple[int, ...]) -> GameState:
    """Let seats get away in the order given (rules.md 7.1)."""
    if not seats:
        return state
    events: list[Event] = [GotAway(seat, place) for place, seat in enumerate(seats, len(state.away) + 1)]
    return state._replace(away=state.away + seats, events=(*state.events, *events))


def finish_if_over(state: GameState) -> GameState:
    """End the game if one seat is left, or after too many tricks (rules.md 8.1, 8.3)."""
    if state.left == 1:
        loser = next(seat for seat in range(state.players) if seat not in state.away)
        result = Result(state.away, loser, void=False, cards_left=len(state.hands[loser]))
    elif state.tricks >= MAX_TRICKS:
        result = Result.without_loser(state.away)
    else:
        return state
    # The power may have passed on, but nobody leads any more.
    events = (event for event in state.events if not isinstance(event, PowerPassed))
    return state._replace(result=result, events=(*events, GameOver(result)))
