"""Signing up and in with an email address and a password."""

import unicodedata
from typing import Any, Final

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from accounts.models import NAME_LENGTH, User

TAKEN: Final = "There is an account with this address: sign in instead."
_WRONG: Final = "This email address and password do not belong together: try again."


def visible_text(text: str) -> None:
    """Check that something of a text can be seen.

    Raises:
        ValidationError: if it is nothing but spaces, controls and marks without a shape.
    """
    if not any(unicodedata.category(each)[0] in "LNPS" for each in text):
        raise ValidationError("Write something that can be seen.")


class SignInForm(AuthenticationForm):
    """Email address and password; the same sentence whatever is wrong."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.error_messages = {"invalid_login": _WRONG, "inactive": _WRONG}
        widget = forms.EmailInput(attrs={"autocomplete": "username"})
        self.fields["username"] = forms.EmailField(label="Email address", max_length=254, widget=widget)


class SignUpForm(forms.Form):
    """Name, email address and a password that is not easily guessed."""

    name = forms.CharField(
        label="Your name",
        max_length=NAME_LENGTH,
        validators=[visible_text],
        help_text="What the others at the table call you.",
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    email = forms.EmailField(
        label="Email address", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label="Password",
        strip=False,
        max_length=128,
        help_text="At least 8 characters, and not an easy one.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_email(self) -> str:
        """Refuse an address that has an account, in whatever case it is written."""
        email: str = self.cleaned_data["email"]
        try:
            User.objects.get_by_natural_key(email)
        except User.DoesNotExist:
            return email
        raise ValidationError(TAKEN)

    def clean(self) -> dict[str, Any]:
        """Refuse a password that is easily guessed, from the name or the address for instance."""
        data = super().clean() or {}
        if "password" in data:
            person = User(email=data.get("email", ""), name=data.get("name", ""))
            try:
                password_validation.validate_password(data["password"], person)
            except ValidationError as error:
                self.add_error("password", error)
        return data
