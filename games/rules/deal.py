"""Dealing, the opener, and the state that a game starts with (rules.md 3)."""

from collections import Counter
from collections.abc import Sequence

from games.rules.cards import ACE_OF_SPADES, PACK, Card, Hand
from games.rules.errors import RecordError, quoted
from games.rules.knowledge import Known
from games.rules.ruleset import Ruleset
from games.rules.state import GameState


def seats_after(rules: Ruleset, players: int, dealer: int) -> tuple[int, ...]:
    """Return every seat in play order, from the one after the dealer to the dealer."""
    return tuple((dealer + rules.step * n) % players for n in range(1, players + 1))


def next_dealer(rules: Ruleset, players: int, dealer: int) -> int:
    """Return the seat that deals the next game of a series (rules.md 3.2)."""
    return (dealer + rules.step) % players


def check_seats(rules: Ruleset, players: int, dealer: int) -> None:
    """Check the number of players and the dealer (rules.md 2).

    Raises:
        RecordError: if so many may not play with these packs, or nobody sits at the dealer's.
    """
    if players not in rules.seats:
        raise RecordError(
            "seats",
            packs=rules.packs,
            low=rules.seats.start,
            high=rules.seats.stop - 1,
            players=quoted(players),
        )
    if dealer not in range(players):
        raise RecordError("no_dealer", dealer=quoted(dealer))


def deal_hands(rules: Ruleset, players: int, dealer: int, deck: Sequence[Card]) -> tuple[Hand, ...]:
    """Deal a shuffled deck singly in play order from the seat after the dealer (rules.md 3.2).

    Raises:
        RecordError: for a wrong number of players or dealer.
    """
    check_seats(rules, players, dealer)
    hands: list[Hand] = [()] * players
    for n, seat in enumerate(seats_after(rules, players, dealer)):
        hands[seat] = tuple(sorted(deck[n::players]))
    return tuple(hands)


def check_deal(rules: Ruleset, dealer: int, hands: Sequence[Hand]) -> None:
    """Check that hands are whole packs, dealt as rules.md 3 says.

    Raises:
        RecordError: naming the first card or seat that is wrong.
    """
    players = len(hands)
    check_seats(rules, players, dealer)
    counts = Counter(each for hand in hands for each in hand)
    for each in PACK:
        if counts[each] != rules.packs:
            raise RecordError("not_whole_packs", packs=rules.packs, card=each.name, count=counts[each])
    whole, over = divmod(rules.packs * len(PACK), players)
    for n, seat in enumerate(seats_after(rules, players, dealer)):
        right = whole + (n < over)
        if len(hands[seat]) != right:
            raise RecordError("uneven_hands", seat=seat, count=len(hands[seat]), right=right)


def opener(rules: Ruleset, dealer: int, hands: Sequence[Hand]) -> int:
    """Return the first seat after the dealer that holds an ace of spades (rules.md 3.3)."""
    return next(seat for seat in seats_after(rules, len(hands), dealer) if ACE_OF_SPADES in hands[seat])


def start(rules: Ruleset, dealer: int, hands: Sequence[Hand]) -> GameState:
    """Return the state of a game that has just been dealt.

    Raises:
        RecordError: if the hands are not a right deal.
    """
    check_deal(rules, dealer, hands)
    sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
    return GameState(
        rules=rules,
        players=len(sorted_hands),
        dealer=dealer,
        hands=sorted_hands,
        known=(Known(),) * len(sorted_hands),
        power=opener(rules, dealer, sorted_hands),
    )


def full_deck(rules: Ruleset) -> tuple[Card, ...]:
    """Return all cards of the table's packs, unshuffled."""
    return PACK * rules.packs
