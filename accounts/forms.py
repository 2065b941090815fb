"""Signing up and in with an email address and a password."""

from typing import Any, Final

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from accounts.fields import Email, PublicText, Secret
from accounts.models import NAME_LENGTH, User

TAKEN: Final = "There is an account with this address: sign in instead."
_WRONG: Final = "This email address and password do not belong together: try again."
_ADDRESS: Final = "Write your email address, like name@example.org."
_LENGTH: Final = "Choose a password of 8 to 128 characters."
_EASY: Final = {
    "password_too_similar": "This password is too similar to your name or address: choose another.",
    "password_too_short": _LENGTH,
    "password_too_common": "This password is too common: choose one that nobody guesses.",
}


class SignInForm(AuthenticationForm):
    """Email address and password; the same sentence whichever does not fit."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.error_messages = {"invalid_login": _WRONG, "inactive": _WRONG}
        address = forms.EmailInput(attrs={"autocomplete": "username"})
        secret = forms.PasswordInput(attrs={"autocomplete": "current-password"})
        self.fields["username"] = Email(label="Email address", max_length=254, widget=address, fault=_ADDRESS)
        self.fields["password"] = Secret(label="Password", strip=False, widget=secret, fault="Write your password.")


class SignUpForm(forms.Form):
    """Name, email address and a password that is not easily guessed."""

    name = PublicText(
        label="Your name",
        max_length=NAME_LENGTH,
        help_text="What the others at the table call you.",
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    email = Email(
        label="Email address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        fault=_ADDRESS,
    )
    password = Secret(
        label="Password",
        strip=False,
        max_length=128,
        help_text="At least 8 characters, and not an easy one.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        fault=_LENGTH,
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
                self.add_error("password", _easy(error))
        return data


def _easy(error: ValidationError) -> str:
    """Return one sentence for what is wrong with a password, the length before all else."""
    codes = {each.code for each in error.error_list}
    return next((_EASY[code] for code in ("password_too_short", *_EASY) if code in codes), error.messages[0])
