"""Moments in words: by the reader's own clock, and how far off they are."""

import datetime as dt

import pytest
from django.utils import timezone

from games.selectors.times import clock_words, how_far, how_far_short, time_tag

NOW = dt.datetime(2026, 10, 24, 20, 30, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("zone", "ahead", "words"),
    [
        ("Asia/Karachi", dt.timedelta(minutes=-30), "Sun 01:00"),
        ("America/Toronto", dt.timedelta(hours=1), "17:30"),
        ("America/Toronto", dt.timedelta(hours=8), "Sun 00:30"),
        ("Asia/Kolkata", dt.timedelta(days=2), "Tue 02:00"),
        ("Asia/Dhaka", dt.timedelta(days=6), "Sat 02:30"),
        ("Asia/Dhaka", dt.timedelta(days=7), "1 November, 02:30"),
        ("Europe/London", dt.timedelta(hours=4), "Sun 01:30"),
        ("Europe/London", dt.timedelta(hours=5), "Sun 01:30"),
        ("Europe/London", dt.timedelta(days=70), "2 January, 20:30"),
        ("Europe/London", dt.timedelta(days=200), "12 May 2027, 21:30"),
        ("UTC", dt.timedelta(hours=1), "21:30 UTC"),
    ],
)
def test_a_moment_is_told_by_the_readers_clock(zone: str, ahead: dt.timedelta, words: str) -> None:
    """R15: in London clocks go back in that night, so that four and five hours on it is half past one, twice."""
    now = NOW if ahead > dt.timedelta(0) else NOW - dt.timedelta(days=1)
    with timezone.override(zone):
        assert clock_words(NOW + ahead, now) == words


@pytest.mark.parametrize(
    ("left", "words", "short"),
    [
        (dt.timedelta(days=-1), "now", "now"),
        (dt.timedelta(0), "now", "now"),
        (dt.timedelta(milliseconds=1), "in 1 second", "1s"),
        (dt.timedelta(seconds=119, milliseconds=999), "in 119 seconds", "119s"),
        (dt.timedelta(minutes=2), "in 2 minutes", "2m"),
        (dt.timedelta(minutes=119), "in 119 minutes", "119m"),
        (dt.timedelta(hours=2), "in 2 hours", "2h"),
        (dt.timedelta(hours=47, minutes=59), "in 47 hours", "47h"),
        (dt.timedelta(days=2), "in 2 days", "2d"),
    ],
)
def test_how_far_off_a_moment_is(left: dt.timedelta, words: str, short: str) -> None:
    assert (how_far(NOW + left, NOW), how_far_short(NOW + left, NOW)) == (words, short)


def test_a_moment_on_a_page_says_both() -> None:
    with timezone.override("Asia/Karachi"):
        tag = time_tag(NOW + dt.timedelta(hours=5), NOW)
    told = '<time class="when" datetime="2026-10-25T01:30:00+00:00">06:30 <span class="far">(in 5 hours)</span></time>'
    assert tag == told
