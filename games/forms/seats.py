"""What people may ask for at a table that waits for people."""

from typing import Any

from django import forms

from accounts.fields import Choice, PublicText, Whole
from games.models.table import MAX_SEATS, NAME_LENGTH
from games.selectors.options import LEVEL_WORDS
from games.services.hosting import SHORT


def _seat(fault: str, *, required: bool = True) -> Whole:
    return Whole(label="Seat", min_value=0, max_value=MAX_SEATS - 1, required=required, fault=fault)


class JoinForm(forms.Form):
    """A seat ("": the first free one), and what one is called there ("": as always)."""

    seat = _seat("Choose one of the free seats.", required=False)
    # What is wrong with it is said by the service, which knows who sits there.
    name = forms.CharField(label="Your name at this table", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].validators = []


class SeatForm(forms.Form):
    """A seat of which the host asks something."""

    seat = _seat("Choose one of the seats.")


class RenameForm(forms.Form):
    """Another name for the table."""

    name = PublicText(label="Name of the table", max_length=NAME_LENGTH)


class StartForm(forms.Form):
    """What becomes of free seats at the start."""

    short = Choice(choices=[(each, each) for each in SHORT], required=False, fault="Choose what becomes of free seats.")
    level = Choice(choices=list(LEVEL_WORDS.items()), required=False, fault="Choose one of the bots.")
