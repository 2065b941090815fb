"""How a game ended, and the places (rules.md 8)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game, as a record states it (rules.md 12).

    `away` are the seats that got away, in order. `loser` and `cards_left` (the cards that the
    loser held) are None when the game is `void`: endless, or voided by an administrator, which
    `stopped` says and a record does not.
    """

    away: tuple[int, ...]
    loser: int | None
    void: bool
    cards_left: int | None
    stopped: bool = False

    @classmethod
    def without_loser(cls, away: tuple[int, ...], *, stopped: bool = False) -> "Result":
        """Return the result of a game that nobody lost (rules.md 8.3, 12)."""
        return cls(away, loser=None, void=True, cards_left=None, stopped=stopped)

    def as_dict(self) -> dict[str, object]:
        """Return the result as a record holds it."""
        return {
            "away": list(self.away),
            "loser": self.loser,
            "void": self.void,
            "cards_left": self.cards_left,
        }


def places(result: Result) -> dict[int, int]:
    """Return the place of each seat that has one, 1 being the first away (rules.md 8.4).

    Seats still in a void game have no place.
    """
    order = result.away if result.loser is None else (*result.away, result.loser)
    return {seat: place for place, seat in enumerate(order, start=1)}
