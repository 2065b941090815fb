"""What each playthrough must show, so that it is worth its place."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from games.rules.events import (
    CardDrawn,
    Fouled,
    GameOver,
    HandTaken,
    PickedUp,
    Played,
    PowerPassed,
    TrickWasted,
    TrumpMade,
)
from games.rules.moves import Play
from tests.playthroughs.play import Case, Step

type Game = Sequence[Step]


def events[T](game: Game, kind: type[T]) -> list[T]:
    return [event for step in game for event in step.state.events if isinstance(event, kind)]


def tochoos(game: Game) -> list[int]:
    """The steps after which a tochoo lies, or was just picked up, after the opening trick."""
    return [
        at
        for at, step in enumerate(game)
        if at
        and game[at - 1].state.tricks
        and any(isinstance(each, Played) and each.tochoo for each in step.state.events)
    ]


def equal_cards_in_a_trick(game: Game) -> bool:
    """Two copies of the card that wins: the first takes the trick."""
    for event in events(game, TrickWasted)[1:]:
        winner = next(play for play in event.plays if play.seat == event.winner)
        if sum(play.card is winner.card for play in event.plays) == 2:
            return True
    return False


def opening_tochoo(game: Game) -> bool:
    return any(
        isinstance(event, Played) and event.tochoo and not before.state.tricks
        for before, step in pairwise(game)
        for event in step.state.events
    )


def later_card_was_highest(game: Game) -> bool:
    """finish_trick: a seat that played after the tochoo picks up."""
    for at in tochoos(game):
        trick = game[at].state.trick
        for step in game[at + 1 :]:
            if step.state.trick:
                continue
            taken = [event for event in step.state.events if isinstance(event, PickedUp) and event.from_seat is None]
            fouled = any(isinstance(event, Fouled) for event in step.state.events)
            if trick and taken and not fouled and taken[0].seat not in {play.seat for play in trick}:
                return True
            break
    return False


def cut_short(game: Game) -> bool:
    """8.2: the game ended by a tochoo while both seats held cards."""
    last = game[-1].state
    result = last.result
    assert result is not None
    if result.loser is None or not tochoos(game) or tochoos(game)[-1] != len(game) - 1:
        return False
    return bool(last.hands[result.away[-1]])


def drawn_lead(game: Game) -> bool:
    lead = game[-2].state.lead
    return lead is not None and lead.drawn


def last_lead(game: Game) -> bool:
    lead = game[-2].state.lead
    return lead is not None and lead.last_card


def two_left_tochoo_goes_on(game: Game) -> bool:
    return any(game[at].state.left == 2 and game[at].state.result is None for at in tochoos(game))


def both_empty_by_the_leader(game: Game) -> bool:
    """7.3, where the leader did not win, so that the option decides."""
    before, last = game[-2].state, game[-1]
    if last.state.result is None or last.state.result.cards_left != 0 or not isinstance(last.entry, Play):
        return False
    return (
        before.left == 2
        and len(before.trick) == 1
        and bool(events([last], TrickWasted))
        and (events([last], TrickWasted)[0].winner != before.trick[0].seat)
    )


def escaped(game: Game) -> bool:
    return any(
        any(isinstance(event, TrickWasted) for event in step.state.events)
        and any(isinstance(event, PowerPassed) for event in step.state.events)
        for step in game
    )


def took(game: Game, *, by_power: bool) -> bool:
    return any(
        (event.seat == before.state.power) == by_power
        for before, step in pairwise(game)
        for event in step.state.events
        if isinstance(event, HandTaken)
    )


def any_order_out_of_turn(game: Game) -> bool:
    first = game[0].state
    seats = [step.entry.seat for step in game[1 : first.players + 1] if step.entry]
    in_turn = [(first.power + n * first.rules.step) % first.players for n in range(first.players)]
    return first.players == len(seats) and seats != in_turn and game[first.players].state.tricks == 1


def window_foul(game: Game) -> bool:
    return any(event.from_seat is not None for event in events(game, PickedUp))


def ends(game: Game) -> bool:
    return bool(events(game, GameOver)) and bool(tochoos(game))


FEATURES: Mapping[str, Callable[[Game], bool]] = {
    "game-donkey": lambda game: bool(events(game, TrumpMade)) and bool(tochoos(game)),
    "packs-2": equal_cards_in_a_trick,
    "opening-any_order": any_order_out_of_turn,
    "opening_tochoo-ignored": opening_tochoo,
    "opening_tochoo-counts": opening_tochoo,
    "tochoo-finish_trick": later_card_was_highest,
    "power-draw_waste": lambda game: any(event.from_seat is None for event in events(game, CardDrawn)),
    "power-draw_next": lambda game: any(event.from_seat is not None for event in events(game, CardDrawn)),
    "power-escape_if_three": lambda game: escaped(game) and bool(events(game, CardDrawn)),
    "power-escape": escaped,
    "taking-anyone": lambda game: took(game, by_power=False),
    "taking-leader": lambda game: took(game, by_power=True),
    "two_left-none": two_left_tochoo_goes_on,
    "two_left-drawn_lead": lambda game: cut_short(game) and drawn_lead(game),
    "two_left-last_card": lambda game: cut_short(game) and last_lead(game) and not drawn_lead(game),
    "two_left-any_tochoo": lambda game: cut_short(game) and not last_lead(game),
    "both_empty-power_loses": both_empty_by_the_leader,
    "both_empty-leader_loses": both_empty_by_the_leader,
    "penalties-penalise": window_foul,
}
"""By the name of the case; the others just end, with a tochoo on the way."""


def shows(case: Case, game: Game) -> bool:
    return FEATURES.get(case.name, ends)(game)
