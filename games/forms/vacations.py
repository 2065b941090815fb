"""Days on which somebody is away, as they ask for them."""

from typing import Final

from django import forms

from accounts.fields import OneSentence

_DAY: Final = "Write a day like 2026-06-12."


class Day(OneSentence, forms.DateField):
    """A date, as browsers send it."""

    def __init__(self, label: str) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "autocomplete": "off"})
        super().__init__(label=label, widget=widget, input_formats=["%Y-%m-%d"], fault=_DAY)


class AwayForm(forms.Form):
    """The first and the last day away; whether they can be is said by the service."""

    first = Day("First day away")
    last = Day("Last day away")
