"""What happened while somebody was away: few sentences on the page, all of them in a mail, and no card too many."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import pytest

from accounts.models import User
from games.models import Holder
from games.rules.cards import PACK
from games.rules.deal import start
from games.rules.moves import Draw, Play
from games.rules.record import Record
from games.rules.replay import steps
from games.rules.state import GameState
from games.selectors.away import MOST, MOST_TOLD, away_lines, away_told, plain
from games.selectors.cast import Cast
from games.selectors.playbill import Playbill
from games.selectors.sentences import lines_of
from tests.games.stored import game_of, game_recorded, over, people, person, played, recorded

NAMES = ("Amrit", "Bilal", "Chandni", "Dilip", "Esha", "Farid", "Gurnam", "Hema", "Iqbal", "Jaya", "Kabir", "Lata")
_CARDS = re.compile("|".join(sorted({each.name for each in PACK})))


@dataclass(frozen=True)
class Story:
    """A recorded game as one seat reads it."""

    states: tuple[GameState, ...]
    bill: Playbill
    actors: tuple[str, ...]

    def since(self, seen: int) -> list[tuple[int, str]]:
        return [(each.step, plain(each.text)) for each in away_lines(self.states, self.bill, self.actors, seen)]


def story(
    record: Record, seat: int, actors: Mapping[int, str] = MappingProxyType({}), *, upto: int | None = None
) -> Story:
    """*actors* by entry; the others are made by hand."""
    states = tuple(steps(start(record.rules, record.dealer, record.hands), record.moves[:upto]))
    cast = Cast(NAMES[: len(record.hands)], seat, donkey=record.rules.game == "donkey")
    made = tuple(actors.get(number, "hand") for number in range(1, len(states)))
    return Story(states, Playbill((cast,), ()), made)


def bare(told: Sequence[tuple[int, str]]) -> list[str]:
    return [text.replace("\u2068", "").replace("\u2069", "") for _, text in told]


def test_the_weightiest_comes_first_and_the_newest_of_its_kind() -> None:
    told = story(recorded("kazhutha"), 0).since(21)
    assert bare(told) == [
        "Chandni holds the last cards.",
        "You have got away, place 2.",
        "Chandni plays the seven of clubs, a tochoo: you pick up 2 cards.",
        "Chandni plays the nine of spades, a tochoo: you pick up 2 cards.",
        "Bilal plays the seven of clubs, a tochoo: Chandni picks up 2 cards.",
        "Bilal plays the five of clubs, a tochoo: Chandni picks up 2 cards.",
        "And 24 more cards.",
    ]
    assert [step for step, _ in told] == [63, 63, 55, 53, 47, 45, 22]


def test_a_trump_is_told_and_what_was_only_played_comes_last() -> None:
    read = story(recorded("donkey"), 0)
    assert "Hearts are trump for the rest of this deal." in bare(read.since(0))
    assert bare(read.since(55)) == [
        "Chandni is a donkey with 3 legs.",
        "You have got away, place 2.",
        "Chandni leads the four of spades.",
    ]
    assert read.since(len(read.actors)) == []


def test_who_did_it_is_told_where_no_hand_did() -> None:
    record = recorded("kazhutha")
    cards = [each.card.name for each in record.moves[3:6] if isinstance(each, Play)]
    assert [each.seat for each in record.moves[3:6]] == [1, 0, 2]
    late = story(record, 0, {4: "timeout", 5: "timeout"}, upto=6)
    assert bare(late.since(3)) == [
        f"Your time was up: a bot played the {cards[1]}.",
        f"Bilal\u2019s time was up: a bot played the {cards[0]}.",
        f"Chandni plays the {cards[2]}.",
    ]
    mine = [at for at, each in enumerate(record.moves, 1) if each.seat == 0]
    bots, orders = dict.fromkeys(mine[-3:], "bot"), {mine[1]: "order"}
    told = bare(story(record, 0, bots | orders).since(0))
    assert "A bot has played 3 cards for you." in told
    assert "Your only card went by itself." in told
    # Of another seat nobody learns which of the two it was (S12).
    assert story(record, 1, bots | orders).since(0) == story(record, 1, bots).since(0)


@pytest.mark.parametrize(
    ("name", "why"), [("edges", "drawn_thrice"), ("edges", "foul_window"), ("big_family", None), ("donkey", None)]
)
def test_never_more_than_seven_and_never_a_card_that_its_reader_cannot_know(name: str, why: str | None) -> None:
    record = recorded(name, why=why)
    for seat in range(len(record.hands)):
        read = story(record, seat)
        pairs = zip(read.states[1:], read.states, strict=False)
        heard = [set(_CARDS.findall("".join(each.text for each in lines_of(*pair, read.bill.cast)))) for pair in pairs]
        for seen in range(0, len(read.actors), 9):
            told = read.since(seen)
            assert 0 < len(told) <= MOST or all(each.seat == seat for each in record.moves[seen:])
            for step, text in told:
                assert seen < step <= len(read.actors)
                assert set(_CARDS.findall(text)) <= heard[step - 1]


@pytest.mark.django_db
def test_a_mail_tells_all_of_it_and_names_what_everybody_saw() -> None:
    record, at = recorded("edges", why="drawn_thrice"), 60
    draw = record.moves[at - 1]
    assert isinstance(draw, Draw)
    game = game_recorded(record)
    played(game, record, upto=at)
    at_table = dict(Holder.objects.filter(table=game.table).values_list("seat__number", "user"))
    who, other = (User.objects.get(pk=at_table[seat]) for seat in (draw.seat, (draw.seat + 1) % len(record.hands)))
    assert away_told(who, game, at - 1, False)[0] == "You draw a card from the waste."
    assert away_told(who, game, at - 1, True)[0] == f"You draw the {draw.card.name} from the waste."
    assert away_told(other, game, at - 1, True)[0] == f"\u2068P{draw.seat}\u2069 draws a card from the waste."
    # Since the last card of one's own, when no entry is named.
    mine = [number for number, each in enumerate(record.moves[: at - 1], 1) if each.seat == draw.seat]
    assert away_told(who, game, None, False) == away_told(who, game, mine[-1], False)
    assert away_told(person("Outsider"), game, 0, True) == ()


@pytest.mark.django_db
def test_a_mail_keeps_the_signs_of_names_and_has_an_end() -> None:
    odd = "<b>&amp; \u0627"
    game = over(game_of(persons=[person("Nani"), person(odd), *people(2)]))
    nani = User.objects.get(name="Nani")
    told = away_told(nani, game, 0, False)
    assert len(told) == MOST_TOLD + 1
    assert told[0].startswith("Before that, ")
    assert any(f"\u2068{odd}\u2069 " in each for each in told)
    assert not any("<bdi>" in each or "&lt;" in each for each in told)
    assert told[-(len(away_told(nani, game, game.version - 1, False))) :] == away_told(
        nani, game, game.version - 1, False
    )
