"""What people may ask for: a new table, for bots or for people."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

from accounts.fields import Choice, PublicText, Whole
from accounts.models import User
from accounts.names import POINTS_A_SIGN, name_cleaned, name_problem
from accounts.zones import zone_or_utc
from games.forms.pace import PaceForm, pace_like
from games.models import Table
from games.models.table import MAX_DEALS, MAX_SEATS, NAME_LENGTH, TITLE_LENGTH
from games.rules.errors import RecordError
from games.rules.ruleset import PRESETS, Ruleset, ruleset_of
from games.selectors.options import (
    COMPANY_WORDS,
    JOINS_WORDS,
    LEVEL_WORDS,
    OPTION_WORDS,
    PRESET_WORDS,
    STARTS_WORDS,
    TIE_WORDS,
    TITLES,
    WATCH_WORDS,
    rules_in_words,
)
from games.services.pacing import Pacing
from games.services.tables import SeatPlan, TablePlan

BY_HAND: Final = "custom"
PEOPLE: Final = "people"
OWN_TITLE: Final = "own"
_SEATS: Final = range(3, MAX_SEATS + 1)
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


class NewTableForm(PaceForm):
    """A new table: for bots or for people, a preset or every option by hand, the seats, its pace and how it goes on."""

    company = _option_field("company", "Whom do you play with?", COMPANY_WORDS)
    joins = _option_field("joins", "Who may sit down?", JOINS_WORDS)
    starts = _option_field("starts", "When are the cards dealt?", STARTS_WORDS)
    watch = _option_field("watch", "Who may look on without a seat?", WATCH_WORDS)
    rated = forms.BooleanField(label="The deals count for the ratings of those who play them", required=False)
    name = PublicText(label="Name of the table", max_length=NAME_LENGTH, initial="Our table")
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
        label="Your own words",
        required=False,
        widget=forms.TextInput(attrs={"maxlength": TITLE_LENGTH * POINTS_A_SIGN}),
    )
    tie_break = _option_field("tie_break", "Equal losses in the end?", TIE_WORDS)
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
            self.fields[f"who_{seat}"] = Choice(
                label=f"Seat {seat} is for",
                choices=[("", "a person"), *levels],
                required=False,
                fault="Choose a person or one of the bots.",
            )
        for option in OPTION_WORDS:
            self.fields[option.name] = _option_field(*option)

    def clean(self) -> dict[str, Any]:
        """Put the answers together; a combination that the rules forbid is told in their sentence."""
        data = super().clean() or {}
        if data.get("title") == OWN_TITLE:
            data["own_title"] = name_cleaned(data["own_title"])
            fault = name_problem(data["own_title"], most=TITLE_LENGTH)
            if fault:
                self.add_error("own_title", fault)
        if data.get("company") == PEOPLE:
            data["pacing"] = self.pacing_asked(data)
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
            if data["all_at_once"] and data.get("company") == PEOPLE and data["pacing"].pace.slow:
                rules = replace(rules, opening="any_order")
        except RecordError as error:
            self.together = _TOGETHER.get(error.code, frozenset({"preset"}))
            raise ValidationError(str(error)) from error
        if seats not in rules.seats:
            self.together = frozenset({"seats", "packs" if by_hand else "preset"})
            packs, low, high = ("two packs", 5, 12) if rules.packs == 2 else ("one pack", 3, 8)
            raise ValidationError(f"With {packs} {low} to {high} seats may play, not {seats}.")
        return rules

    @property
    def for_people(self) -> bool:
        """Whether seats are to be free for people, as far as the form says now."""
        return bool(self["company"].value() == PEOPLE)

    @property
    def people_open(self) -> bool:
        """Whether the answers on people lie open: one of them is at fault."""
        return any(name in self.errors for name in ("joins", "starts", "watch"))

    @property
    def by_hand_open(self) -> bool:
        """Whether the rules by hand lie open: they count, or one of them is at fault."""
        return self["preset"].value() == BY_HAND or any(each.name in self.errors for each in OPTION_WORDS)

    @property
    def more_open(self) -> bool:
        """Whether the rest of the table's answers lie open: one of them is at fault."""
        return any(name in self.errors for name in ("name", "deals", "tie_break", "title", "own_title"))

    def plan(self, host: User) -> TablePlan:
        """Return the table that a valid form asks for."""
        data = self.cleaned_data
        plan = TablePlan(
            host=host,
            name=data["name"],
            rules=data["rules"],
            deals=data["deals"],
            title=data["own_title"] if data["title"] == OWN_TITLE else data["title"],
            tie_break=data["tie_break"],
            show_voids=data["show_voids"],
            # Whoever plays with bots alone says when they want the next deal.
            pacing=Pacing(next=Table.Next.ASK),
        )
        if data["company"] != PEOPLE:
            return plan
        asked = {name: data[name] for name in ("joins", "starts", "watch") if data[name]} | {"rated": data["rated"]}
        return replace(plan, pacing=replace(data["pacing"], zone=zone_or_utc(host.zone).key), **asked)

    def seating(self, host: User) -> list[SeatPlan]:
        """Return who shall sit at it: the host first, then bots, and nobody yet where a person shall."""
        data = self.cleaned_data
        kind, default = ("who", "") if data["company"] == PEOPLE else ("bot", "easy")
        levels = (data[f"{kind}_{seat}"] or default for seat in range(2, data["seats"] + 1))
        return [SeatPlan(user=host), *(SeatPlan(bot=level) for level in levels)]


def asked_like(table: Table) -> dict[str, Any]:
    """Return what a new form says at first that asks for a table like another, for people."""
    rules = ruleset_of(table.rules)
    name = rules_in_words(rules).name
    preset = name if name in PRESETS else BY_HAND
    title = table.title if table.title in TITLES else OWN_TITLE
    asked = {"company": PEOPLE, "preset": preset, "seats": str(table.seats), "deals": table.deals, "name": table.name}
    voids = {"title": title, "own_title": "" if title in TITLES else table.title, "show_voids": table.show_voids}
    voids |= {"tie_break": table.tie_break, "rated": table.rated}
    return asked | voids | pace_like(table) | {name: str(value) for name, value in rules.as_dict().items()}


def _by_hand(data: Mapping[str, Any]) -> Ruleset:
    asked: dict[str, Any] = {each.name: data[each.name] for each in OPTION_WORDS if data[each.name]}
    if "packs" in asked:
        asked["packs"] = int(asked["packs"])
    return Ruleset(**asked)


def _preset(name: str, seats: int) -> Ruleset:
    """Return a preset, with the second pack that more than eight seats need."""
    rules = PRESETS[name]
    return replace(rules, packs=2) if seats > 8 else rules
