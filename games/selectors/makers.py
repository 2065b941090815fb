"""How an entry of the log was made, as far as its reader may know (R29).

While the deal runs nobody but its owner can tell an order from a hand: an order goes by itself because its card was the
only one, which tells of the cards that were not there.
"""

from collections.abc import Mapping
from typing import Final

HAND: Final = "hand"
ORDER: Final = "order"
TIMEOUT: Final = "timeout"
BOT: Final = "bot"
STAND_IN: Final = "stand-in"
ADMIN: Final = "admin"

BY_WORDS: Final[Mapping[str, str]] = {
    HAND: "by hand",
    ORDER: "by itself",
    TIMEOUT: "by a bot: the time was up",
    BOT: "by a bot",
    STAND_IN: "by a bot, standing in",
    ADMIN: "by the site",
}
"""How an entry was made, in words (R29)."""

BY_SHORT: Final[Mapping[str, str]] = {
    ORDER: "by itself",
    TIMEOUT: "time-out",
    BOT: "bot",
    STAND_IN: "stand-in",
    ADMIN: "site",
}
"""The same for a list, in which what has no mark was played by hand."""
