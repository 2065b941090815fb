"""Whether the site's clocks stand still now, or did until a moment ago."""

from datetime import datetime, timedelta
from typing import Final

from games.models import Halt

HOLD: Final = timedelta(minutes=5)
"""How long nobody is timed out once clocks run again: whoever comes back needs a moment (S18); deadlines stay exact."""


def clocks_halted(now: datetime, hold: timedelta = timedelta(0)) -> bool:
    """Tell whether an outage or a freeze is on at a moment, or ended less than *hold* before it."""
    return Halt.objects.exclude(until__lte=now - hold).exists()
