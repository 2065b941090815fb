"""Shuffles: the same everywhere for a key, and no card at home in any place."""

import hashlib
import hmac
import subprocess
import sys
from collections import Counter
from itertools import permutations

import pytest

from games.rules.cards import PACK, card, hand_text
from games.rules.deal import full_deck
from games.rules.ruleset import Ruleset
from games.rules.shuffle import Source, keyed_source, shuffled, system_source

KEY = b"a key of the tests"
NUMBERS = [1, 0, 6, 27, 8, 13, 0, 196263, 1659914333, 4]
SHUFFLED = (
    "JH AH TC 9S 2C 6C TD 8H 8S 8C AS 6H AC QD KD 4S 3S 4C 3C 2H 5C QH 7C AD JD KC "
    "6D KS 9C 7S 4D 2S TS 9H 5H TH KH 8D 4H 5S 3D 7H 2D JS JC QS 3H 7D QC 5D 6S 9D"
)
SHUFFLED_TWO = "AS 2C JS JC TC 3S JS KS 4S 9C TC 8H 2S 5S 9H 8S KS TH 5C 8H"
DECK = hand_text(shuffled(PACK, keyed_source(KEY, "deck")))


def test_known_values() -> None:
    """Fixed on Python 3.12 and 3.13: a stored secret must give the same deal for ever."""
    below = keyed_source(KEY, "numbers")
    assert [below(n) for n in (2, 3, 10, 52, 52, 104, 1, 1_000_000, 2**32, 6)] == NUMBERS
    assert DECK == SHUFFLED
    assert hand_text(shuffled(full_deck(Ruleset(packs=2)), keyed_source(KEY, "deck")))[:59] == SHUFFLED_TWO


def test_a_source_is_as_its_docstring_says() -> None:
    """HMAC-SHA256 of the label and a counter, four bytes a number."""
    block = hmac.new(KEY, b"numbers/0", hashlib.sha256).digest()
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    below = keyed_source(KEY, "numbers")
    assert [below(2**32) for _ in words] == words
    second = hmac.new(KEY, b"numbers/1", hashlib.sha256).digest()
    assert below(2**32) == int.from_bytes(second[:4], "big")


def test_numbers_that_would_favour_some_result_are_passed_over() -> None:
    """Of three quarters of all numbers the remainder would give the lowest third half of the time."""
    n = 3 * 2**30
    below = keyed_source(KEY, "rejection")
    numbers = [below(n) for _ in range(4_000)]
    assert max(numbers) < n
    # 1,333 are right, with a standard deviation of 30; 2,000 would be favoured.
    assert 1_150 < sum(number < n // 3 for number in numbers) < 1_515


def test_keys_and_labels_give_other_numbers() -> None:
    decks = {
        hand_text(shuffled(PACK, keyed_source(key, label)))
        for key in (KEY, KEY + b"x")
        for label in ("deck", "deck2", "waste/0", "")
    }
    assert len(decks) == 8


def test_a_shuffle_keeps_every_card() -> None:
    for source in (system_source, keyed_source(KEY, "a")):
        for deck in (PACK, PACK * 2, PACK[:1], ()):
            assert Counter(shuffled(deck, source)) == Counter(deck)


def test_a_shuffle_leaves_its_argument() -> None:
    deck = list(PACK)
    shuffled(deck, system_source)
    assert deck == list(PACK)


def chi_square(source: Source, deals: int) -> float:
    """How far card by place is from even: 51 * 51 degrees of freedom, so mean 2601 and standard deviation 72."""
    counts = [[0] * 52 for _ in range(52)]
    for _ in range(deals):
        for place, each in enumerate(shuffled(PACK, source)):
            counts[each.index][place] += 1
    expected = deals / 52
    return sum((count - expected) ** 2 / expected for row in counts for count in row)


@pytest.mark.parametrize("source", [system_source, keyed_source(KEY, "fair")], ids=["system", "keyed"])
def test_every_place_is_as_likely_for_every_card(source: Source) -> None:
    """S21 of the brief on trust, on a slice."""
    assert 2_170 < chi_square(source, 6_000) < 3_035


@pytest.mark.soak
def test_every_place_is_as_likely_in_200_000_deals() -> None:
    found = chi_square(keyed_source(KEY, "fair at length"), 200_000)
    print(f"chi-square {found:.0f}")
    assert 2_170 < found < 3_035


@pytest.mark.parametrize("source", [system_source, keyed_source(KEY, "orders")], ids=["system", "keyed"])
def test_every_order_is_as_likely(source: Source) -> None:
    four = tuple(card(code) for code in ("AS", "2C", "3D", "4H"))
    orders = Counter(shuffled(four, source) for _ in range(12_000))
    assert set(orders) == set(permutations(four))
    # 23 degrees of freedom: mean 23, standard deviation 6.8.
    assert sum((count - 500) ** 2 / 500 for count in orders.values()) < 75


def test_other_processes_give_the_same() -> None:
    """Whatever the seed of this interpreter's own hashes is."""
    program = (
        "from games.rules.cards import PACK, hand_text\n"
        "from games.rules.shuffle import keyed_source, shuffled\n"
        f"print(hand_text(shuffled(PACK, keyed_source({KEY!r}, 'deck'))))"
    )
    for seed in ("0", "1"):
        found = subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        assert found.stdout.strip() == DECK
