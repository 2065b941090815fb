"""More time for everybody by one tap: for whom, how much, how often."""

import datetime as dt
from collections import Counter

import pytest

from accounts.models import User
from games.clocks.pace import NO_LIMIT, Pace, banked, live
from games.models import Extension, Game, Holder, Pause, Turn
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state
from games.services import errors, stop_errors
from games.services.extensions import everybody_extended
from tests.games.pacing import DAY, HOUR, awaited, paced, slow_game, turn_of
from tests.games.stored import NOW, chosen, game_of, in_threads, people, person, play
from tests.games.test_pauses import shown

pytestmark = [pytest.mark.django_db]

SECOND = dt.timedelta(seconds=1)


def give(game: Game, user: User, given: int | None = None, at: dt.datetime = NOW) -> dt.timedelta:
    return everybody_extended(game_id=game.pk, user=user, given=given, now=at)


def test_a_day_for_everybody_three_times_a_deal() -> None:
    persons = people(3)
    game = slow_game(persons)
    for number, each in enumerate(persons):
        found = shown(game, each)
        assert (found.more, found.given, found.left) == ("24 hours", number, 3 - number)
        assert give(game, each, number) == DAY
        assert turn_of(game).due_at == NOW + (number + 2) * DAY
    assert shown(game, persons[0]).more == ""
    with pytest.raises(stop_errors.ExtensionsSpent):
        give(game, persons[0])
    # It was for that turn: the next one has what it always has.
    play(game, chosen(game_state(game), awaited(game)))
    assert turn_of(game).due_at == NOW + DAY


def test_it_is_time_to_run_stops_not_counted() -> None:
    persons = people(3)
    game = slow_game(persons)
    Pause.objects.create(table=game.table, since=NOW, until=NOW + 2 * DAY)
    give(game, persons[0], at=NOW + DAY)
    assert turn_of(game).due_at == NOW + 4 * DAY


def test_everybody_who_is_awaited_but_no_bot() -> None:
    persons = people(3)
    game = paced(game_of(Ruleset(opening="any_order"), persons=persons, bots=2), banked(DAY, HOUR, 3 * DAY))
    play(game, chosen(game_state(game), awaited(game)))
    before = dict(Turn.objects.filter(game=game).values_list("seat", "due_at"))
    assert len(before) > 2
    give(game, persons[0], at=NOW + HOUR)
    after = dict(Turn.objects.filter(game=game).values_list("seat", "due_at"))
    for seat, due in before.items():
        assert after[seat] == (due + DAY if seat < 3 and due is not None else due)


@pytest.mark.parametrize("pace", [live(45 * SECOND)])
def test_at_a_live_table_each_person_ten_times(pace: Pace) -> None:
    persons = people(3)
    game = slow_game(persons, pace=pace)
    for _ in range(10):
        assert give(game, persons[0]) == 45 * SECOND
    assert turn_of(game).due_at == NOW + 11 * 45 * SECOND
    with pytest.raises(stop_errors.ExtensionsSpent):
        give(game, persons[0])
    found = shown(game, persons[1])
    assert (found.more, found.left, found.live) == ("45 seconds", 10, True)
    give(game, persons[1])


class TestRefused:
    @pytest.fixture
    def persons(self) -> list[User]:
        return people(3)

    @pytest.fixture
    def game(self, persons: list[User]) -> Game:
        return slow_game(persons)

    def refused(self, game: Game, user: User, error: type[Exception], given: int | None = None) -> None:
        before = list(Turn.objects.order_by("pk").values_list())
        with pytest.raises(error):
            give(game, user, given)
        assert not Extension.objects.filter(user=user).exists()
        assert list(Turn.objects.order_by("pk").values_list()) == before

    def test_to_a_stranger(self, game: Game) -> None:
        self.refused(game, person("Roza"), errors.NotYourSeat)

    def test_to_one_who_saw_an_older_board(self, game: Game, persons: list[User]) -> None:
        give(game, persons[0], 0)
        self.refused(game, persons[1], errors.StaleGame, 0)

    def test_to_one_for_whom_a_bot_plays(self, game: Game, persons: list[User]) -> None:
        Holder.objects.filter(user=persons[0]).update(stand_in="medium", stood_in=NOW)
        self.refused(game, persons[0], errors.StoodIn)

    def test_where_nobody_has_a_deadline(self, game: Game, persons: list[User]) -> None:
        Holder.objects.filter(user=persons[awaited(game)]).update(stand_in="medium", stood_in=NOW)
        assert shown(game, persons[awaited(game) - 1]).more == ""
        self.refused(game, persons[awaited(game) - 1], stop_errors.NothingToExtend)

    def test_without_a_limit_and_after_the_end(self, persons: list[User]) -> None:
        game = slow_game(persons, pace=NO_LIMIT)
        self.refused(game, persons[0], stop_errors.NothingToExtend)
        Turn.objects.all().delete()
        self.refused(game, persons[0], stop_errors.NothingToExtend)

    def test_of_no_game(self, persons: list[User]) -> None:
        with pytest.raises(errors.GameGone):
            everybody_extended(game_id=0, user=persons[0], now=NOW)


@pytest.mark.django_db(transaction=True)
def test_three_who_tap_at_once_give_it_once() -> None:
    persons = people(3)
    game = slow_game(persons)
    found = in_threads(3, lambda number: give(game, persons[number], 0))
    assert Counter(type(each).__name__ for each in found) == {"timedelta": 1, "StaleGame": 2}
    assert turn_of(game).due_at == NOW + 2 * DAY
