"""Section 13 of the rules: the worked examples, with seats A B C D as 0 1 2 3."""

from games.rules.cards import Suit
from tests.rules.positions import after, hands, legal, lost, position, refused, waste


def test_example_1_a_tochoo() -> None:
    state = position("8H 2S", "QH 2D", "3C 2C", "KH 3S")
    state = after(state, "0 8H", "1 QH", "2 3C")
    assert state.trick == ()
    assert hands(state) == ["2S", "3C 2D 8H QH", "2C", "KH 3S"]
    assert (state.power, state.awaited) == (1, (1,))


def test_example_2_the_power_without_a_card() -> None:
    state = position("KH", "5H 2C", "9H 3C", waste="4D")
    state = after(state, "0 KH", "1 5H", "2 9H")
    assert (state.power, hands(state)[0], state.due) == (0, "", "waste")
    for code in ("KH", "5H", "9H"):
        assert refused(state, f"0 draws {code}")[0] == "draw_absent"
    state = after(state, "0 draws 4D")
    assert legal(state, 0) == "4D"
    assert hands(after(state, "0 4D"))[0] == ""


def test_example_3_the_last_two_both_empty() -> None:
    state = after(position("5H", "9H", "-"), "0 5H", "1 9H")
    assert lost(state) == ((2, 0), 1, 0)
    state = after(position("5H", "9H", "-", both_empty="leader_loses"), "0 5H", "1 9H")
    assert lost(state) == ((2, 1), 0, 0)


def test_example_4_donkey_makes_trump_in_the_opening_trick() -> None:
    state = position("AS 2H", "4S 3H", "2D 4H", "9D 5H", tricks=0, game="donkey")
    state = after(state, "0 AS", "1 4S", "2 2D")
    assert state.trump is Suit.DIAMONDS
    assert legal(state, 3) == "9D"
    assert refused(state, "3 5H")[0] == "play_trump"
    state = after(state, "3 9D")
    assert (state.power, state.awaited, waste(state)) == (3, (3,), "2D 9D 4S AS")
