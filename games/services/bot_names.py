"""What bots are called."""

from collections.abc import Iterable

from accounts.names import looks, suggested
from games.rules.shuffle import Source, system_source

BOT_NAMES = (
    "Amrit", "Bilal", "Chandni", "Dilip", "Esha", "Farid", "Gurnam", "Hema", "Iqbal", "Jaya", "Kabir", "Lata",
    "Meera", "Naveed", "Omana", "Pinky", "Qasim", "Roza", "Salma", "Tariq", "Usha", "Vimal", "Yusuf", "Zoya",
)  # fmt: skip


def bot_name(taken: Iterable[str], source: Source = system_source) -> str:
    """Return a name for a bot at a table, which looks like none of those that are taken there."""
    names = list(taken)
    used = frozenset[str]().union(*map(looks, names))
    first = source(len(BOT_NAMES))
    ordered = (*BOT_NAMES[first:], *BOT_NAMES[:first])
    return next((each for each in ordered if not looks(each) & used), "") or suggested(ordered[0], names)
