"""The forms of the doors: signing up and in, codes, passwords, addresses."""

from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.forms import ConfirmEmailVerificationCodeForm, LoginForm, ReauthenticateForm
from allauth.account.internal.userkit import filter_users_by_email
from allauth.core import context, ratelimit
from allauth.core.internal.cryptokit import compare_user_code
from django import forms
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError

from accounts.fields import Email, OneSentence, PublicText, Secret, mailable
from accounts.models import User
from accounts.names import NAME_SIGNS
from accounts.services import code_asked, unentered_removed
from accounts.zones import zone_known

_ADDRESS: Final = "Write your email address, like name@example.org."
_LENGTH: Final = "Choose a password of 8 to 128 characters."
_CODE: Final = "Write the eight digits of the newest mail from us."
_EASY: Final = {
    "password_too_similar": "This password is too similar to your name or address: choose another.",
    "password_too_short": _LENGTH,
    "password_too_common": "This password is too common: choose one that nobody guesses.",
}
_MOST: Final = 254


class Address(Email):
    """An email address, in lower case; its part before the @ is plain letters."""

    def __init__(self, *, autocomplete: str = "email", **kwargs: Any) -> None:
        widget = forms.EmailInput(attrs={"autocomplete": autocomplete})
        given: dict[str, Any] = {"label": "Email address", "widget": widget, "fault": _ADDRESS, "max_length": _MOST}
        super().__init__(**given | kwargs)

    def clean(self, value: Any) -> str:
        """Return the address in lower case."""
        typed = str(super().clean(value))
        if not mailable(typed):
            raise ValidationError(_ADDRESS, code="fault")
        return typed.lower()


class PersonName(PublicText):
    """What the others call somebody (`accounts.names`)."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "nickname"})
        given: dict[str, Any] = {"label": "Your name", "widget": widget}
        super().__init__(max_length=NAME_SIGNS, **given | kwargs)


class Zone(forms.CharField):
    """The browser's time zone, by a script; anything else is as good as none."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput(attrs={"data-zone": ""}))
        self.validators = []

    def clean(self, value: Any) -> str:
        """Return a zone that exists, or ""."""
        return value if isinstance(value, str) and zone_known(value) else ""


class SignInForm(LoginForm):
    """An address, to which a code is mailed; or with it a password, if one was set."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = Address(autocomplete="username webauthn")
        secret = forms.PasswordInput(attrs={"autocomplete": "current-password"})
        self.fields["password"] = Secret(
            label="Password", strip=False, required=False, max_length=128, widget=secret, fault="Write your password."
        )

    def _clean_without_password(self, email: str | None, phone: str | None) -> dict[str, Any]:
        address = email or ""
        users = filter_users_by_email(address, is_active=True, prefer_verified=True, for_login=True)
        if not code_asked(self.request, address):
            raise get_adapter().validation_error("too_many_login_attempts")
        self.user = users[0] if users else None
        return dict(self.cleaned_data)


class SignUpForm(forms.Form):
    """A name and an address."""

    name = PersonName(help_text="What the others at the table call you.")
    email = Address()
    zone = Zone()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.request = kwargs.pop("request")
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        """Count that a code is asked for."""
        data = super().clean() or {}
        if "name" in data and "email" in data and not code_asked(self.request, data["email"]):
            raise get_adapter().validation_error("too_many_login_attempts")
        return data


class _CodeMixin:
    """A code, compared three times at most, however many ask at once; *tries* names what is guessed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.tries = kwargs.pop("tries")
        super().__init__(*args, **kwargs)
        digits = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
        self.fields: dict[str, forms.Field]
        self.fields["code"] = _Code(label="Code", fault=_CODE, max_length=40, widget=forms.TextInput(attrs=digits))

    def compared(self, code: str, expected: str | None) -> str:
        """Return the code if it is right, and if there were not too many before."""
        if not ratelimit.consume(context.request, action="enter_code", key=self.tries):
            raise get_adapter().validation_error("too_many_login_attempts")
        if not compare_user_code(actual=code, expected=expected or ""):
            raise get_adapter().validation_error("incorrect_code")
        return code


class _Code(OneSentence, forms.CharField):
    pass


class CodeForm(_CodeMixin, forms.Form):
    """The code of a sign-in, or of showing again who one is."""

    def __init__(self, *args: Any, code: str = "", **kwargs: Any) -> None:
        self.expected = code
        super().__init__(*args, **kwargs)

    def clean_code(self) -> str:
        """Compare the code."""
        return self.compared(self.cleaned_data["code"], self.expected)


class EmailCodeForm(_CodeMixin, ConfirmEmailVerificationCodeForm):
    """The code that shows an address to be theirs; whether somebody else has it is told only then."""

    def clean_code(self) -> str:
        """Compare the code; an account of the address that nobody has entered makes way."""
        code = self.compared(self.cleaned_data["code"], self.expected_code)
        taken = User.objects.filter(email=self.email).exclude(pk=self.user.pk if self.user else 0)
        if taken.exists():
            unentered_removed(self.email)
            if taken.all().exists():
                raise get_adapter().validation_error("email_taken")
        return code


class AgainForm(ReauthenticateForm):
    """The password, once more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        secret = forms.PasswordInput(attrs={"autocomplete": "current-password"})
        self.fields["password"] = Secret(
            label="Password", strip=False, max_length=128, widget=secret, fault="Write your password."
        )


class AddressForm(forms.Form):
    """A new address."""

    email = Address(label="New email address")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_email(self) -> str:
        """Refuse the address that they have shown to be theirs already."""
        email: str = self.cleaned_data["email"]
        if self.user.emailaddress_set.filter(email=email, verified=True).exists():
            raise get_adapter().validation_error("same_as_current")
        return email


class PasswordForm(forms.Form):
    """A password that is not easily guessed."""

    password = Secret(
        label="New password",
        strip=False,
        max_length=128,
        help_text="At least 8 characters, and not an easy one.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        fault=_LENGTH,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        """Refuse a password that is easily guessed, from the name or the address for instance."""
        password: str = self.cleaned_data["password"]
        try:
            password_validation.validate_password(password, self.user)
        except ValidationError as error:
            codes = {each.code for each in error.error_list}
            first = next((_EASY[code] for code in ("password_too_short", *_EASY) if code in codes), error.messages[0])
            raise ValidationError(first, code="fault") from None
        return password


class PasskeyNameForm(forms.Form):
    """What a person calls a passkey."""

    name = PublicText(label="Name of the passkey", max_length=NAME_SIGNS)

    def __init__(self, *args: Any, instance: Any, **kwargs: Any) -> None:
        self.instance = instance
        super().__init__(*args, **kwargs)
        self.fields["name"].initial = instance.wrap().name

    def save(self) -> Any:
        """Store the name."""
        from allauth.mfa.webauthn.internal import flows

        flows.rename_authenticator(context.request, self.instance, self.cleaned_data["name"])
        return self.instance
