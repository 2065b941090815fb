"""Time zones by name, as browsers give them."""

import zoneinfo
from functools import cache
from typing import Final

_PLACES: Final = (
    *("Africa/", "America/", "Antarctica/", "Arctic/", "Asia/"),
    *("Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/"),
)
# Not places: this computer's own, and files that lie among the others.
_NONE: Final = {"localtime", "Factory", "posixrules"}


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names that people choose from, in order: Asia/Kolkata and the like."""
    return ("UTC", *sorted(name for name in _all() if name.startswith(_PLACES)))


def zone_known(name: str) -> bool:
    """Tell whether there is a time zone of this name; browsers know more than people choose from."""
    return name in _all()


def zone_or_utc(name: str) -> zoneinfo.ZoneInfo:
    """Return the time zone of a name; UTC if it is empty or there is none."""
    return zoneinfo.ZoneInfo(name if zone_known(name) else "UTC")


@cache
def _all() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones() - _NONE)
