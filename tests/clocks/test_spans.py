import datetime as dt
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clocks.spans import FOREVER, Rest, Span, Stops, day_span, in_utc, midnight, ran, reached
from tests.clocks.slow import CHANGES, DAY, HOUR, MINUTE, ZONES, moment, slow_ran, slow_reached

WEEKEND = frozenset({5, 6})
FRIDAY_SATURDAY = frozenset({4, 5})
ZERO = dt.timedelta(0)


def rest(zone: str, days: frozenset[int] = WEEKEND) -> Rest:
    return Rest(days, ZoneInfo(zone))


@st.composite
def moments(draw: st.DrawFn, zone: str) -> dt.datetime:
    """A whole minute within days of a change of a zone's clocks."""
    day = draw(st.sampled_from(CHANGES[zone]))
    return moment(day) + draw(st.integers(-3 * 1440, 3 * 1440)) * MINUTE


@st.composite
def stopping(draw: st.DrawFn, zone: str) -> Stops:
    """Stops of all kinds about such a change, that overlap, touch and are empty as it comes."""
    starts = draw(st.lists(moments(zone), max_size=4))
    spans = (Span(start, start + draw(st.integers(0, 1500)) * MINUTE) for start in starts)
    days = draw(st.frozensets(st.integers(0, 6), max_size=3))
    return Stops(tuple(spans), draw(st.sampled_from([None, rest(zone, days)])))


@settings(max_examples=120, deadline=None)
@given(data=st.data(), zone=st.sampled_from(ZONES))
def test_time_runs_as_if_counted_by_the_minute(data: st.DataObject, zone: str) -> None:
    stops, start = data.draw(stopping(zone)), data.draw(moments(zone))
    length = data.draw(st.integers(0, 2000)) * MINUTE
    end = reached(start, length, stops)
    assert end == slow_reached(start, length, stops)
    assert ran(start, end, stops) == slow_ran(start, end, stops) == length
    other = data.draw(moments(zone))
    assert ran(start, other, stops) == slow_ran(start, other, stops)


MICROSECONDS = st.integers(0, 10**12).map(lambda number: dt.timedelta(microseconds=number))


@given(data=st.data(), zone=st.sampled_from(ZONES), length=MICROSECONDS)
def test_not_a_microsecond_is_lost(data: st.DataObject, zone: str, length: dt.timedelta) -> None:
    stops, start = data.draw(stopping(zone)), data.draw(moments(zone)) + data.draw(MICROSECONDS)
    end = reached(start, length, stops)
    assert end is not None
    assert ran(start, end, stops) == length
    middle = start + (end - start) // 3
    assert ran(start, middle, stops) + ran(middle, end, stops) == length
    assert reached(middle, ran(middle, end, stops), stops) == end or length == ZERO


@given(data=st.data(), zone=st.sampled_from(ZONES))
def test_the_order_of_stops_and_naming_one_twice_mean_nothing(data: st.DataObject, zone: str) -> None:
    stops, start, end = data.draw(stopping(zone)), data.draw(moments(zone)), data.draw(moments(zone))
    again = Stops((*reversed(stops.spans), *stops.spans), stops.rest)
    assert ran(start, end, again) == ran(start, end, stops)
    assert list(islice(again.after(start), 9)) == list(islice(stops.after(start), 9))


def test_friday_and_saturday_are_left_out() -> None:
    """In Lahore the two days of rest are 48 hours from the local midnight, which is 19:00 of the day before in UTC."""
    stops = Stops(rest=rest("Asia/Karachi", FRIDAY_SATURDAY))
    thursday = moment("2026-06-04 22:00", "Asia/Karachi")
    assert reached(thursday, 3 * HOUR, stops) == moment("2026-06-07 01:00", "Asia/Karachi")
    assert reached(thursday, 2 * HOUR, stops) == moment("2026-06-05 00:00", "Asia/Karachi")
    assert next(stops.after(thursday)) == Span(moment("2026-06-04 19:00"), moment("2026-06-06 19:00"))


