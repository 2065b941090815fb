"""Who sits where, and how sentences name them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

_NOBODY: Final[Mapping[int, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Cast:
    """The people and bots of a game as one viewer meets them.

    names: by seat. viewer: the seat of who reads, None for an outsider. donkey: whether the loser is told as a donkey
    (rules.md 9.6). show_voids: whether the table shows known voids. instead: for whom a bot plays on, by its seat.
    charged: the name of who has lost although they had left by then, else "". voided: an operator has voided the game
    since it ended. bots: the seats that no person holds.
    """

    names: tuple[str, ...]
    viewer: int | None
    donkey: bool = False
    show_voids: bool = True
    instead: Mapping[int, str] = field(default_factory=lambda: _NOBODY)
    charged: str = ""
    voided: bool = False
    bots: frozenset[int] = frozenset()

    def who(self, seat: int) -> SafeString:
        """Return a seat's name, fenced off so that its direction of writing leaves the sentence alone."""
        return format_html("<bdi>{}</bdi>", self.names[seat])

    def say(self, seat: int, mine: str, theirs: str, **words: object) -> SafeString:
        """Fill one of two sentences: `mine` when the viewer sits at *seat*, else `theirs`, which has a {name}."""
        if seat == self.viewer:
            return format_html(mine, name="", **words)
        return format_html(theirs, name=self.who(seat), **words)

    def all(self, seats: Iterable[int]) -> SafeString:
        """Name seats one after the other: "you, Bilal, Amrit"."""
        return format_html_join(", ", "{}", ((self.say(seat, "you", "{name}"),) for seat in seats))

    def plain(self, seat: int) -> str:
        """Return a seat's name for where no markup can go, fenced off by signs that cannot be seen."""
        return f"\u2068{self.names[seat]}\u2069"


def cards_text(count: int) -> str:
    """Count cards in words that agree: "no cards", "1 card", "5 cards"."""
    return f"{count or 'no'} card{'' if count == 1 else 's'}"
