"""Days away: their budget, the clocks that stand still for them, and what the others read."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from games.clocks.days import Away
from games.models import Game, Table, Turn, Vacation
from games.selectors.games import held_seats
from games.selectors.vacations import away_until, days_away
from games.services.clocks import turns_retimed
from games.services.locks import game_locked, writing
from games.services.stop_errors import DaysUnfit, VacationGone
from games.services.vacations import vacation_ended, vacation_set
from tests.clocks.slow import moment
from tests.games.pacing import DAY, HOUR, awaited, slow_game, turn_of
from tests.games.stored import NOW, people, person
from tests.games.test_pauses import shown

pytestmark = [pytest.mark.django_db]

TODAY = NOW.date()
"""A Saturday, at noon in UTC."""


def day(count: int) -> dt.date:
    return TODAY + dt.timedelta(days=count)


def go(user: User, first: int | str, last: int | str, at: dt.datetime = NOW) -> Vacation:
    """Be away, from so many days after today to so many; or from a date to another."""
    days = [dt.date.fromisoformat(each) if isinstance(each, str) else day(each) for each in (first, last)]
    return vacation_set(user=user, first=days[0], last=days[1], now=at)


def back(user: User, vacation: Vacation, at: dt.datetime) -> None:
    vacation_ended(user=user, vacation_id=vacation.pk, now=at)


class TestClocks:
    @pytest.fixture
    def game(self) -> Game:
        """One with a day for each card that awaits P-something."""
        return slow_game()

    @pytest.fixture
    def slow(self, game: Game) -> User:
        return User.objects.get(holder__table=game.table, holder__seat__number=awaited(game))

    def test_stand_still_on_those_days(self, game: Game, slow: User) -> None:
        before = Game.objects.get(pk=game.pk).revision
        go(slow, 1, 3)
        # Twelve hours of today, and twelve after the third day.
        assert turn_of(game).due_at == NOW + 4 * DAY
        assert Game.objects.get(pk=game.pk).revision > before

    def test_from_now_on_if_today_is_one_of_them(self, game: Game, slow: User) -> None:
        go(slow, 0, 0, NOW + HOUR)
        assert turn_of(game).due_at == NOW + DAY + 11 * HOUR - dt.timedelta(microseconds=250)

    def test_run_on_for_the_others_and_where_days_away_do_not_count(self, game: Game, slow: User) -> None:
        for other in User.objects.exclude(pk=slow.pk):
            go(other, 0, 9)
        assert turn_of(game).due_at == NOW + DAY
        Table.objects.update(vacations=False)
        go(slow, 0, 9)
        assert turn_of(game).due_at == NOW + DAY
        assert shown(game, slow, NOW + HOUR).away == {}

    def test_at_all_tables_of_theirs(self, slow: User) -> None:
        mine = [slow_game([slow], bots=2) for _ in range(2)]
        for game in mine:
            Turn.objects.filter(game=game).update(seat=0, due_at=NOW + DAY, bank=DAY)
        go(slow, 0, 1)
        assert {turn_of(game).due_at for game in mine} == {moment("2026-02-02 00:00") + DAY}

    def test_go_on_when_they_are_back(self, game: Game, slow: User) -> None:
        gone = go(slow, 0, 9)
        back(slow, gone, NOW + 2 * HOUR)
        assert turn_of(game).due_at == NOW + DAY + 2 * HOUR
        # Again, and later: nothing happens.
        back(slow, gone, NOW + 3 * HOUR)
        assert Vacation.objects.get().ended == NOW + 2 * HOUR

    def test_run_as_before_if_they_do_not_go(self, game: Game, slow: User) -> None:
        gone = go(slow, 1, 3)
        back(slow, gone, NOW + HOUR)
        assert turn_of(game).due_at == NOW + DAY

    def test_a_deadline_that_was_not_put_right_is_when_somebody_looks(self, game: Game, slow: User) -> None:
        Vacation.objects.create(user=slow, first=day(0), last=day(2), zone="UTC", made=NOW)
        assert turn_of(game).due_at == NOW + DAY
        with writing():
            turns_retimed(game=game_locked(game.pk), held=held_seats(game.table_id))
        assert turn_of(game).due_at == moment("2026-02-03 00:00") + DAY

    def test_the_others_read_until_when(self, game: Game, slow: User) -> None:
        User.objects.filter(pk=slow.pk).update(hide_online=True)
        go(slow, 0, 2), go(slow, 3, 5), go(slow, 7, 8)
        other = User.objects.exclude(pk=slow.pk).earliest("pk")
        gone = shown(game, other, NOW + HOUR).away
        assert gone[awaited(game)].last == day(5)
        assert gone[awaited(game)].until == moment("2026-02-06 00:00")
        # Not of what is to come.
        assert shown(game, other, moment("2026-02-06 12:00")).away == {}


@pytest.mark.parametrize(
    ("zone", "first", "hours"),
    [
        ("Europe/London", "2026-03-29", 23),
        ("Europe/London", "2026-10-25", 25),
        ("America/Toronto", "2026-03-08", 23),
        ("Australia/Lord_Howe", "2026-04-05", 24.5),
        ("Asia/Kolkata", "2026-03-29", 24),
    ],
)
def test_a_day_away_is_as_long_as_it_is_in_their_zone(zone: str, first: str, hours: float) -> None:
    game = slow_game(people(3))
    slow = User.objects.get(holder__table=game.table, holder__seat__number=awaited(game))
    User.objects.update(zone=zone)
    since = moment(f"{first} 00:00", zone) - HOUR
    Turn.objects.update(ran_from=since)
    go(slow, first, first, since)
    due = turn_of(game).due_at
    assert due is not None
    assert due - since == DAY + hours * HOUR


class TestTheBudget:
    @pytest.fixture
    def nani(self) -> User:
        return person("Nani")

    def left(self, user: User, at: dt.datetime = NOW) -> list[int]:
        return [left for _, left in days_away(user=user, now=at).left]

    def test_is_thirty_dates_a_calendar_year(self, nani: User) -> None:
        go(nani, 1, 20)
        assert self.left(nani) == [10, 30]
        with pytest.raises(DaysUnfit, match=r"You have 10 of 30 days left in 2026: choose fewer\."):
            go(nani, 40, 50)
        # What was named before counts once.
        go(nani, 15, 30)
        assert self.left(nani) == [0, 30]

    def test_of_each_year_for_itself(self, nani: User) -> None:
        go(nani, "2026-12-02", "2027-01-30")
        assert self.left(nani) == [0, 0]
        roza = person("Roza")
        with pytest.raises(DaysUnfit, match="2027"):
            go(roza, "2026-12-20", "2027-01-31")

    def test_gives_back_what_was_not_taken(self, nani: User) -> None:
        now, later = go(nani, 0, 9), go(nani, 20, 29)
        back(nani, now, NOW + DAY)
        back(nani, later, NOW + DAY)
        assert self.left(nani) == [28, 30]
        # One that never began leaves no trace.
        assert list(Vacation.objects.all()) == [now]
        assert days_away(user=nani, now=NOW + DAY).days == ()

    def test_goes_by_the_zone_in_which_they_said_so(self, nani: User) -> None:
        User.objects.filter(pk=nani.pk).update(zone="Pacific/Kiritimati")
        # Tomorrow there, 14 hours ahead.
        gone = go(nani, 1, 2)
        assert (gone.zone, days_away(user=User.objects.get(), now=NOW).today) == ("Pacific/Kiritimati", day(1))
        with pytest.raises(DaysUnfit, match="today at the earliest"):
            go(nani, 0, 0)
        User.objects.filter(pk=nani.pk).update(zone="America/Toronto")
        found = days_away(user=User.objects.get(), now=NOW)
        assert [(each.zone, each.on) for each in found.days] == [("Pacific/Kiritimati", True)]
        assert found.zone == "America/Toronto"
        # The same date in another zone is the same date.
        go(nani, 2, 2)
        assert self.left(User.objects.get()) == [28, 30]

    @pytest.mark.parametrize(
        ("first", "last", "field", "why"),
        [
            (-1, 3, "first", "today at the earliest"),
            (366, 367, "first", "within a year"),
            (5, 4, "last", "not be before the first"),
            (0, "9999-12-31", "last", "30 days a year"),
            ("0001-01-01", 3, "first", "today at the earliest"),
            ("9999-12-31", "9999-12-31", "first", "within a year"),
            (11, 12, "first", "on those days already"),
        ],
    )
    def test_refuses(self, nani: User, first: int | str, last: int | str, field: str, why: str) -> None:
        go(nani, 10, 12)
        with pytest.raises(DaysUnfit, match=why) as caught:
            go(nani, first, last)
        assert caught.value.field == field
        assert Vacation.objects.count() == 1

    def test_nobody_comes_and_goes_all_day(self, nani: User) -> None:
        for number in range(20):
            back(nani, go(nani, 0, 1, NOW + number * dt.timedelta(minutes=2)), NOW + (2 * number + 1) * HOUR / 60)
        with pytest.raises(DaysUnfit, match="go on tomorrow"):
            go(nani, 0, 1, NOW + HOUR)
        assert self.left(nani) == [29, 30]

    def test_only_ones_own_are_ended(self, nani: User) -> None:
        gone = go(nani, 0, 1)
        for pk in (gone.pk, 0, 2**70):
            with pytest.raises(VacationGone):
                vacation_ended(user=person("Roza"), vacation_id=pk, now=NOW)
        assert Vacation.objects.get().ended is None


def test_absences_without_a_gap_are_one() -> None:
    kolkata, london = ZoneInfo("Asia/Kolkata"), ZoneInfo("Europe/London")
    aways = [
        Away(day(first), day(last), zone, NOW - 9 * DAY) for first, last, zone in ((0, 2, kolkata), (3, 4, london))
    ]
    # In London the third day begins five and a half hours later than it does in Kolkata.
    assert away_until(aways, NOW) == aways[0]
    aways.append(Away(day(2), day(3), kolkata, NOW))
    assert away_until(aways, NOW) == aways[1]
    assert away_until(aways, NOW - 3 * DAY) is None