def test_a_day_of_rest_that_is_over_in_utc_goes_on_in_the_west() -> None:
    late = moment("2026-06-06 23:00", "America/Toronto")
    stops = Stops(rest=rest("America/Toronto", frozenset({5})))
    assert reached(late, HOUR, stops) == moment("2026-06-07 01:00", "America/Toronto")


@pytest.mark.parametrize(
    ("zone", "sunday", "hours"),
    [
        ("Europe/London", "2026-03-29", 23),
        ("Europe/London", "2026-10-25", 25),
        ("America/Toronto", "2026-03-08", 23),
        ("America/Toronto", "2026-11-01", 25),
        ("Australia/Lord_Howe", "2026-10-04", 23.5),
        ("Australia/Lord_Howe", "2026-04-05", 24.5),
        ("Asia/Kolkata", "2026-03-29", 24),
        ("America/Havana", "2026-03-08", 23),
        ("America/Havana", "2026-11-01", 25),
        ("America/Sao_Paulo", "2018-11-04", 23),
        ("Asia/Beirut", "2026-03-29", 23),
    ],
)
def test_a_day_of_rest_is_as_long_as_its_zone_has_it(zone: str, sunday: str, hours: float) -> None:
    day = dt.date.fromisoformat(sunday)
    assert day_span(day, day, ZoneInfo(zone)).length == dt.timedelta(hours=hours)
    stops = Stops(rest=rest(zone, frozenset({6})))
    before = midnight(day, ZoneInfo(zone)) - HOUR
    assert reached(before, 2 * HOUR, stops) == before + dt.timedelta(hours=hours + 2)


def test_a_day_that_never_was_is_empty() -> None:
    """Samoa went from Thursday 29 December 2011 to Saturday 31 December."""
    friday = dt.date(2011, 12, 30)
    assert not day_span(friday, friday, ZoneInfo("Pacific/Apia")).length
    thursday = moment("2011-12-29 12:00", "Pacific/Apia")
    assert ran(thursday, thursday + DAY, Stops(rest=rest("Pacific/Apia", frozenset({4})))) == DAY


def test_an_end_that_nobody_knows() -> None:
    start = moment("2026-06-01 12:00")
    stops = Stops((Span(start + HOUR),), rest("Asia/Kolkata"))
    assert reached(start, HOUR, stops) == start + HOUR
    assert reached(start, HOUR + dt.timedelta(microseconds=1), stops) is None
    assert ran(start, start + 100 * DAY, stops) == HOUR
    assert list(stops.after(start)) == [Span(start + HOUR, FOREVER)]


def test_moments_the_wrong_way_round_are_no_time() -> None:
    start = moment("2026-06-01 12:00")
    assert ran(start, start - 5 * MINUTE, Stops()) == ZERO


def test_moments_of_one_zone_are_not_subtracted_by_the_wall_clock() -> None:
    zone = ZoneInfo("Europe/London")
    start = dt.datetime(2026, 3, 29, 0, 0, tzinfo=zone)
    end = dt.datetime(2026, 3, 29, 3, 0, tzinfo=zone)
    assert ran(start, end, Stops()) == 2 * HOUR
    assert reached(start, 2 * HOUR, Stops()) == end
    assert Span(start, end).length == 2 * HOUR


def test_what_cannot_be_is_refused() -> None:
    start = moment("2026-06-01 12:00")
    with pytest.raises(ValueError, match="cannot end before"):
        Span(start, start - MINUTE)
    with pytest.raises(ValueError, match="needs a zone"):
        in_utc(start.replace(tzinfo=None))
    with pytest.raises(ValueError, match="all week"):
        rest("UTC", frozenset(range(7)))
    with pytest.raises(ValueError, match="0 to 6"):
        rest("UTC", frozenset({7}))


def test_six_days_of_rest_leave_one() -> None:
    stops = Stops(rest=rest("UTC", frozenset(range(6))))
    assert reached(moment("2026-06-01 12:00"), 25 * HOUR, stops) == moment("2026-06-14 01:00")
