import datetime as dt
from dataclasses import replace
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks.days import Away, days_taken, digest_after, digest_day, local_moment, quiet_until
from tests.clocks.slow import CHANGES, DAY, HOUR, MINUTE, ZONES, moment

KOLKATA, TORONTO, LONDON = (ZoneInfo(name) for name in ("Asia/Kolkata", "America/Toronto", "Europe/London"))
SIX = dt.time(18)


def away(first: str, last: str, made: str = "2026-01-01 00:00", ended: str = "") -> Away:
    days = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    return Away(*days, TORONTO, moment(made), moment(ended) if ended else None)


def test_away_days_are_whole_days_of_the_zone() -> None:
    """The first Sunday of November has 25 hours in Toronto."""
    span = away("2026-10-31", "2026-11-01").span
    assert span.start == moment("2026-10-31 00:00", "America/Toronto")
    assert span.length == 49 * HOUR


def test_nothing_is_given_back_that_lay_before_it_was_said() -> None:
    said = away("2026-06-01", "2026-06-03", made="2026-06-02 16:00")
    assert said.span.start == moment("2026-06-02 16:00")
    assert said.dates == {dt.date(2026, 6, 2), dt.date(2026, 6, 3)}
    gone = away("2026-06-01", "2026-06-03", made="2026-06-09 12:00")
    assert not gone.span.length
    assert not gone.dates


def test_who_comes_back_early_keeps_the_days_not_begun() -> None:
    back = away("2026-06-01", "2026-06-10", ended="2026-06-03 16:00")
    assert back.span.end == moment("2026-06-03 16:00")
    assert len(back.dates) == 3
    before = away("2026-06-01", "2026-06-10", ended="2026-05-20 16:00")
    assert not before.span.length
    assert days_taken([before], 2026) == 0


def test_a_budget_counts_dates_of_a_calendar_year_once() -> None:
    turn = away("2026-12-30", "2027-01-02")
    assert days_taken([turn, away("2026-12-31", "2026-12-31")], 2026) == 2
    assert days_taken([turn], 2027) == 2


def test_whoever_moves_their_zone_to_and_fro_is_not_away_longer() -> None:
    """A date of the far west begins when that of the far east is over."""
    days = [dt.date(2026, 6, number) for number in (1, 5, 9)]
    east = [Away(day, day, ZoneInfo("Pacific/Kiritimati"), moment("2026-01-01 00:00")) for day in days]
    west = [replace(each, zone=ZoneInfo("Pacific/Pago_Pago")) for each in east]
    assert days_taken([*east, *west], 2026) == 6
    # Who travels has a date twice as well, most hours of it the same.
    there = away("2026-06-03", "2026-06-04")
    assert days_taken([there, replace(there, first=there.last, zone=LONDON)], 2026) == 2


@pytest.mark.parametrize(
    ("zone", "day", "hour", "hours"),
    [
        ("Europe/London", "2026-03-28", "18:00", 23),
        ("Europe/London", "2026-10-24", "18:00", 25),
        ("America/Toronto", "2026-03-07", "18:00", 23),
        ("Australia/Lord_Howe", "2026-04-04", "18:00", 24.5),
        ("Australia/Lord_Howe", "2026-10-03", "18:00", 23.5),
        ("Asia/Kolkata", "2026-03-28", "18:00", 24),
        # 01:30 is jumped over, and comes an hour later; then it comes twice, and counts once.
        ("Europe/London", "2026-03-28", "01:30", 24),
        ("Europe/London", "2026-10-24", "01:30", 24),
    ],
)
def test_digests_come_by_the_local_clock(zone: str, day: str, hour: str, hours: float) -> None:
    place, time = ZoneInfo(zone), dt.time.fromisoformat(hour)
    first = local_moment(dt.date.fromisoformat(day), time, place)
    assert digest_after(first, time, place) - first == dt.timedelta(hours=hours)
    assert digest_after(first - MINUTE, time, place) == first
    assert digest_day(first, time, place) == dt.date.fromisoformat(day)
    assert digest_day(first - MINUTE, time, place) == dt.date.fromisoformat(day) - DAY


@given(zone=st.sampled_from(ZONES), spring=st.booleans(), minutes=st.integers(0, 1439))
def test_looking_every_ten_minutes_finds_each_day_once_and_in_order(zone: str, spring: bool, minutes: int) -> None:
    place, hour = ZoneInfo(zone), dt.time(minutes // 60, minutes % 60)
    start = moment(CHANGES[zone][spring]) - 2 * DAY
    found = [digest_day(start + 10 * number * MINUTE, hour, place) for number in range(600)]
    steps = {after - before for before, after in pairwise(found)}
    # Samoa left out a Friday.
    assert steps == {dt.timedelta(0), DAY} or zone == "Pacific/Apia"
    assert found == sorted(found)


def test_who_flies_west_has_no_second_digest_for_the_same_day() -> None:
    now = moment("2026-06-05 18:00", "Asia/Kolkata")
    had = digest_day(now, SIX, KOLKATA)
    assert digest_day(now, SIX, TORONTO) == had - DAY
    assert digest_day(digest_after(now, SIX, TORONTO), SIX, TORONTO) == had


def test_hours_of_quiet_over_midnight_and_within_a_day() -> None:
    night, noon = (dt.time(22), dt.time(7)), (dt.time(12), dt.time(14))
    at = [
        moment(f"2026-06-05 {hour}", "Europe/London") for hour in ("21:59", "22:00", "23:30", "06:59", "07:00", "13:00")
    ]
    ends = [moment(text, "Europe/London") for text in ("2026-06-06 07:00", "2026-06-05 07:00", "2026-06-05 14:00")]
    assert [quiet_until(each, *night, LONDON) for each in at] == [at[0], ends[0], ends[0], ends[1], at[4], at[5]]
    assert [quiet_until(each, *noon, LONDON) for each in at[3:]] == [at[3], at[4], ends[2]]
    assert quiet_until(at[2], SIX, SIX, LONDON) == at[2]


def test_a_night_in_which_the_clocks_change() -> None:
    sunday = moment("2026-03-29 00:30", "Europe/London")
    assert quiet_until(sunday, dt.time(22), dt.time(7), LONDON) - sunday == dt.timedelta(hours=5, minutes=30)
