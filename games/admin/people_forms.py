"""Forms about people at the desk: what actions ask for, and what is written over."""

from typing import Any

from django import forms
from django.conf import settings
from django.db.models import Q

from accounts.forms import Address
from accounts.models import User
from accounts.names import NAME_SIGNS, name_cleaned, name_problem
from accounts.roles import ROLES, role_of
from accounts.zones import zone_known
from games.admin.deeds import DeedForm
from games.services.office.seen import seen_of


class NameForm(DeedForm):
    """Another name."""

    name = forms.CharField(label="Their name", max_length=8 * NAME_SIGNS)

    def __init__(self, *args: Any, row: Any, **kwargs: Any) -> None:
        super().__init__(*args, row=row, **kwargs)
        self.fields["name"].initial = row.name


class RoleForm(DeedForm):
    """A role, or none."""

    role = forms.ChoiceField(
        label="Role", required=False, choices=[("", "none: no desk"), *((each, each) for each in ROLES)]
    )

    def __init__(self, *args: Any, row: Any, **kwargs: Any) -> None:
        super().__init__(*args, row=row, **kwargs)
        self.fields["role"].initial = role_of(row)


class MergeForm(DeedForm):
    """The account of which a guest becomes part."""

    into = forms.CharField(
        label="The account", max_length=254, help_text="Its address, or the code of its page.", strip=True
    )

    def clean_into(self) -> User:
        """Return the account that is meant."""
        typed = str(self.cleaned_data["into"]).lower()
        found = User.objects.filter(Q(code=typed) | Q(email=typed), email__isnull=False).first()
        if found is None:
            raise forms.ValidationError("There is no account with this address or code.")
        return found


class AddressForm(DeedForm):
    """Another address."""

    email = Address(label="Their new email address")

    def __init__(self, *args: Any, row: Any, **kwargs: Any) -> None:
        super().__init__(*args, row=row, **kwargs)
        self.fields["email"].initial = row.email


class AddForm(forms.ModelForm[User]):
    """A new person."""

    email = Address()

    class Meta:
        model = User
        fields = ("email", "name")

    def clean_name(self) -> str:
        """Refuse what nobody may call themselves."""
        name = name_cleaned(str(self.cleaned_data["name"]))
        fault = name_problem(name)
        if fault:
            raise forms.ValidationError(fault)
        return name

    def clean_email(self) -> str:
        """Refuse an address that somebody has."""
        email = str(self.cleaned_data["email"])
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError("Somebody has this address already.")
        return email


class ChangeForm(forms.ModelForm[User]):
    """What of a person is written over."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = User
        fields = ("zone", "language")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["seen"] = self.now = page_seen(self.instance)

    def clean_zone(self) -> str:
        """Refuse a time zone that there is not."""
        zone = str(self.cleaned_data.get("zone") or "")
        if zone and not zone_known(zone):
            raise forms.ValidationError("There is no such time zone: write one like Asia/Kolkata.")
        return zone

    def clean_language(self) -> str:
        """Refuse a language that the site does not speak."""
        language = str(self.cleaned_data.get("language") or "")
        if language and language not in dict(settings.LANGUAGES):
            raise forms.ValidationError("The site does not speak this language: leave it empty.")
        return language

    def clean(self) -> dict[str, Any]:
        """Refuse what was written over a page that is no longer so."""
        if self.cleaned_data.get("seen", "") != self.now:
            raise forms.ValidationError("Somebody has changed this since you opened the page: look again.")
        return self.cleaned_data


def page_seen(user: User) -> str:
    """Return what the page of a person showed of them."""
    return f"{seen_of(user)}:{user.zone}:{user.language}"
