"""What people may look for in the lobby."""

from django import forms

from accounts.fields import Choice
from games.models.table import MAX_SEATS
from games.selectors.lobby import Wanted

_ANY = ("", "Any")
_FAULT = "Choose one of these answers."
_PACES = {"none": "No hurry", "live": "Live", "hours": "Hours a card", "days": "Days a card"}


class LobbyForm(forms.Form):
    """The kind of table that somebody looks for; what makes no sense is passed over."""

    game = Choice(
        label="Game", choices=[_ANY, ("getaway", "Getaway"), ("donkey", "Donkey")], required=False, fault=_FAULT
    )
    seats = Choice(
        label="Seats",
        choices=[_ANY, *((str(n), f"{n} seats") for n in range(3, MAX_SEATS + 1))],
        required=False,
        fault=_FAULT,
    )
    pace = Choice(label="Pace", choices=[_ANY, *_PACES.items()], required=False, fault=_FAULT)

    def wanted(self) -> Wanted:
        """Return what is looked for, as far as it makes sense."""
        self.full_clean()
        data = self.cleaned_data
        seats = data.get("seats") or None
        return Wanted(data.get("game") or None, int(seats) if seats else None, data.get("pace") or None)

    @property
    def narrowed(self) -> bool:
        """Whether not every kind of table is looked for."""
        return self.wanted() != Wanted()
