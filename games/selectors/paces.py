"""The pace of a table in plain words, and lengths of time as everybody says them here."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from games.clocks.pace import Kind, Pace
from games.clocks.spans import ZERO
from games.models import Table
from games.selectors.clocks import pace_of

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""The days of the week as `Table.rest` counts them, from 0."""

NO_HURRY: Final = "No hurry: everybody takes the time they need."

MISSED_WORDS: Final[Mapping[str, str]] = {
    "bot": "A bot plays that turn.",
    "nudge": "The person is asked again, and the time starts anew.",
    "keep": "A bot plays on until the person is back.",
}
"""What becomes of a turn whose time is up, as the answer to a question; the default first."""

_IF_MISSED: Final = {
    "bot": "If the time passes, a bot plays that turn.",
    "nudge": "If the time passes, the person is asked again and the time starts anew.",
    "keep": "If the time passes, a bot plays on until the person is back.",
}

_IF_I_MISS: Final = {
    "bot": _IF_MISSED["bot"],
    "nudge": "If the time passes, you are asked again and the time starts anew.",
    "keep": "If the time passes, a bot plays on until you are back.",
}

MISSED_TWICE: Final = "After two turns missed in a row a bot plays on until the person is back."

AWAY_WORDS: Final = {
    True: "The clock of whoever is away stands still.",
    False: "The clock runs on for whoever is away.",
}
"""Whether the days away of its people count at a table."""

NEXT_WORDS: Final[Mapping[str, str]] = {
    "wait10": "10 minutes after the last, unless somebody objects.",
    "once": "At once.",
    "ask": "When somebody asks for it.",
}
"""How the next deal of a series begins, as the answer to a question; the default first."""

_OBJECTING: Final = timedelta(minutes=10)
_UNITS: Final = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1)))
_SECOND: Final = ("second", timedelta(seconds=1))


def length_words(span: timedelta, parts: int = 2) -> str:
    """Return a length of time in words, like "2 days 3 hours", in at most so many parts; what is less is left out.

    Up to 48 hours are said in hours, and less than two minutes in seconds.
    """
    left, said = max(span, ZERO), list[tuple[int, str]]()
    for unit, size in _units(left):
        count, left = divmod(left, size)
        if count or said:
            said.append((count, unit))
    words = [_counted(count, unit) for count, unit in said[:parts] if count]
    return " ".join(words) or _counted(0, "second")


def _units(span: timedelta) -> Sequence[tuple[str, timedelta]]:
    """Return the units in which a length is said, the longest first."""
    if span < timedelta(minutes=2):
        return (_SECOND,)
    return (*(_UNITS if span > timedelta(hours=48) else _UNITS[1:]), _SECOND)


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def listed(words: Sequence[str]) -> str:
    """Return words as a list is read out: "Friday and Saturday"."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def pace_words(table: Table) -> str:
    """Say in one sentence how much time there is for a card at a table, and on which days its clocks rest."""
    pace = pace_of(table)
    if not pace.timed:
        return NO_HURRY
    days = listed([WEEKDAYS[int(day)] for day in sorted(table.rest)])
    rest = f"; the clock rests on {days} ({table.zone})" if days else ""
    return f"{_time_for_a_card(pace)}{rest}."


def _time_for_a_card(pace: Pace) -> str:
    each = _exact(pace.increment)
    if pace.live:
        return f"Live, {each} for each card"
    if pace.kind is Kind.MOVE:
        return f"{each} for each card"
    bank = f"A bank of {_exact(pace.start)} for each deal, {each} more after each card, up to {_exact(pace.cap)}"
    return f"{bank}; the first {_exact(pace.grace)} of each turn are free" if pace.grace else bank


def _exact(span: timedelta) -> str:
    return length_words(span, parts=4)


def pace_short(table: Table) -> str:
    """Say in a few words how fast a table plays, for lists: "24 hours a card"."""
    pace = pace_of(table)
    match pace.kind:
        case Kind.NONE:
            return "no hurry"
        case Kind.MOVE:
            return f"{_exact(pace.start)} a card"
        case Kind.LIVE:
            return f"live, {_exact(pace.start)} a card"
        case Kind.BANK:
            return f"{_exact(pace.start)} a deal and {_exact(pace.increment)} a card"


def missed_words(table: Table) -> str:
    """Say in one sentence what becomes of a turn whose time is up; "" where no time runs."""
    return _IF_MISSED[table.missed] if pace_of(table).timed else ""


def missed_mine(table: Table, *, again: bool) -> str:
    """Say in one sentence what becomes of the reader's own turn if its time passes; `again`: they missed the last."""
    if not pace_of(table).timed:
        return ""
    return _IF_I_MISS[Table.Missed.KEEP.value if again else table.missed]


def next_words(table: Table) -> str:
    """Say in one sentence how the next deal of a table begins; "" where there is one deal only."""
    if table.deals == 1:
        return ""
    if table.next == Table.Next.ASK:
        return "The next deal starts when somebody asks for it."
    objecting = table.next == Table.Next.WAIT
    wait = max(table.rest_between, _OBJECTING if objecting else ZERO)
    if not wait:
        return "The next deal starts at once."
    unless = ", unless somebody objects" if objecting else ""
    return f"The next deal starts {_exact(wait)} after the last{unless}."


def clock_facts(table: Table) -> tuple[tuple[str, str], ...]:
    """Return what there is to know of a table's clocks before one sits down: what it is about, and a sentence."""
    pace = pace_of(table)
    away = AWAY_WORDS[table.vacations] if pace.timed and not pace.live else ""
    facts = {"Pace": pace_words(table), "A missed turn": _missed_whole(table), "Days away": away}
    facts["Next deal"] = next_words(table)
    return tuple((name, words) for name, words in facts.items() if words)


def _missed_whole(table: Table) -> str:
    missed = missed_words(table)
    return f"{missed} {MISSED_TWICE}" if missed and table.missed != Table.Missed.KEEP else missed
