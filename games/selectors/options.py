"""Every option of rules.md 2 and every preset, each in one plain sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from games.rules.ruleset import PRESETS, Ruleset


class Option(NamedTuple):
    """An option as the new-table page asks for it: a question, and a sentence for each value, default first."""

    name: str
    question: str
    values: Mapping[str, str]


PRESET_WORDS: Final[Mapping[str, str]] = {
    "Getaway (Punjab)": "The classic: follow suit, or break the trick with a tochoo.",
    "Bhabhi Thulla": "As the classic; if the last two run out together, the leader loses.",
    "Bhabho / Laad": "In the opening trick everybody plays at once, face down.",
    "Getaway with the pagat short cut": "With two left, a tochoo on a drawn card ends the deal at once.",
    "Strict table": "A wrong card is not refused: it costs you the trick.",
    "Big family": "Two packs, for 5 to 12 people.",
    "Donkey (Kasaragod)": "The first void makes a trump; the loser is a donkey with legs.",
    "Kazhutha (Kerala, no trumps)": "Anticlockwise; a tochoo counts from the first trick, hands are not taken.",
}

OPTION_WORDS: Final[tuple[Option, ...]] = (
    Option(
        "game",
        "Which game?",
        {
            "getaway": "Getaway: a card of another suit stops the trick, and the highest card picks it up.",
            "donkey": "Donkey: the first card of another suit makes its suit trump for the whole deal.",
        },
    ),
    Option(
        "packs",
        "How many packs?",
        {"1": "One pack of 52 cards, for 3 to 8 seats.", "2": "Two packs together, for 5 to 12 seats."},
    ),
    Option(
        "direction",
        "Which way does play go?",
        {
            "clockwise": "Clockwise: after you comes the seat on your left.",
            "anticlockwise": "Anticlockwise: after you comes the seat on your right.",
        },
    ),
    Option(
        "opening",
        "How is the opening trick played?",
        {
            "in_turn": "In turn: one after the other, face up.",
            "any_order": "In any order: after the ace everybody plays when they like, face down until all have played.",
        },
    ),
    Option(
        "opening_tochoo",
        "A tochoo in the opening trick?",
        {
            "ignored": "Ignored: nobody picks up in the opening trick.",
            "counts": "Counts: the opening trick can be picked up like any other.",
        },
    ),
    Option(
        "tochoo",
        "What does a tochoo do?",
        {
            "interrupts": "It stops the trick at once: later seats do not play to it.",
            "finish_trick": "The others still play to the trick, and then it is picked up.",
        },
    ),
    Option(
        "power",
        "Your last card wins the trick, and you must lead with none left?",
        {
            "draw_waste": "Draw a card from the waste, unseen, and lead it.",
            "draw_next": "Draw a card from the next hand, unseen, and lead it.",
            "escape_if_three": "With three or more left you have got away; with two left you draw from the waste.",
            "escape": "You have got away, and the next seat leads.",
        },
    ),
    Option(
        "taking",
        "Who may take the next seat\u2019s whole hand before a trick?",
        {
            "anyone": "Anyone may; the seat whose hand is taken has got away.",
            "leader": "Only the seat that leads next may.",
            "off": "Nobody: hands are not taken at this table.",
        },
    ),
    Option(
        "two_left",
        "A tochoo when only two are left?",
        {
            "none": "It is picked up as always, and play goes on.",
            "drawn_lead": "It ends the deal if the card led had been drawn: who picks up loses.",
            "last_card": "It ends the deal if the card led was the leader\u2019s last: who picks up loses.",
            "any_tochoo": "It always ends the deal: who picks up loses.",
        },
    ),
    Option(
        "both_empty",
        "The last two run out on the same trick?",
        {
            "power_loses": "The higher card loses.",
            "leader_loses": "Whoever led that trick loses.",
        },
    ),
    Option(
        "penalties",
        "Somebody tries a card that may not be played?",
        {
            "prevent": "It is refused, with the reason.",
            "penalise": "It is a foul: the card goes back, and the offender picks up the trick and leads.",
        },
    ),
)

TITLES: Final = (
    "Last Hand",
    "Chai Maker",
    "Card Keeper",
    "Plaavila Crown",
    "Donkey / Kazhutha",
    "Golgappa Treat",
    "Bhabhi",
)
"""What the loser may be called (words.md 3), the default first."""

TIE_WORDS: Final[Mapping[str, str]] = {
    "": "They share the place.",
    "cards": "Whoever held fewer cards in the deals they lost is ahead.",
    "first": "Whoever was the first away more often is ahead.",
    "longest": "Whoever lost longest ago is ahead.",
}
"""What becomes of equal losses in the end (`games.rules.scoring.TIE_BREAKS`), the default first."""

TIE_SHORT: Final[Mapping[str, str]] = {"cards": "Cards held", "first": "First away", "longest": "Last lost"}
"""What is compared then, as the head of a column."""

LEVEL_WORDS: Final[Mapping[str, str]] = {
    "random": "Random bot",
    "easy": "Easy bot",
    "medium": "Medium bot",
}

COMPANY_WORDS: Final[Mapping[str, str]] = {
    "bots": "Bots, at once",
    "people": "People I ask",
}
"""With whom a new table is played, the default first."""

JOINS_WORDS: Final[Mapping[str, str]] = {
    "invited": "Only those who are invited.",
    "link": "Anybody who has the table\u2019s link.",
    "lobby": "Anybody: the table is listed in the lobby.",
}

STARTS_WORDS: Final[Mapping[str, str]] = {
    "full": "As soon as every seat is taken.",
    "host": "When the host says so.",
}

WATCH_WORDS: Final[Mapping[str, str]] = {
    "nobody": "Nobody.",
    "link": "Those who have the table\u2019s link.",
    "anyone": "Anybody who is signed in.",
}


@dataclass(frozen=True, slots=True)
class RulesInWords:
    """Rules as people read them: what they are called and like, what is not usual in them, and every one of them."""

    name: str
    summary: str
    unusual: tuple[str, ...]
    every: tuple[tuple[str, str], ...]


def rules_in_words(rules: Ruleset) -> RulesInWords:
    """Return rules in plain words; a second pack alone makes no other game of a preset."""
    name = next((name for name, each in PRESETS.items() if each == rules), "")
    name = name or next((name for name, each in PRESETS.items() if replace(each, packs=rules.packs) == rules), "")
    said = {each.name: each.values[str(getattr(rules, each.name))] for each in OPTION_WORDS}
    return RulesInWords(
        name=name or "Rules of its own",
        summary=PRESET_WORDS.get(name, ""),
        unusual=tuple(said[each.name] for each in OPTION_WORDS if said[each.name] != next(iter(each.values.values()))),
        every=tuple((each.question, said[each.name]) for each in OPTION_WORDS),
    )
