"""How long a table will take, and how often people answer in time."""

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from games.models import Answer, Game, Result, Table
from games.rules.ruleset import Ruleset
from games.selectors.estimate import (
    UNKNOWN,
    Reliability,
    cards_to_play,
    deals_left_by,
    estimate_words,
    reliability,
    usual_responses,
)
from tests.games.answers import answered, missed
from tests.games.stored import NOW, chosen, game_of, people, person, play, play_on

pytestmark = pytest.mark.django_db

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


@pytest.fixture
def game(nani: User) -> Game:
    return game_of(persons=[nani, person("Roza")], bots=1)


def usual(user: User, now: dt.datetime = NOW) -> dt.timedelta | None:
    return usual_responses([user.pk], now).get(user.pk)


class TestUsual:
    def test_is_the_median_of_what_ran(self, game: Game, nani: User) -> None:
        roza = User.objects.get(name="Roza")
        answered(game, nani, MINUTE, free=MINUTE, stood=5 * DAY)
        answered(game, nani, 9 * HOUR)
        answered(game, nani, MINUTE, late=2 * MINUTE)
        answered(game, roza, HOUR)
        assert usual_responses([nani.pk, roza.pk, person().pk], NOW) == {nani.pk: 3 * MINUTE, roza.pk: HOUR}

    def test_is_that_of_the_last_fifty_of_ninety_days(self, game: Game, nani: User) -> None:
        for number in range(60):
            answered(game, nani, HOUR if number < 30 else MINUTE, at=NOW + number * MINUTE)
        assert usual(nani) == MINUTE
        assert usual(nani, NOW + 91 * DAY) is None

    @pytest.mark.parametrize(
        ("how", "counts"), [("order", False), ("other", False), ("timeout", True), ("nudge", True)]
    )
    def test_what_nobody_did_by_hand_counts_if_it_was_missed(
        self, game: Game, nani: User, how: str, counts: bool
    ) -> None:
        Game.objects.update(status="over", ended=NOW)
        Result.objects.create(game=game, void=True, away=[])
        answered(game, nani, DAY, how=how)
        assert usual(nani) == (DAY if counts else None)

    def test_while_the_deal_runs_it_does_not_tell_which_card_went_by_itself(self, game: Game, nani: User) -> None:
        """S12."""
        told = set()
        for how in ("hand", "order"):
            Answer.objects.all().delete()
            answered(game, nani, MINUTE, how=how)
            told.add((usual(nani), reliability(nani.pk, NOW)))
        assert len(told) == 1

    def test_is_not_of_cards_among_bots_or_at_live_tables(self, game: Game, nani: User) -> None:
        answered(game_of(persons=[nani], bots=2), nani)
        assert usual(nani) is None
        answered(game, nani)
        Table.objects.filter(pk=game.table_id).update(
            pace="live", pace_start=MINUTE, pace_increment=MINUTE, pace_cap=MINUTE
        )
        assert usual(nani) is None

    def test_is_one_query(self, django_assert_num_queries: Any) -> None:
        persons = people(3)
        game = game_of(persons=persons)
        for each in persons:
            answered(game, each)
        with django_assert_num_queries(2):
            assert len(usual_responses([each.pk for each in persons], NOW)) == 3
            assert deals_left_by([each.pk for each in persons]) == {}

    def test_turns_that_are_played_tell_it(self, game: Game, nani: User) -> None:
        state = play_on(game, lambda state: state.awaited == (0,))
        play(game, chosen(state, 0), now=NOW + 2 * HOUR)
        assert usual(nani, NOW + DAY) is not None


class TestReliability:
    def test_counts_turns_with_a_deadline_and_misses_without_excuse(self, game: Game, nani: User) -> None:
        answered(game_of(persons=[nani, person()], bots=1), nani)
        assert reliability(nani.pk, NOW) == Reliability(0, 0)
        Table.objects.filter(pk=game.table_id).update(pace="move", pace_start=DAY, pace_increment=DAY, pace_cap=DAY)
        for how in ("hand", "order", "hand", "other", "timeout", "nudge"):
            answered(game, nani, how=how)
        for excuse in ("", "outage", "vacation", ""):
            missed(game, nani, excuse)
        answered(game, User.objects.get(name="Roza"))
        assert reliability(nani.pk, NOW) == Reliability(5, 3)
        assert reliability(nani.pk, NOW + 91 * DAY) == Reliability(0, 0)

    @pytest.mark.parametrize(("turns", "in_time", "percent"), [(300, 299, 99), (3, 3, 100), (120, 115, 95), (1, 0, 0)])
    def test_is_never_said_to_be_better_than_it_is(self, turns: int, in_time: int, percent: int) -> None:
        assert Reliability(turns, in_time).percent == percent


def estimated(*spans: dt.timedelta | None, seats: int = 4, rules: Ruleset | None = None, **columns: Any) -> str:
    """What is said of a table with so many deals and such a pace; a limit is given as `limit`."""
    limit = columns.pop("limit", None)
    pace = {"pace_start": limit, "pace_increment": limit, "pace_cap": limit} if limit else {}
    return estimate_words(
        table=Table(rules=(rules or Ruleset()).as_dict(), seats=seats, **pace | columns), people=spans
    )


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (estimated(*[UNKNOWN] * 4), "about 70 cards to play, about 12 days"),
        (
            estimated(*[None] * 5, seats=5),
            (
                "about 80 cards to play: about 20 minutes if all are there at once, "
                "about 13 days by looking in now and then"
            ),
        ),
        (estimated(MINUTE / 2), "about 70 cards to play, about 9 minutes"),
        (estimated(*[MINUTE / 2] * 4, deals=10), "about 700 cards to play, about 6 hours"),
        (estimated(UNKNOWN, UNKNOWN, rules=Ruleset(game="donkey")), "about 60 cards to play, about 5 days"),
        # Nobody takes longer than they may, and who is unknown takes a sixth of it.
        (estimated(*[5 * DAY] * 4, pace="move", limit=DAY), "about 70 cards to play, about 70 days"),
        (estimated(*[None] * 4, pace="move", limit=DAY), "about 70 cards to play, about 12 days"),
        (estimated(*[None] * 4, pace="move", limit=DAY / 2), "about 70 cards to play, about 6 days"),
        (estimated(*[None] * 4, pace="move", limit=5 * MINUTE), "about 70 cards to play, about 58 minutes"),
        (estimated(*[None] * 4, pace="live", limit=MINUTE), "about 70 cards to play, about 18 minutes"),
        (estimated(*[5 * DAY] * 4, pace="move", limit=DAY, rest="56"), "about 70 cards to play, about 98 days"),
        (estimated(*[MINUTE] * 4, pace="move", limit=DAY, rest="56"), "about 70 cards to play, about 70 minutes"),
        (
            estimated(*[MINUTE] * 4, pace="move", limit=DAY, deals=3, rest_between=DAY),
            "about 210 cards to play, about 2 days",
        ),
        (
            estimated(DAY, pace="bank", pace_start=35 * HOUR, pace_increment=HOUR, pace_cap=5 * DAY),
            "about 70 cards to play, about 2 days",
        ),
    ],
)
def test_in_words(said: str, says: str) -> None:
    assert said == says


def test_more_seats_are_more_cards() -> None:
    for rules in (Ruleset(), Ruleset(packs=2), Ruleset(game="donkey"), Ruleset(game="donkey", packs=2)):
        counts = [cards_to_play(rules, seats) for seats in rules.seats]
        assert counts == sorted(counts)
        assert counts[0] >= 50
