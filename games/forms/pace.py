"""What people may ask for of a table's pace: the time for a card, days of rest, missed turns, and the next deal."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django import forms

from accounts.fields import Choice, Choices
from games.clocks.pace import (
    LEAST_INCREMENT,
    MOST_KEPT,
    MOVE_LIMITS,
    NO_LIMIT,
    Kind,
    Pace,
    banked,
    each_card,
    live,
)
from games.clocks.spans import ZERO
from games.models import Table
from games.selectors.clocks import pace_of
from games.selectors.paces import MISSED_TWICE, MISSED_WORDS, NEXT_WORDS, WEEKDAYS, length_words
from games.services.pacing import Pacing

CARD_LIMITS: Final[Mapping[str, timedelta]] = {
    "12h": timedelta(hours=12),
    "24h": timedelta(hours=24),
    "48h": timedelta(hours=48),
    "3d": timedelta(days=3),
}
"""Limits for each card that are one tap away."""
PROPOSED: Final = "24h"
OTHER: Final = "other"
_LIVE: Final = (30, 45, 60, 90, 120)
"""The seconds for a card among which a live table chooses."""
_LIVE_PROPOSED: Final = 60
_UNITS: Final = {"minutes": timedelta(minutes=1), "hours": timedelta(hours=1), "days": timedelta(days=1)}
_DIGITS: Final = 6
_ANSWER: Final = "Choose one of these answers."
_PACES: Final = {
    "none": "No hurry",
    **{name: length_words(limit) for name, limit in CARD_LIMITS.items()},
    OTHER: "Another time",
    "bank": "A bank of time",
    "live": "Live",
}


@dataclass(frozen=True, slots=True)
class _Length:
    """A length of time that is asked for as a number and a unit, and what it may be."""

    name: str
    label: str
    number: int
    unit: str
    least: timedelta
    most: timedelta

    @property
    def fault(self) -> str:
        """What to do if it is anything else."""
        most = length_words(self.most)
        return f"Choose from {length_words(self.least)} to {most}." if self.least else f"Choose at most {most}, or 0."


_LENGTHS: Final = {
    each.name: each
    for each in (
        _Length("limit", "Time for each card", 8, "hours", *MOVE_LIMITS),
        _Length("bank_start", "In the bank when a deal begins", 2, "days", LEAST_INCREMENT, MOST_KEPT),
        _Length("bank_increment", "More after each card", 1, "hours", LEAST_INCREMENT, MOST_KEPT),
        _Length("bank_cap", "The bank holds at most", 3, "days", LEAST_INCREMENT, MOST_KEPT),
        _Length("bank_grace", "Free at the start of each turn", 10, "minutes", ZERO, MOVE_LIMITS[1]),
        _Length("rest_between", "Rest between two deals", 0, "hours", ZERO, MOST_KEPT),
    )
}


class PaceForm(forms.Form):
    """The part of a new table's form that asks for its pace. Lengths are looked at only where they count."""

    pace = Choice(
        label="How long may a card take?",
        choices=list(_PACES.items()),
        initial=PROPOSED,
        required=False,
        widget=forms.RadioSelect,
        fault="Choose one of these paces.",
    )
    live = Choice(
        label="Time for each card",
        choices=[(str(seconds), length_words(timedelta(seconds=seconds))) for seconds in _LIVE],
        initial=str(_LIVE_PROPOSED),
        required=False,
        fault=_ANSWER,
    )
    rest = Choices(
        label="Days on which the clock rests",
        choices=[(str(number), day) for number, day in enumerate(WEEKDAYS)],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        fault="Choose days of the week.",
    )
    missed = Choice(
        label="What if the time for a card passes?",
        help_text=MISSED_TWICE,
        choices=list(MISSED_WORDS.items()),
        initial=Table.Missed.BOT.value,
        required=False,
        widget=forms.RadioSelect,
        fault=_ANSWER,
    )
    vacations = forms.BooleanField(label="The clock of whoever is away stands still", required=False, initial=True)
    all_at_once = forms.BooleanField(
        label="In the first trick everybody plays at once, face down: one wait in the place of many", required=False
    )
    next = Choice(
        label="When does the next deal start?",
        choices=list(NEXT_WORDS.items()),
        initial=Table.Next.WAIT.value,
        required=False,
        widget=forms.RadioSelect,
        fault=_ANSWER,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in _LENGTHS.values():
            number = forms.TextInput(attrs={"inputmode": "numeric", "maxlength": _DIGITS})
            unit = forms.Select(choices=[(name, name) for name in _UNITS], attrs={"aria-label": f"{each.label}: unit"})
            for name, widget, initial in ((each.name, number, each.number), (f"{each.name}_unit", unit, each.unit)):
                field = forms.CharField(label=each.label, required=False, widget=widget, initial=initial)
                field.validators = []
                self.fields[name] = field

    def pacing_asked(self, data: Mapping[str, Any]) -> Pacing:
        """Return what the answers mean, the zone aside; what is at fault is marked, and means the usual."""
        pace = self._pace(data)
        slow = pace.slow
        rest = "".join(sorted(set(data.get("rest", ())))) if slow else ""
        if len(rest) == len(WEEKDAYS):
            self.add_error("rest", "Leave a day on which the clock runs.")
        usual = Pacing()
        return Pacing(
            pace=pace,
            rest=rest,
            missed=data.get("missed") or usual.missed,
            # At a live table whoever is away would keep the others sitting there.
            vacations=bool(data.get("vacations")) if slow else not pace.live,
            next=data.get("next") or usual.next,
            rest_between=self._length(data, "rest_between") or ZERO,
        )

    def _pace(self, data: Mapping[str, Any]) -> Pace:
        match data.get("pace"):
            case "other":
                limit = self._length(data, "limit")
            case "bank":
                return self._banked(data)
            case "live":
                return live(timedelta(seconds=int(data.get("live") or _LIVE_PROPOSED)))
            case name:
                limit = CARD_LIMITS.get(name or "")
        return each_card(limit) if limit else NO_LIMIT

    def _banked(self, data: Mapping[str, Any]) -> Pace:
        start, increment, cap = (self._length(data, f"bank_{name}") for name in ("start", "increment", "cap"))
        grace = self._length(data, "bank_grace")
        if start is None or increment is None or cap is None or grace is None:
            return NO_LIMIT
        if cap < max(start, increment):
            self.add_error("bank_cap", "Choose no less than what the bank begins with, and what a card brings.")
            return NO_LIMIT
        return banked(start, increment, cap, grace)

    def _length(self, data: Mapping[str, Any], name: str) -> timedelta | None:
        """Return a length that was asked for; None, and an error at its number, if it may not be that."""
        number, unit, asked = data[name].strip(), _UNITS.get(data[f"{name}_unit"]), _LENGTHS[name]
        if not (number or asked.least):
            return ZERO
        if unit is not None and number.isdecimal() and len(number) <= _DIGITS:
            length = unit * int(number)
            if asked.least <= length <= asked.most:
                return length
        self.add_error(name, asked.fault)
        return None

    @property
    def lengths(self) -> Mapping[str, tuple[forms.BoundField, forms.BoundField]]:
        """The numbers and the units of the lengths that are asked for, by their names."""
        return {name: (self[name], self[f"{name}_unit"]) for name in _LENGTHS}

    @property
    def clocks_open(self) -> bool:
        """Whether the lesser answers on clocks lie open: one of them is at fault."""
        return any(name in self.errors for name in ("rest", "missed", "next", "rest_between"))


def pace_like(table: Table) -> dict[str, Any]:
    """Return what a new form says at first of the pace of a table like another."""
    pace = pace_of(table)
    asked = {"rest": list(table.rest), "missed": table.missed, "vacations": table.vacations, "next": table.next}
    asked |= _said("rest_between", table.rest_between)
    match pace.kind:
        case Kind.NONE:
            return asked | {"pace": "none"}
        case Kind.LIVE:
            return asked | {"pace": "live", "live": str(pace.start // timedelta(seconds=1))}
        case Kind.MOVE:
            name = next((name for name, limit in CARD_LIMITS.items() if limit == pace.start), OTHER)
            return asked | {"pace": name} | _said("limit", pace.start)
        case Kind.BANK:
            lengths = _said("bank_start", pace.start) | _said("bank_increment", pace.increment)
            return asked | {"pace": "bank"} | lengths | _said("bank_cap", pace.cap) | _said("bank_grace", pace.grace)


def _said(name: str, length: timedelta) -> dict[str, Any]:
    """Return a length as its number and its unit, the longest that is exact."""
    unit, size = next((unit, size) for unit, size in reversed(_UNITS.items()) if not length % size)
    return {name: length // size, f"{name}_unit": unit}
