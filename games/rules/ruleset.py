"""The options of a table (rules.md 2)."""

from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal, get_args, get_type_hints

from games.rules.errors import RecordError, quoted

RULES_VERSION: Final = 1
"""The version of the rules that this code plays; a game stores the one it began with."""

SEATS_FOR_PACKS: Final = {1: range(3, 9), 2: range(5, 13)}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every option of rules.md 2; the first value of each is its default.

    Raises:
        RecordError: for an unknown value or a forbidden combination.
    """

    game: Literal["getaway", "donkey"] = "getaway"
    packs: Literal[1, 2] = 1
    direction: Literal["clockwise", "anticlockwise"] = "clockwise"
    opening: Literal["in_turn", "any_order"] = "in_turn"
    opening_tochoo: Literal["ignored", "counts"] = "ignored"
    tochoo: Literal["interrupts", "finish_trick"] = "interrupts"
    power: Literal["draw_waste", "draw_next", "escape_if_three", "escape"] = "draw_waste"
    taking: Literal["anyone", "leader", "off"] = "anyone"
    two_left: Literal["none", "drawn_lead", "last_card", "any_tochoo"] = "none"
    both_empty: Literal["power_loses", "leader_loses"] = "power_loses"
    penalties: Literal["prevent", "penalise"] = "prevent"

    def __post_init__(self) -> None:
        for option, values in OPTIONS.items():
            value = getattr(self, option)
            # `True == 1 == 1.0`, but neither is a number of packs.
            if value not in values or type(value) is not type(values[0]):
                raise RecordError("bad_value", option=option, value=quoted(value))
        if self.opening_tochoo == "counts" and self.opening == "any_order":
            raise RecordError("any_order_counts")
        if self.opening_tochoo == "counts" and self.game == "donkey":
            raise RecordError("donkey_counts")
        if self.game == "donkey" and self.opening == "any_order":
            raise RecordError("donkey_any_order")

    @property
    def seats(self) -> range:
        """The numbers of seats that may play with these packs."""
        return SEATS_FOR_PACKS[self.packs]

    @property
    def step(self) -> int:
        """What to add to a seat's number to come to the seat after it: 1 or -1."""
        return 1 if self.direction == "clockwise" else -1

    def next_seat(self, seat: int, players: int, away: Container[int]) -> int:
        """Return the nearest seat in play order that has not got away (rules.md 1)."""
        seat = (seat + self.step) % players
        while seat in away:
            seat = (seat + self.step) % players
        return seat

    def as_dict(self) -> dict[str, str | int]:
        """Return every option by name, as a record holds them."""
        return asdict(self)


def _options() -> dict[str, tuple[str | int, ...]]:
    return {name: get_args(hint) for name, hint in get_type_hints(Ruleset).items()}


OPTIONS: Final[Mapping[str, tuple[str | int, ...]]] = _options()
"""Each option with its values, default first."""

PRESETS: Final[Mapping[str, Ruleset]] = {
    "Getaway (Punjab)": Ruleset(),
    "Bhabhi Thulla": Ruleset(both_empty="leader_loses"),
    "Bhabho / Laad": Ruleset(opening="any_order"),
    "Getaway with the pagat short cut": Ruleset(two_left="drawn_lead"),
    "Strict table": Ruleset(penalties="penalise"),
    "Big family": Ruleset(packs=2),
    "Donkey (Kasaragod)": Ruleset(game="donkey"),
    "Kazhutha (Kerala, no trumps)": Ruleset(
        opening_tochoo="counts", power="escape", taking="off", direction="anticlockwise"
    ),
}
"""The named tables of rules.md 2."""


def ruleset_of(options: object) -> Ruleset:
    """Return the ruleset that a record's `rules` states, every option by name.

    Raises:
        RecordError: for a missing or unknown option or value, or a forbidden combination.
    """
    if not isinstance(options, dict):
        raise RecordError("rules_no_object")
    for option in OPTIONS:
        if option not in options:
            raise RecordError("missing_option", option=option)
    for option in options:
        if option not in OPTIONS:
            raise RecordError("unknown_option", option=quoted(option))
    return Ruleset(**options)
