"""Shuffling: Fisher-Yates over a source of whole numbers (trust.md 1).

A source is a function that takes n and gives a whole number from 0 to n-1, each as likely.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from typing import Final

from games.rules.cards import Card

type Source = Callable[[int], int]

system_source: Final[Source] = secrets.randbelow
"""The operating system's randomness."""


def keyed_source(key: bytes, label: str) -> Source:
    """Return a source that gives the same numbers for the same key and label, everywhere.

    Block n is HMAC-SHA256(key, label/n); of its eight 32-bit numbers each is used once, and
    one that would favour some result is passed over.
    """
    block = 0
    numbers: list[int] = []

    def below(n: int) -> int:
        nonlocal block
        top = 2**32 - 2**32 % n
        while True:
            if not numbers:
                digest = hmac.digest(key, f"{label}/{block}".encode(), hashlib.sha256)
                numbers.extend(int.from_bytes(digest[at : at + 4], "big") for at in range(28, -1, -4))
                block += 1
            number = numbers.pop()
            if number < top:
                return number % n

    return below


def shuffled(cards: Sequence[Card], source: Source) -> tuple[Card, ...]:
    """Return the cards in an order in which every one is as likely as any other."""
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        other = source(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)
