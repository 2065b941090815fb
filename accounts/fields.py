"""Form fields that say in one sentence of ours what to do, whatever is wrong, and text that others can read."""

import unicodedata
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

# Letters and signs by their category, but without a shape.
_SHAPELESS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_JOINERS: Final = frozenset("\u200c\u200d")
# Controls, invisible formats (those that turn the direction of writing are among them), halves of signs, line breaks.
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def text_fault(text: str, most: int) -> str:
    """Return what is wrong with a name or title that others read, in one sentence; "" if nothing is.

    It has something to see, at most *most* characters, and no sign that hides or turns others around. Joiners may stand
    where scripts and emojis need them: within a word or a sign, and after the mark that ends a word in Malayalam.
    """
    kinds = [unicodedata.category(each) for each in text]
    if any(kind in _HIDDEN and not _joins(text, kinds, at) for at, kind in enumerate(kinds)):
        return "It holds a sign that cannot be seen: type it anew, in plain letters."
    if not any(kind[0] in "LNPS" and each not in _SHAPELESS for each, kind in zip(text, kinds, strict=True)):
        return "Write something that can be seen."
    return "" if len(text) <= most else f"Use at most {most} characters; these are {len(text)}."


def _joins(text: str, kinds: list[str], at: int) -> bool:
    """Tell whether the sign at a place joins two others, or ends a word after a mark."""
    if text[at] not in _JOINERS or at == 0:
        return False
    before, after = kinds[at - 1][0], kinds[at + 1][0] if at + 1 < len(kinds) else ""
    return before == "M" or (before in "LS" and after in ("L", "M", "S"))


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


class Whole(OneSentence, forms.IntegerField):
    """A whole number."""


class Email(OneSentence, forms.EmailField):
    """An email address."""


class Secret(OneSentence, forms.CharField):
    """A password."""


class PublicText(forms.CharField):
    """A name or title that others read (`text_fault`)."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)
        self._most = max_length
        self.validators = []

    def clean(self, value: Any) -> str:
        """Return the text without spaces around it."""
        text = str(self.to_python(value))
        fault = text_fault(text, self._most)
        if fault:
            raise ValidationError(fault, code="fault")
        return text
