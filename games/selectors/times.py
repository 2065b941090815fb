"""Moments in words: when they are by the reader's own clock, and how far off."""

from datetime import date, datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

_NOW: Final = "now"
_WEEK: Final = timedelta(days=6)
_YEAR: Final = timedelta(days=365)
_ZERO: Final = timedelta(0)
_UNITS: Final = (
    ("day", timedelta(days=1), timedelta(hours=48)),
    ("hour", timedelta(hours=1), timedelta(hours=2)),
    ("minute", timedelta(minutes=1), timedelta(minutes=2)),
)
"""Units of time, and from what length on each is used: "in 100 minutes" is nearer than "in 1 hour"."""


def clock_words(moment: datetime, now: datetime) -> str:
    """Return a moment by the reader's clock: "21:30" today, "Tue 21:30" within a week, else "12 June, 21:30".

    Where the reader's zone is not known it is UTC, and named.
    """
    local, today = timezone.localtime(moment), timezone.localtime(now).date()
    if local.date() == today:
        words = date_format(local, "H:i")
    elif abs(local.date() - today) <= _WEEK:
        words = date_format(local, "D H:i")
    else:
        words = f"{day_words(local.date(), today)}, {date_format(local, 'H:i')}"
    return f"{words} UTC" if timezone.get_current_timezone_name() == "UTC" else words


def day_words(day: date, today: date) -> str:
    """Return a day: "12 June", with the year if that is far off."""
    return date_format(day, "j F" if abs(day - today) < _YEAR / 2 else "j F Y")


def day_short(day: date) -> str:
    """Return a day in a few signs: "12 Jun"."""
    return date_format(day, "j M")


def how_far(moment: datetime, now: datetime) -> str:
    """Return how far off a moment is, in one unit, rounded down: "in 5 hours"; "now" if it has come.

    The script goes on counting in the same words (clock.js).
    """
    left = moment - now
    if left <= _ZERO:
        return _NOW
    count, unit = _in_one_unit(left)
    return f"in {count} {unit}" if count == 1 else f"in {count} {unit}s"


def how_far_short(moment: datetime, now: datetime) -> str:
    """Return how far off a moment is, for where there is room for a few signs only: "5h"; "now" if it has come."""
    left = moment - now
    if left <= _ZERO:
        return _NOW
    count, unit = _in_one_unit(left)
    return f"{count}{unit[0]}"


def _in_one_unit(left: timedelta) -> tuple[int, str]:
    for unit, size, least in _UNITS:
        if left >= least:
            return left // size, unit
    return max(left // timedelta(seconds=1), 1), "second"


def time_tag(moment: datetime, now: datetime) -> SafeString:
    """Return a moment to come as an element: "Tue 21:30 (in 5 hours)", which the script keeps true."""
    return format_html(
        '<time class="when" datetime="{}">{} <span class="far">({})</span></time>',
        iso(moment),
        clock_words(moment, now),
        how_far(moment, now),
    )


def since_tag(moment: datetime, now: datetime) -> SafeString:
    """Return a moment that has passed as an element: "Tue 02:10"."""
    return format_html('<time datetime="{}">{}</time>', iso(moment), clock_words(moment, now))


def iso(moment: datetime) -> str:
    """Return a moment as scripts read it, whole seconds."""
    return moment.isoformat(timespec="seconds")
