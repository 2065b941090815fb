"""Names and titles: every script is welcome, and nothing that hides or turns the writing around."""

import pytest

from accounts.fields import text_fault

HIDDEN = "It holds a sign that cannot be seen: type it anew, in plain letters."
NAMES = {
    "Malayalam": "അമ്മിണി ചേച്ചി",
    "Malayalam, a final chillu by joiner": "അവന്\u200d",
    "Malayalam, chillu within": "നന്\u200dമ",
    "Urdu": "نانی اماں",
    "Urdu with a joiner": "بی\u200cبی جان",
    "Gurmukhi": "ਨਾਨੀ ਜੀ",
    "Shahmukhi": "نانی جی",
    "Hindi with a joiner": "क्\u200dषमा",
    "Bengali": "ঠাকুমা",
    "family": "👨\u200d👩\u200d👧\u200d👦",
    "family with tones": "Ama 👩🏽\u200d🤝\u200d👩🏿",
    "heart on fire": "❤\ufe0f\u200d🔥",
    "flag": "🇮🇳🇵🇰",
    "Latin": "D\u2019Souza-Müller, Jr. & 2nd",
    "one sign": "★",
    "long enough": "x" * 40,
}
REFUSED = {
    "turned": "\u202einaN",
    "isolates": "Na\u2067ni\u2069",
    "marks of direction": "Nani\u200f",
    "letter mark": "Nani\u061c",
    "NUL": "Na\0ni",
    "escape": "\x1b[31mNani",
    "line": "Na\nni",
    "line separator": "Na\u2028ni",
    "soft hyphen": "Na\xadni",
    "zero-width space": "Na\u200bni",
    "byte order mark": "\ufeffNani",
    "joiner first": "\u200dNani",
    "joiner last": "Nani\u200d",
    "joiner by a space": "Na \u200dni",
    "joiners alone": "\u200c\u200d\u200c",
    "tags": "Nani\U000e0041",
    "half a sign": "Nani\ud800",
    "too long and hidden": "\u202e" * 41,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_every_script_are_welcome(name: str) -> None:
    assert text_fault(name, 40) == ""


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_hidden_signs_are_refused(name: str) -> None:
    assert text_fault(name, 40) == HIDDEN


@pytest.mark.parametrize("name", ["", " ", "\u3164\u2800", "\u0301\ufe0f", "\xa0"])
def test_something_must_be_seen(name: str) -> None:
    assert text_fault(name, 40) == "Write something that can be seen."


def test_length_is_counted_in_characters() -> None:
    assert text_fault("x" * 41, 40) == "Use at most 40 characters; these are 41."
