"""Section 2 of the rules: options, forbidden combinations, presets."""

from dataclasses import FrozenInstanceError
from itertools import product

import pytest

from games.rules.errors import RecordError
from games.rules.ruleset import OPTIONS, PRESETS, RULES_VERSION, Ruleset, ruleset_of

TABLE = {
    "game": ("getaway", "donkey"),
    "packs": (1, 2),
    "direction": ("clockwise", "anticlockwise"),
    "opening": ("in_turn", "any_order"),
    "opening_tochoo": ("ignored", "counts"),
    "tochoo": ("interrupts", "finish_trick"),
    "power": ("draw_waste", "draw_next", "escape_if_three", "escape"),
    "taking": ("anyone", "leader", "off"),
    "two_left": ("none", "drawn_lead", "last_card", "any_tochoo"),
    "both_empty": ("power_loses", "leader_loses"),
    "penalties": ("prevent", "penalise"),
}
DIFFERENCES = {
    "Getaway (Punjab)": {},
    "Bhabhi Thulla": {"both_empty": "leader_loses"},
    "Bhabho / Laad": {"opening": "any_order"},
    "Getaway with the pagat short cut": {"two_left": "drawn_lead"},
    "Strict table": {"penalties": "penalise"},
    "Big family": {"packs": 2},
    "Donkey (Kasaragod)": {"game": "donkey"},
    "Kazhutha (Kerala, no trumps)": {
        "opening_tochoo": "counts",
        "power": "escape",
        "taking": "off",
        "direction": "anticlockwise",
    },
}


def problem(options: object) -> tuple[str, str]:
    with pytest.raises(RecordError) as caught:
        ruleset_of(options)
    return caught.value.code, str(caught.value)


def test_options_and_values_are_those_of_the_table_defaults_first() -> None:
    assert OPTIONS == TABLE
    assert list(OPTIONS) == list(TABLE)
    assert Ruleset().as_dict() == {option: values[0] for option, values in TABLE.items()}
    assert RULES_VERSION == 1


def test_presets_are_those_of_the_table() -> None:
    defaults = Ruleset().as_dict()
    found = {
        name: {key: value for key, value in rules.as_dict().items() if value != defaults[key]}
        for name, rules in PRESETS.items()
    }
    assert found == DIFFERENCES
    assert list(PRESETS) == list(DIFFERENCES)


def test_numbers_of_seats() -> None:
    assert list(Ruleset(packs=1).seats) == [3, 4, 5, 6, 7, 8]
    assert list(Ruleset(packs=2).seats) == [5, 6, 7, 8, 9, 10, 11, 12]


def test_just_the_forbidden_combinations_are_refused() -> None:
    free = {"packs": 1, "direction": "clockwise", "penalties": "prevent", "both_empty": "power_loses"}
    varied = [option for option in TABLE if option not in free]
    playable = 0
    for values in product(*(TABLE[option] for option in varied)):
        options = free | dict(zip(varied, values, strict=True))
        counts, any_order = options["opening_tochoo"] == "counts", options["opening"] == "any_order"
        donkey = options["game"] == "donkey"
        if (any_order and counts) or (donkey and counts) or (donkey and any_order):
            assert problem(options)[0] in ("any_order_counts", "donkey_counts", "donkey_any_order")
        else:
            assert ruleset_of(options).as_dict() == options
            playable += 1
    assert playable == 4 * 2 * 4 * 3 * 4


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"opening": "any_order", "opening_tochoo": "counts"},
            "With the opening in any order, the opening tochoo must be ignored.",
        ),
        ({"game": "donkey", "opening_tochoo": "counts"}, "In Donkey the opening tochoo must be ignored."),
        ({"game": "donkey", "opening": "any_order"}, "In Donkey the opening must be played in turn."),
        ({"packs": 3}, "The option packs cannot be 3."),
        ({"packs": True}, "The option packs cannot be True."),
        ({"packs": 1.0}, "The option packs cannot be 1.0."),
        ({"packs": "1"}, "The option packs cannot be '1'."),
        ({"power": None}, "The option power cannot be None."),
        ({"power": ["escape"]}, "The option power cannot be ['escape']."),
        ({"power": {"draw": "waste"}}, "The option power cannot be {'draw': 'waste'}."),
        ({"power": "Escape"}, "The option power cannot be 'Escape'."),
        ({"power": "x" * 10_000}, "The option power cannot be 'xxxxxxxxx...xxxxxxxxxx'."),
        ({"jokers": 2}, "There is no option 'jokers'."),
    ],
)
def test_refused_options(change: dict[str, object], sentence: str) -> None:
    assert problem(Ruleset().as_dict() | change)[1] == sentence


@pytest.mark.parametrize("option", TABLE)
def test_a_missing_option_is_refused(option: str) -> None:
    options = Ruleset().as_dict()
    del options[option]
    assert problem(options) == ("missing_option", f"The option {option} is missing.")


@pytest.mark.parametrize("found", [None, [], "getaway", 1])
def test_rules_that_are_no_object_are_refused(found: object) -> None:
    assert problem(found) == ("rules_no_object", "The rules are not an object of options.")


def test_a_ruleset_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        Ruleset().packs = 2  # type: ignore[misc]
