"""Form fields that say in one sentence of ours what to do, whatever is wrong, and text that others can read."""

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.encoding import punycode

from accounts.names import POINTS_A_SIGN, name_cleaned, name_problem

_LONGEST_ADDRESS: Final = 254


def mailable(address: str) -> bool:
    """Tell whether a mail can be sent to an address that is written like one, and the address be stored."""
    name, _, domain = address.rpartition("@")
    try:
        # A label of a domain may be long only once it is written in plain letters.
        length = len(name) + 1 + len(punycode(domain.lower()))
    except UnicodeError:
        return False
    # A few letters of other scripts count as plain ones where case does not matter; lower case may be longer.
    return name.isascii() and max(length, len(address.lower())) <= _LONGEST_ADDRESS


def mailbox_of(address: str) -> str:
    """Return the address whose mailbox an address leads to, in lower case: most providers pass over what follows a +.

    Only for counting: as far as accounts go they are two.
    """
    local, _, domain = address.lower().rpartition("@")
    # What begins with a + is a mailbox of its own.
    plain = local[:1] + local[1:].partition("+")[0]
    return f"{plain}@{domain}"


def masked(address: str) -> str:
    """Return an address that its owner knows again and nobody else learns: n…@e….org."""
    local, _, domain = address.partition("@")
    host, dot, last = domain.rpartition(".")
    return f"{local[:1]}…@{host[:1]}…{dot}{last}"


class OneSentence(forms.Field):
    """A field with one sentence for everything that can be wrong with it."""

    def __init__(self, *args: Any, fault: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fault = fault

    def clean(self, value: Any) -> Any:
        """Return the value as its kind of field does, or refuse it in the one sentence."""
        try:
            return super().clean(value)
        except ValidationError:
            raise ValidationError(self.fault, code="fault") from None


class Choice(OneSentence, forms.ChoiceField):
    """One of some answers."""


class Choices(OneSentence, forms.MultipleChoiceField):
    """Any of some answers."""


class Whole(OneSentence, forms.IntegerField):
    """A whole number."""


class Email(OneSentence, forms.EmailField):
    """An email address."""


class Secret(OneSentence, forms.CharField):
    """A password."""


class PublicText(forms.CharField):
    """A name or title that others read, of at most `max_length` signs (`names.name_problem`)."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        # Browsers count halves of signs: theirs is the looser limit.
        super().__init__(max_length=max_length * POINTS_A_SIGN, **kwargs)
        self._most = max_length
        self.validators = []

    def clean(self, value: Any) -> str:
        """Return the text cleaned (`names.name_cleaned`)."""
        text = name_cleaned(str(self.to_python(value)))
        problem = name_problem(text, most=self._most)
        if problem:
            raise ValidationError(problem, code="fault")
        return text
