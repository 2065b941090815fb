"""How long a table will take."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from games.models import Game
from games.rules.ruleset import Ruleset
from games.selectors.estimate import UNKNOWN, cards_to_play, deals_left_by, estimate_words, usual_responses
from games.selectors.games import game_state
from tests.games.stored import NOW, chosen, game_of, over, people, person, play, play_on

pytestmark = pytest.mark.django_db


def test_the_median_of_ones_own_cards_among_people() -> None:
    nani, roza = person("Nani"), person("Roza")
    game = game_of(persons=[nani, roza], bots=1)
    now = timezone.now() - dt.timedelta(days=1)
    state = play_on(game, lambda state: state.tricks >= 1)
    Game.objects.filter(pk=game.pk).update(created=now)
    spans = {0: 2, 1: 30, 2: 0}
    for _ in range(20):
        seat = state.awaited[0]
        now += dt.timedelta(minutes=spans[seat])
        play(game, chosen(state, seat), version=state.entries, now=now)
        state = game_state(game)
    found = usual_responses([nani.pk, roza.pk, person().pk], now)
    assert set(found) <= {nani.pk, roza.pk}
    assert found[nani.pk] == dt.timedelta(minutes=2)
    assert found[roza.pk] == dt.timedelta(minutes=30)
    assert usual_responses([nani.pk], now + dt.timedelta(days=91)) == {}


def test_not_of_cards_among_bots() -> None:
    nani = person("Nani")
    game = game_of(persons=[nani], bots=2)
    play_on(game, lambda state: state.tricks >= 3)
    assert usual_responses([nani.pk], NOW) == {}


def test_is_one_query(django_assert_num_queries: Any) -> None:
    persons = people(3)
    over(game_of(persons=persons))
    with django_assert_num_queries(2):
        assert len(usual_responses([each.pk for each in persons], NOW)) == 3
        assert deals_left_by([each.pk for each in persons]) == {}


@pytest.mark.parametrize(
    ("rules", "seats", "people", "deals", "says"),
    [
        (Ruleset(), 4, [UNKNOWN] * 4, 1, "about 70 cards to play, about 12 days"),
        (
            Ruleset(),
            5,
            [None] * 5,
            1,
            (
                "about 80 cards to play: about 20 minutes if all are there at once, "
                "about 13 days by looking in now and then"
            ),
        ),
        (Ruleset(), 4, [dt.timedelta(seconds=30)], 1, "about 70 cards to play, about 9 minutes"),
        (Ruleset(), 4, [dt.timedelta(seconds=30)] * 4, 10, "about 700 cards to play, about 6 hours"),
        (Ruleset(game="donkey"), 4, [UNKNOWN] * 2, 1, "about 60 cards to play, about 5 days"),
    ],
)
def test_in_words(rules: Ruleset, seats: int, people: Any, deals: int, says: str) -> None:
    assert estimate_words(rules=rules, deals=deals, seats=seats, people=people) == says


def test_more_seats_are_more_cards() -> None:
    for rules in (Ruleset(), Ruleset(packs=2), Ruleset(game="donkey"), Ruleset(game="donkey", packs=2)):
        counts = [cards_to_play(rules, seats) for seats in rules.seats]
        assert counts == sorted(counts)
        assert counts[0] >= 50
