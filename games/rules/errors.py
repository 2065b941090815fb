"""Refusals: a code for programs, one plain sentence for people."""

from reprlib import Repr
from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # A move (rules.md 3 to 10).
    "over": "The game is over: start a new one.",
    "no_seat": "There is no such seat at this table.",
    "away": "This seat has got away and has no cards to play.",
    "draw_due": "Wait: a card must be drawn first.",
    "not_held": "You do not hold the {card}: play a card from your hand.",
    "lead_drawn": "Lead the card that you drew, the {card}.",
    "not_your_turn": "It is not your turn: wait for the other seat.",
    "already_played": "You have played to this trick: wait for the others.",
    "lead_ace": "Lead the ace of spades.",
    "follow_suit": "You hold {suit}: follow {suit}.",
    "play_trump": "You hold no {suit} but you hold {trump}: play {trump}, the trump.",
    "taking_off": "Taking a hand is not played at this table.",
    "take_leader": "Only the seat with the power may take a hand here.",
    "take_too_late": "A card lies on the table: take a hand before the next lead.",
    "take_not_next": "Only the hand of the next seat may be taken.",
    "take_draw": "Nobody may take a hand until the drawn card is led.",
    "no_draw_due": "No card is to be drawn now.",
    "draw_seat": "Only the seat with the power draws.",
    "draw_absent": "The {card} is not among the cards that can be drawn.",
    # A table and its deal (rules.md 2, 3).
    "bad_value": "The option {option} cannot be {value}.",
    "missing_option": "The option {option} is missing.",
    "unknown_option": "There is no option {option}.",
    "any_order_counts": "With the opening in any order, the opening tochoo must be ignored.",
    "donkey_counts": "In Donkey the opening tochoo must be ignored.",
    "donkey_any_order": "In Donkey the opening must be played in turn.",
    "seats": "With packs: {packs}, {low} to {high} seats may play, not {players}.",
    "no_dealer": "There is no seat {dealer} to deal.",
    "not_whole_packs": "The hands hold the {card} {count} times; {packs} is right.",
    "uneven_hands": "Seat {seat} was dealt {count} cards and must have {right}.",
    # A record (rules.md 12).
    "line_too_long": "The line is longer than any record can be.",
    "no_text": "The line is not UTF-8 text.",
    "no_json": "The line is not JSON.",
    "json_limits": "The line nests too deep, or holds a number with too many digits.",
    "key_twice": "The key {key} stands twice in one object.",
    "no_object": "The record is not a JSON object.",
    "format": "The format is not getaway-record.",
    "version": "The version is not 1.",
    "rules_no_object": "The rules are not an object of options.",
    "bad_players": "The number of players is not a whole number.",
    "bad_dealer": "The dealer is not a seat's number.",
    "bad_hands": "The hands are not a list with one text for each player.",
    "no_card": "{code} is no card.",
    "bad_moves": "The moves are not a list.",
    "bad_entry": "Entry {at} is no play, take or draw.",
    "bad_result": "The stated result is not what the moves give.",
}
"""Each code with its sentence; the words in braces are the error's params."""


class RulesError(Exception):
    """The rules refuse something, and nothing has changed.

    `code` is a key of `SENTENCES`, `params` fills the sentence, `str()` gives it.
    """

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        return SENTENCES[self.code].format(**self.params)


class IllegalMove(RulesError):
    """An entry that the rules refuse in this state (rules.md 4 to 10)."""


class RecordError(RulesError):
    """Options, a deal or a record that cannot be a game (rules.md 2, 3, 12)."""


# Looks at the beginning of a value only, so that neither its size nor its depth matters.
_brief: Final = Repr(maxlevel=2, maxstring=24)


def quoted(value: object) -> str:
    """Show a foreign value in a sentence, cut short so that a sentence stays one."""
    text = _brief.repr(value)
    return text if len(text) <= 24 else text[:21] + "..."
