"""What people may ask for: a new table, and a move."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from accounts.fields import Choice, PublicText, Whole
from accounts.models import User
from accounts.names import name_cleaned, name_problem
from games.models.table import MAX_DEALS, MAX_SEATS, TITLE_LENGTH
from games.rules.cards import card
from games.rules.errors import RecordError
from games.rules.moves import Move, Play, Take
from games.rules.ruleset import PRESETS, Ruleset
from games.selectors.options import LEVEL_WORDS, OPTION_WORDS, PRESET_WORDS, TITLES
from games.services.tables import SeatPlan, TablePlan

BY_HAND: Final = "custom"
OWN_TITLE: Final = "own"
_SEATS: Final = range(3, MAX_SEATS + 1)
_WHOLE = re.compile(r"[0-9]{1,9}")
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
_ANSWER: Final = "Choose one of these answers."
_TOGETHER: Final = {
    "any_order_counts": frozenset({"opening", "opening_tochoo"}),
    "donkey_counts": frozenset({"game", "opening_tochoo"}),
    "donkey_any_order": frozenset({"game", "opening"}),
}
"""For each combination that the rules forbid, the fields that make it."""


def _option_field(name: str, question: str, values: Mapping[str, str]) -> Choice:
    default, choices = next(iter(values)), list(values.items())
    return Choice(
        label=question, choices=choices, initial=default, required=False, widget=forms.RadioSelect, fault=_ANSWER
    )


class NewTableForm(forms.Form):
    """A new table: a preset or every option by hand, the seats, and how long it goes on."""

    name = PublicText(label="Name of the table", max_length=60, initial="Our table")
    preset = Choice(
        label="Which rules?",
        choices=[*PRESET_WORDS.items(), (BY_HAND, "")],
        initial=next(iter(PRESETS)),
        fault="Choose one of these ways to play.",
    )
    seats = Choice(
        label="How many seats?",
        choices=[(str(n), f"{n} seats" + (", two packs" if n > 8 else "")) for n in _SEATS],
        initial="4",
        fault=f"Choose {_SEATS[0]} to {_SEATS[-1]} seats.",
    )
    deals = Whole(
        label="How many deals?",
        min_value=1,
        max_value=MAX_DEALS,
        initial=1,
        help_text=f"1 to {MAX_DEALS}; whoever loses fewest is first.",
        fault=f"Choose a number from 1 to {MAX_DEALS}.",
    )
    title = Choice(
        label="What is the loser called?",
        choices=[*((each, each) for each in TITLES), (OWN_TITLE, "In your own words")],
        initial=TITLES[0],
        widget=forms.RadioSelect,
        fault=_ANSWER,
    )
    # Looked at only where it counts, in clean().
    own_title = forms.CharField(
        label="Your own words", required=False, widget=forms.TextInput(attrs={"maxlength": TITLE_LENGTH})
    )
    # Sent twice, by two clicks or a lost answer, the form makes one table.
    key = forms.CharField(required=False, widget=forms.HiddenInput, initial=partial(secrets.token_urlsafe, 12))
    show_voids = forms.BooleanField(label="Show which suits a seat is known not to hold", required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.together: frozenset[str] = frozenset()
        self.fields["own_title"].validators = []
        levels = list(LEVEL_WORDS.items())
        for seat in range(2, MAX_SEATS + 1):
            self.fields[f"bot_{seat}"] = Choice(
                label=f"Seat {seat}", choices=levels, initial="easy", required=False, fault="Choose one of the bots."
            )
        for option in OPTION_WORDS:
            self.fields[option.name] = _option_field(*option)

    def clean(self) -> dict[str, Any]:
        """Put the answers together; a combination that the rules forbid is told in their sentence."""
        data = super().clean() or {}
        if data.get("title") == OWN_TITLE:
            data["own_title"] = name_cleaned(data["own_title"])
            fault = name_problem(data["own_title"], most=TITLE_LENGTH, stored=TITLE_LENGTH)
            if fault:
                self.add_error("own_title", fault)
        if not self.errors:
            data["seats"] = int(data["seats"])
            data["rules"] = self._rules(data)
        return data

    def _rules(self, data: Mapping[str, Any]) -> Ruleset:
        """Return the rules asked for.

        Raises:
            ValidationError: if they forbid something, or do not fit the number of seats; `together` then names the
                fields of which one must change.
        """
        seats: int = data["seats"]
        by_hand = data["preset"] == BY_HAND
        try:
            rules = _by_hand(data) if by_hand else _preset(data["preset"], seats)
        except RecordError as error:
            self.together = _TOGETHER.get(error.code, frozenset({"preset"}))
            raise ValidationError(str(error)) from error
        if seats not in rules.seats:
            self.together = frozenset({"seats", "packs" if by_hand else "preset"})
            packs, low, high = ("two packs", 5, 12) if rules.packs == 2 else ("one pack", 3, 8)
            raise ValidationError(f"With {packs} {low} to {high} seats may play, not {seats}.")
        return rules

    @property
    def by_hand_open(self) -> bool:
        """Whether the rules by hand lie open: they count, or one of them is at fault."""
        return self["preset"].value() == BY_HAND or any(each.name in self.errors for each in OPTION_WORDS)

    @property
    def more_open(self) -> bool:
        """Whether the rest of the table's answers lie open: one of them is at fault."""
        return any(name in self.errors for name in ("name", "deals", "title", "own_title"))

    def plan(self, host: User) -> TablePlan:
        """Return the table that a valid form asks for."""
        data = self.cleaned_data
        return TablePlan(
            host=host,
            name=data["name"],
            rules=data["rules"],
            deals=data["deals"],
            title=data["own_title"] if data["title"] == OWN_TITLE else data["title"],
            show_voids=data["show_voids"],
        )

    def seating(self, host: User) -> list[SeatPlan]:
        """Return who shall sit at it: the host first, then bots."""
        levels = (self.cleaned_data[f"bot_{seat}"] or "easy" for seat in range(2, self.cleaned_data["seats"] + 1))
        return [SeatPlan(user=host), *(SeatPlan(bot=level) for level in levels)]


