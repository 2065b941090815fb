"""Each kind of event has its plain sentence, from whatever seat it is read."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import get_args

import pytest

from games.rules.cards import Suit, card
from games.rules.deal import start
from games.rules.events import (
    CardDrawn,
    Event,
    Fouled,
    GameOver,
    GotAway,
    HandTaken,
    PickedUp,
    Played,
    PowerPassed,
    TrickWasted,
    TrumpMade,
    visible,
)
from games.rules.moves import Play
from games.rules.outcome import Result
from games.rules.record import parse_record
from games.rules.replay import steps
from games.selectors.cast import Cast
from games.selectors.sentences import Moment, moment_of, sentence, tell, verdict
from tests.games.stored import RECORDS

QH, KC = card("QH"), card("3C")
PLAYS = (Play(0, card("AS")), Play(1, card("4S")))


def cast(viewer: int | None = 0, *, donkey: bool = False) -> Cast:
    return Cast(("Amrit", "Bilal", "Chandni"), viewer, donkey=donkey)


def played(seat: int, **changes: object) -> Played:
    given = {"seat": seat, "card": QH, "led": False, "face_down": False, "tochoo": False, "drawn": False}
    return Played(**given | changes)  # type: ignore[arg-type]


_LAID = "the ace of spades, Bilal the four of spades. The trick goes to the waste; Bilal has the power."
OPENING, TURNED = Moment(1, opening=True), Moment(1, opening=True, turned_up=True)

SAID: list[tuple[Event, Moment, str, str]] = [
    (played(0, led=True), Moment(1), "You lead the queen of hearts.", "Amrit leads the queen of hearts."),
    (played(0), Moment(1), "You play the queen of hearts.", "Amrit plays the queen of hearts."),
    (
        played(0, led=True, drawn=True),
        Moment(1),
        "You lead the card you drew, the queen of hearts.",
        "Amrit leads the card just drawn, the queen of hearts.",
    ),
    (
        played(0, card=KC, tochoo=True),
        Moment(1),
        "You play the three of clubs, a tochoo.",
        "Amrit plays the three of clubs, a tochoo.",
    ),
    (
        played(0, card=KC, tochoo=True),
        OPENING,
        "You have no spades and play the three of clubs.",
        "Amrit has no spades and plays the three of clubs.",
    ),
    (
        played(0, face_down=True),
        OPENING,
        "You lay the queen of hearts face down.",
        "Amrit lays the queen of hearts face down.",
    ),
    (played(0, face_down=True, card=None), OPENING, "You lay a card face down.", "Amrit lays a card face down."),
    (TrumpMade(0, Suit.HEARTS), Moment(1), "Hearts are trump for the rest of this deal.", ""),
    (
        Fouled(0, QH),
        Moment(1),
        "You try the queen of hearts, a foul: it goes back to your hand.",
        "Amrit tries the queen of hearts, a foul: it goes back.",
    ),
    (
        TrickWasted(PLAYS, 0),
        Moment(1),
        "The trick goes to the waste; you have the power.",
        "The trick goes to the waste; Amrit has the power.",
    ),
    (
        TrickWasted(PLAYS, 1),
        TURNED,
        f"All cards are turned up: you {_LAID}",
        f"All cards are turned up: Amrit {_LAID}",
    ),
    (
        PickedUp(0, (QH, KC), None),
        Moment(1),
        "You pick up 2 cards: queen of hearts, three of clubs.",
        "Amrit picks up 2 cards: queen of hearts, three of clubs.",
    ),
    (
        PickedUp(0, (QH,), 1),
        Moment(1),
        "You take 1 card over from Bilal: queen of hearts.",
        "Amrit takes 1 card over from Bilal: queen of hearts.",
    ),
    (
        PickedUp(1, (QH,), 0),
        Moment(1),
        "Bilal takes 1 card over from you: queen of hearts.",
        "Bilal takes 1 card over from Amrit: queen of hearts.",
    ),
    (
        HandTaken(0, 1, 5),
        Moment(1),
        "You take Bilal\u2019s hand of 5 cards.",
        "Amrit takes Bilal\u2019s hand of 5 cards.",
    ),
    (HandTaken(1, 0, 1), Moment(1), "Bilal takes your hand of 1 card.", "Bilal takes Amrit\u2019s hand of 1 card."),
    (
        CardDrawn(0, QH, None),
        Moment(1),
        "You draw the queen of hearts from the waste.",
        "Amrit draws the queen of hearts from the waste.",
    ),
    (CardDrawn(1, None, None), Moment(1), "Bilal draws a card from the waste.", ""),
    (
        CardDrawn(1, QH, 0),
        Moment(1),
        "Bilal draws the queen of hearts from your hand.",
        "Bilal draws the queen of hearts from Amrit\u2019s hand.",
    ),
    (
        CardDrawn(0, None, 1),
        Moment(1),
        "You draw a card from Bilal\u2019s hand.",
        "Amrit draws a card from Bilal\u2019s hand.",
    ),
    (GotAway(0, 2), Moment(1), "You have got away, place 2.", "Amrit has got away, place 2."),
    (PowerPassed(0), Moment(1), "You have the power and lead.", "Amrit has the power and leads."),
    (GameOver(Result((1, 2), 0, False, 5)), Moment(1), "You hold the last cards.", "Amrit holds the last cards."),
    (GameOver(Result((1, 2), 0, False, 0)), Moment(1), "You are the last one left.", "Amrit is the last one left."),
    (
        GameOver(Result((1,), None, True, None)),
        Moment(1),
        "The game is stopped without a loser: nothing is scored.",
        "",
    ),
]


def plain(text: str) -> str:
    return re.sub("</?bdi>", "", text)


@pytest.mark.parametrize(("event", "moment", "mine", "theirs"), SAID, ids=lambda value: str(value)[:40])
def test_a_sentence(event: Event, moment: Moment, mine: str, theirs: str) -> None:
    assert plain(sentence(event, cast(0), moment)) == mine
    for viewer in (2, None):
        assert plain(sentence(event, cast(viewer), moment)) == (theirs or mine)


def test_every_kind_of_event_is_told() -> None:
    assert {type(event) for event, *_ in SAID} == set(get_args(Event.__value__))


@pytest.mark.parametrize(("legs", "said"), [(1, "1 leg"), (0, "0 legs"), (7, "7 legs")])
def test_a_donkey_has_legs(legs: int, said: str) -> None:
    event = GameOver(Result((1, 2), 0, False, legs))
    assert plain(sentence(event, cast(0, donkey=True), Moment(1))) == f"You are a donkey with {said}."
    assert plain(sentence(event, cast(1, donkey=True), Moment(1))) == f"Amrit is a donkey with {said}."


@pytest.mark.parametrize(
    ("result", "mine", "theirs"),
    [
        (Result((1, 2), 0, False, 5), "You hold the last cards: you lose", "Amrit holds the last cards and loses"),
        (Result((1, 2), 0, False, 0), "You are the last one left: you lose", "Amrit is the last one left and loses"),
    ],
)
def test_the_end_says_who_loses(result: Result, mine: str, theirs: str) -> None:
    assert plain(verdict(result, cast(0))) == f"{mine} this deal."
    for viewer in (1, None):
        assert plain(verdict(result, cast(viewer))) == f"{theirs} this deal."


def test_who_ended_a_deal_that_nobody_lost() -> None:
    endless, voided = Result.without_loser((1,)), replace(cast(0), voided=True)
    assert plain(verdict(endless, cast(0))) == "The deal was endless: nobody loses it."
    assert plain(verdict(endless, voided)) == "The operators voided this deal: nobody lost."
    stopped = Result.without_loser((1,), stopped=True)
    assert plain(verdict(stopped, cast(0))) == "The operators ended this deal: nobody lost."


def test_a_donkey_loses_too() -> None:
    result = Result((1, 2), 0, False, 7)
    assert plain(verdict(result, cast(0, donkey=True))) == "You are a donkey with 7 legs: you lose this deal."
    assert plain(verdict(result, cast(1, donkey=True))) == "Amrit is a donkey with 7 legs and loses this deal."


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a&b", "{name}", "{0.__class__}", "\u202eright", "%s"])
def test_names_are_data(name: str) -> None:
    told = sentence(HandTaken(1, 2, 3), Cast((name, name, name), 0), Moment(1))
    assert "<script" not in told
    assert told.count("<bdi>") == told.count("</bdi>") == 2
    assert name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in told


@pytest.mark.parametrize("name", ["bhabho", "donkey", "edges", "strict"])
def test_every_event_of_whole_games_can_be_told(name: str) -> None:
    for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()[::8]:
        record = parse_record(line)
        players = len(record.hands)
        who = Cast(tuple("ABCDEFGHIJKL"[:players]), 1, donkey=record.rules.game == "donkey")
        for before, state in pairwise(steps(start(record.rules, record.dealer, record.hands), record.moves)):
            told = tell([visible(event, 1) for event in state.events], who, moment_of(state, before))
            assert len(told) == len(state.events) > 0
            for each in told:
                assert each.step == state.entries
                assert each.text.endswith(".")
                assert "{" not in each.text
                assert plain(each.text)[0].isupper()
