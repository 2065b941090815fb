import datetime as dt
import secrets
from collections import Counter

from games.clocks.delays import forced_delay

SECOND = dt.timedelta(seconds=1)


def test_the_ends_of_both_ranges() -> None:
    assert forced_delay(lambda _: 0, live=False) == 5 * SECOND
    assert forced_delay(lambda n: n - 1, live=False) == 60 * SECOND
    assert forced_delay(lambda _: 0, live=True) == 1 * SECOND
    assert forced_delay(lambda n: n - 1, live=True) == 4 * SECOND


def test_every_delay_is_as_likely() -> None:
    """11 groups of five seconds, 500 each; chi squared of ten degrees is over 45 once in 500,000 runs."""
    found = [forced_delay(secrets.randbelow, live=False) for _ in range(5500)]
    groups = Counter(min((each - 5 * SECOND) // (5 * SECOND), 10) for each in found)
    assert sum((groups[each] - 500) ** 2 / 500 for each in range(11)) < 45