def _by_hand(data: Mapping[str, Any]) -> Ruleset:
    asked: dict[str, Any] = {each.name: data[each.name] for each in OPTION_WORDS if data[each.name]}
    if "packs" in asked:
        asked["packs"] = int(asked["packs"])
    return Ruleset(**asked)


def _preset(name: str, seats: int) -> Ruleset:
    """Return a preset, with the second pack that more than eight seats need."""
    rules = PRESETS[name]
    return replace(rules, packs=2) if seats > 8 else rules


class BadForm(Exception):
    """A form that makes no sense; `str()` is a sentence for its sender."""


class Asked(NamedTuple):
    """A move as a form asks for it."""

    move: Move
    version: int
    key: str


def asked_of(form: QueryDict, seat: int) -> Asked:
    """Read a move of a seat from a form.

    Raises:
        BadForm: if it is not exactly one card or hand, with a version and a key.
    """
    version, key = _one(form, "version"), _one(form, "key")
    if not _WHOLE.fullmatch(version):
        raise BadForm("The form does not say which table it was made for: load the page again.")
    if not _KEY.fullmatch(key):
        raise BadForm("The form has no key of ours: load the page again.")
    return Asked(_move(form, seat), int(version), key)


def _one(form: QueryDict, name: str) -> str:
    """Return a field's one value, "" if there is none.

    Raises:
        BadForm: if there are several.
    """
    values = form.getlist(name)
    if len(values) > 1:
        raise BadForm("The form says the same thing twice: load the page again.")
    return values[0] if values else ""


def _move(form: QueryDict, seat: int) -> Move:
    code, victim = _one(form, "card"), _one(form, "take")
    if bool(code) == bool(victim):
        raise BadForm("Choose one card, or one hand to take.")
    if victim:
        if not _WHOLE.fullmatch(victim):
            raise BadForm("There is no such seat.")
        return Take(seat, int(victim))
    try:
        return Play(seat, card(code))
    except ValueError as error:
        raise BadForm(str(error)) from error
