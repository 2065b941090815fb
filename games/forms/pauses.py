"""What the people of a table may ask each other, answer, and give: pauses, votes, more time."""

from typing import Any, Final

from django import forms

from accounts.fields import Choice, Whole
from games.models import Vote
from games.models.table import MAX_SEATS
from games.selectors.pauses import MOST_DAYS
from games.services.votes import Question

YES: Final = "yes"
NO: Final = "no"
_MOST: Final = 2**63 - 1
_OLD: Final = "The form does not say which table it was made for: load the page again."
_DAYS: Final = f"Choose 1 to {MOST_DAYS} days."
_WITH_DAYS: Final = (Vote.Kind.PAUSE, Vote.Kind.EXTEND)


class AskForm(forms.Form):
    """A question to the table: its kind, and the days or the seat that it is about."""

    kind = Choice(choices=Vote.Kind.choices, fault="Choose what to ask the table.")
    days = Whole(min_value=1, max_value=MOST_DAYS, required=False, fault=_DAYS)
    seat = Whole(min_value=0, max_value=MAX_SEATS - 1, required=False, fault="Choose one of the seats.")

    def clean(self) -> dict[str, Any]:
        """Check that a pause says for how long."""
        if self.cleaned_data.get("kind") in _WITH_DAYS and not self.errors and self.cleaned_data["days"] is None:
            self.add_error("days", _DAYS)
        return self.cleaned_data

    def question(self) -> Question:
        """Return what is asked; the form is valid."""
        kind = Vote.Kind(self.cleaned_data["kind"])
        days = self.cleaned_data["days"] if kind in _WITH_DAYS else 0
        return Question(kind, days, self.cleaned_data["seat"] if kind == Vote.Kind.BOT else None)


class AnswerForm(forms.Form):
    """An answer to a vote."""

    vote = Whole(min_value=1, max_value=_MOST, fault="The form does not say which vote it is for: load the page again.")
    answer = Choice(choices=[(YES, YES), (NO, NO)], fault="Say yes or no.")


class ExtendForm(forms.Form):
    """How often time had been given on the page where more is given."""

    given = Whole(min_value=0, max_value=_MOST, fault=_OLD)
