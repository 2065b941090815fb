"""What the medium bot plays in small positions, and why."""

from typing import Any

import pytest

from games.bots import bot_named
from games.bots.medium import should_take
from games.rules.cards import Suit, hand_of, hand_text
from games.rules.deal import full_deck
from games.rules.knowledge import Known
from games.rules.moves import Play, Take
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.rules.view import seat_view
from tests.rules.positions import after, position


def no_luck(n: int) -> int:
    raise AssertionError(f"the medium bot asked for luck below {n}")


def seen(*hands: str, **options: Any) -> GameState:
    """A position in which every card that no seat holds has been seen to go to the waste."""
    rules = Ruleset(**{key: value for key, value in options.items() if key not in {"leader", "trump", "tricks"}})
    rest = list(full_deck(rules))
    for hand in hands:
        for each in hand_of(hand.replace("-", "")):
            rest.remove(each)
    return position(*hands, waste=hand_text(rest), **options)


def choice(state: GameState, seat: int) -> str:
    """The card that the medium bot plays, "take", or "pass"."""
    move = bot_named("medium").choose(seat_view(state, seat), no_luck)
    match move:
        case Play(by, card):
            assert by == seat
            return card.code
        case Take(by, _):
            assert by == seat
            return "take"
        case None:
            return "pass"


def test_last_to_play_on_a_clean_trick_it_throws_its_highest() -> None:
    state = after(seen("7H 2C 3C", "9H 2S 3S", "3H TH AH 2D"), "0 7H", "1 9H")
    assert choice(state, 2) == "AH"


def test_under_a_higher_card_it_throws_the_highest_that_stays_under() -> None:
    state = after(seen("JH 2C 3C", "3H TH AH", "4D 5D 6D 7D"), "0 JH")
    assert choice(state, 1) == "TH"


def test_it_goes_over_where_nobody_can_be_void() -> None:
    # Hearts are all over the table, so that the ace goes now, and safely; later it may not.
    spread = ("5H 6H 7H 8H 2C 3C", "3H 4H AH 2S", "9H TH JH QH 4C 5C", "KH 4D 5D 6D 7D 8D")
    state = after(seen(*spread), "0 5H")
    assert choice(state, 1) == "AH"


def test_it_leads_low_where_tochoos_threaten() -> None:
    # One heart is out: one of the others is void for sure, and perhaps the next.
    state = seen("2H AH", "3H 9C 2C 3C 4C 5C 6C", "8C 2D 3D 4D 5D 6D 7D")
    assert choice(state, 0) == "2H"


def test_a_tochoo_throws_the_most_dangerous_card() -> None:
    state = after(seen("7H 2C", "2S 3S AD 3C", "8H TD 4S"), "0 7H")
    assert choice(state, 1) == "AD"


def test_of_equally_dangerous_tochoos_the_short_suit_goes_first() -> None:
    state = after(seen("7H 2C", "QS 2S 3S QD", "8H 4S 4D KS KD JS JD"), "0 7H")
    assert choice(state, 1) == "QD"


def test_finish_trick_it_ducks_after_a_tochoo_also() -> None:
    state = after(seen("9H 2C", "2S 3S", "3H 8H TH AH", tochoo="finish_trick"), "0 9H", "1 3S")
    assert choice(state, 2) == "8H"


def test_two_packs_an_equal_card_played_later_is_under() -> None:
    hands = ("AH 2C 3C", "AH KH 2S", "2D 3D", "4D 5D", "6D 7D")
    assert choice(after(seen(*hands, packs=2), "0 AH"), 1) == "AH"


def test_donkey_it_makes_its_shortest_suit_trump() -> None:
    state = after(seen("7H 2C", "2S 3S 4S 9D", "8H 4D KS KD", game="donkey"), "0 7H")
    assert choice(state, 1) == "9D"


def test_donkey_a_trump_that_must_be_played_goes_under_the_winner() -> None:
    state = after(seen("7H 2C", "JD 2S", "5D TD QD 3C", "8H 4S 5S 6S 7S", game="donkey", trump="D"), "0 7H", "1 JD")
    assert choice(state, 2) == "TD"


@pytest.mark.parametrize(("direction", "played"), [("clockwise", "4S"), ("anticlockwise", "KH")])
def test_play_order_decides_who_comes_first(direction: str, played: str) -> None:
    """Seat 1 is proved void in hearts; seat 2 picked up the ace, so that it goes over if it comes first."""
    state = seen("KH 4S", "2S 3S 5S", "AH 6S 7S", direction=direction)
    known = (Known(), Known(voids=frozenset({Suit.HEARTS})), Known(hand_of("AH")))
    assert choice(state._replace(known=known), 0) == played


def test_a_small_hand_is_taken_when_it_would_probably_lose() -> None:
    state = seen("2H 3H 4H 5H 6H 7H 8H", "2S 3S", "4S 5S 6S")
    assert choice(state, 0) == "take"
    assert choice(state, 1) == "pass"


@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(("2H 3H 4H 5H 6H 7H 8H 9H TH JH", "2S 3S 4S 5S 6S", "7S"), id="five cards"),
        pytest.param(("2H 3H 4H 5H 6H", "2S 3S", "4S 5S 6S"), id="no more than both others"),
        pytest.param(("2H 3H 4H 5H 6H 7H 8H", "2S", "-", "-"), id="two left: taking concedes"),
        pytest.param(("2H 3H 4H 5H 6H 7H 8H", "2S", "3S", "4S"), id="four left"),
    ],
)
def test_no_other_hand_is_taken(hands: tuple[str, ...]) -> None:
    view = seat_view(seen(*hands), 0)
    assert view.take is not None
    assert not should_take(view)


def test_any_tochoo_with_two_left_loses_at_once_so_it_leads_what_can_be_followed() -> None:
    """The other seat has shown its void in spades; the king of hearts may be beaten."""
    state = seen("KH 2S QS", "AH JS 3D 4D", "-", two_left="any_tochoo")
    state = after(state, "0 QS", "1 JS")
    assert choice(state, 0) == "KH"


def test_bots_that_would_go_round_for_ever_try_other_cards() -> None:
    """The position of rules.md 8.3."""
    state = position("2H 2C 3C", "3H", "2D 3D", tricks=60)
    asked = []

    def luck(n: int) -> int:
        asked.append(n)
        return 0

    move = bot_named("medium").choose(seat_view(state, 0), luck)
    assert asked == [5, 3]
    assert move == Play(0, state.hands[0][0])
