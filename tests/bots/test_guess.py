"""The chances that bots reckon with, against counting every possible deal."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import pytest

from games.bots.guess import Guess
from games.rules.cards import Card, Suit, card, hand_of
from games.rules.knowledge import Known
from games.rules.state import GameState
from games.rules.view import seat_view
from tests.bots.test_choices import seen

type Hands = tuple[Sequence[Card], ...]

SMALL = seen("KH 4S", "2H 9H 5C", "AH TC", "3D 4D")
HALF_KNOWN = SMALL._replace(
    known=(Known(), Known(hand_of("9H")), Known(voids=frozenset({Suit.HEARTS})), Known(voids=frozenset({Suit.CLUBS})))
)


def possible(state: GameState) -> Iterator[Hands]:
    """Every way in which the hidden cards may lie, each as likely."""
    known = [each.cards for each in state.known]
    hidden = [
        each for hand, shown in zip(state.hands[1:], known[1:], strict=True) for each in hand if each not in shown
    ]
    for order in permutations(hidden):
        rest = iter(order)
        hands = [
            (*known[seat], *(next(rest) for _ in range(len(state.hands[seat]) - len(known[seat]))))
            for seat in (1, 2, 3)
        ]
        if not any(
            each.suit in state.known[seat].voids
            for seat, hand in enumerate(hands, 1)
            for each in hand[len(known[seat]) :]
        ):
            yield (state.hands[0], *hands)


def share(state: GameState, event: Callable[[Hands], bool], given: Callable[[Hands], bool] = lambda _: True) -> float:
    found = [event(hands) for hands in possible(state) if given(hands)]
    return sum(found) / len(found)


@pytest.mark.parametrize("suit", Suit)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_the_chance_of_a_void_is_the_share_of_deals(suit: Suit, seat: int) -> None:
    share_void = share(SMALL, lambda hands: all(each.suit is not suit for each in hands[seat]))
    assert Guess(seat_view(SMALL, 0)).void(seat, suit) == pytest.approx(share_void)


@pytest.mark.parametrize("code", ["KH", "4S", "9H", "TC", "2D"])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_the_chance_that_a_seat_must_go_over_is_the_share_of_deals(code: str, seat: int) -> None:
    mine = card(code)

    def follows(hands: Hands) -> bool:
        return any(each.suit is mine.suit for each in hands[seat])

    def over(hands: Hands) -> bool:
        return all(each.rank > mine.rank for each in hands[seat] if each.suit is mine.suit)

    reckoned = Guess(seat_view(SMALL, 0)).must_go_over(seat, mine)
    if any(follows(hands) for hands in possible(SMALL)):
        assert reckoned == pytest.approx(share(SMALL, over, follows))


def test_what_is_known_is_certain() -> None:
    guess = Guess(seat_view(HALF_KNOWN, 0))
    assert guess.void(1, Suit.HEARTS) == 0
    assert guess.void(2, Suit.HEARTS) == 1
    assert guess.must_go_over(1, card("TH")) == 0
    assert guess.must_go_over(2, card("2H")) == 0


def test_hidden_hearts_lie_where_no_void_is_proved() -> None:
    """Two hidden hearts, AH and 2H, have four places: two at seat 1 and two at seat 3."""
    guess = Guess(seat_view(HALF_KNOWN, 0))
    void = share(HALF_KNOWN, lambda hands: all(each.suit is not Suit.HEARTS for each in hands[3]))
    # Seat 3 is void in clubs also, which the bot does not reckon in here: it is a guess.
    assert guess.void(3, Suit.HEARTS) == pytest.approx(1 / 6)
    assert void < guess.void(3, Suit.HEARTS)


def test_cards_still_out_are_counted_known_or_not() -> None:
    guess = Guess(seat_view(HALF_KNOWN, 0))
    assert (guess.lower_out(card("KH")), guess.higher_out(card("KH"))) == (2, 1)
    assert (guess.lower_out(card("2S")), guess.higher_out(card("2S"))) == (0, 0)
