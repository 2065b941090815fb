# ruff: noqa: RUF001
"""Names and titles: every script is welcome, nothing that hides or turns the writing, and no two that look alike."""

import unicodedata

import pytest
from django.core.exceptions import ValidationError
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.fields import PublicText
from accounts.names import NAME_SIGNS, looks, name_cleaned, name_problem, suggested

HIDDEN = "It holds a sign that cannot be seen: type it anew, in plain letters."
MARKS = "It holds a mark without a letter, or too many on one: type it anew."
NAMES = {
    "Malayalam": "അമ്മിണി ചേച്ചി",
    "Malayalam, a final chillu by joiner": "അവന്\u200d",
    "Malayalam, chillu within": "നന്\u200dമ",
    "Malayalam, forty signs in many more points": "ക്ഷി" * 13 + "ക",
    "Urdu": "نانی اماں",
    "Urdu with a joiner": "بی\u200cبی جان",
    "Persian": "می\u200cخواهم",
    "Arabic with vowels": "مُحَمَّد",
    "Gurmukhi": "ਨਾਨੀ ਜੀ",
    "Gurmukhi with addak": "ਸੁੱਖਵਿੰਦਰ",
    "Shahmukhi": "نانی جی",
    "Hindi with a joiner": "क्\u200dषमा",
    "Bengali": "ঠাকুমা",
    "Tamil": "பாட்டி",
    "Sinhala": "ශ්\u200dරී",
    "Tibetan": "རྒྱལ་མཚན",
    "Chinese": "奶奶",
    "Japanese with a variant": "葛\U000e0100飾",
    "Korean": "할머니",
    "Vietnamese": "Nguyễn Thị Hậu",
    "Greek": "Γιαγιά",
    "Russian": "Бабушка",
    "Hebrew": "סַבְתָא",
    "family": "👨\u200d👩\u200d👧\u200d👦",
    "family with tones": "Ama 👩🏽\u200d🤝\u200d👩🏿",
    "heart on fire": "❤\ufe0f\u200d🔥",
    "flag": "🇮🇳🇵🇰",
    "keycap": "1\ufe0f\u20e3",
    "Latin": "D\u2019Souza-Müller, Jr. & 2nd",
    "one sign": "★",
    "a mark of its own": "Zoe\u0308",
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
    "tabulator": "Na\tni",
    "line separator": "Na\u2028ni",
    "soft hyphen": "Na\xadni",
    "zero-width space": "Na\u200bni",
    "word joiner": "Na\u2060ni",
    "grapheme joiner": "Na\u034fni",
    "byte order mark": "\ufeffNani",
    "bytes that were no letter": b"\xed\xa0\x80".decode(errors="replace"),
    "joiner first": "\u200dNani",
    "joiner last": "Nani\u200d",
    "joiner in Latin": "Na\u200dni",
    "non-joiner in Cyrillic": "Ба\u200cба",
    "joiner by a space": "Na \u200dni",
    "two joiners": "بی\u200c\u200cبی",
    "joiners alone": "\u200c\u200d\u200c",
    "tags": "Nani\U000e0041",
    "half a sign": "Nani\ud800",
    "a sign of somebody's own": "Nani\uf8ff",
    "no sign": "Nani\uffff",
    "too long and hidden": "\u202e" * 41,
}
PILED = {"a tower": "N" + "\u0301" * 7, "a mark first": "\u0301Nani", "a mark on nothing": "Na \u0301ni"}
ALIKE = [
    ("Nani", "nani"),
    ("NANI", "nani"),
    ("AlI", "All"),
    ("AlI", "ALL"),
    ("Ali", "ALI"),
    ("A1i", "Ali"),
    ("Bob", "B0b"),
    ("Nani", "Nаni"),  # a Cyrillic a
    ("Tom", "Том"),
    ("Hema", "Нема"),
    ("Kabir", "Κabir"),  # a Greek capital kappa
    ("Nani", "\uff2e\uff41\uff4e\uff49"),
    ("Nani", "\U0001d4dd\U0001d4ea\U0001d4f7\U0001d4f2"),
    ("Nani Ji", "NaniJi"),
    ("Zoë", "Zoe"),
    ("Zoe\u0308", "Zoë"),
    ("Søren", "Soren"),
    ("D'Souza", "D\u2019Souza"),
    ("Anne-Marie", "Anne\u2013Marie"),
    ("نانی", "ناني"),
    ("کبیر", "كبير"),
    ("محمد", "مُحَمَّد"),
    ("بیبی", "بی\u200cبی"),
    ("അവന്\u200d", "അവൻ"),
    ("Nani ०", "Nani ০"),
    ("Nani ੧", "Nani 9"),
    ("Lala ੦", "Lala O"),
    ("ਆਸਾ", "ਅ\u0a3eਸਾ"),
    ("ക്ഷമ", "ക്\u200cഷമ"),
    ("Straße", "STRASSE"),
    ("❤", "❤\ufe0f"),
]
DIFFERENT = [
    ("Lia", "Ila"),
    ("Ali", "Alia"),
    ("Nani", "Nana"),
    ("Bilal", "Bila"),
    ("Ada", "Adam"),
    ("Nani 2", "Nani 3"),
    ("ਨਾਨੀ", "ਨਾਨਾ"),
    ("نانی", "نانا"),
    ("मीना", "मीरा"),
    ("অমল", "কমল"),
    ("മിനി", "മീന"),
    ("രമ", "റമ"),
    ("सीता", "सिता"),
    ("👩", "👨"),
    ("奶奶", "妈妈"),
    ("Asif", "Asis"),
    ("?", "!"),
]
TEXT = st.text(st.characters(codec="utf-8"), max_size=30)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_every_script_are_welcome(name: str) -> None:
    assert name_problem(name_cleaned(name)) is None


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_hidden_signs_are_refused(name: str) -> None:
    assert name_problem(name_cleaned(name)) == HIDDEN


@pytest.mark.parametrize("name", PILED.values(), ids=PILED)
def test_marks_stand_on_letters_and_not_too_many(name: str) -> None:
    assert name_problem(name_cleaned(name)) == MARKS


@pytest.mark.parametrize("name", ["", " ", "\u3164\u2800", "\u0301\ufe0f", "\xa0", "\u3000\u2003"])
def test_something_must_be_seen(name: str) -> None:
    assert name_problem(name_cleaned(name)) == "Write something that can be seen."


def test_length_is_counted_in_signs() -> None:
    assert name_problem("x" * 41) == "Use at most 40 characters; these are 41."
    assert name_problem("നീ" * 40) is None
    assert name_problem("നീ" * 41) == "Use at most 40 characters; these are 41."
    assert name_problem("ന" + "\u0d3f" * 4 + "നിിിി" * 33) == "It has too many marks for its length: use fewer."


def test_spaces_are_single_and_not_around() -> None:
    assert name_cleaned("\u2003 Nani\u3000\xa0Ji  ") == "Nani Ji"


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_alike(one: str, other: str) -> None:
    assert looks(one) & looks(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different(one: str, other: str) -> None:
    assert not looks(one) & looks(other)


@given(TEXT)
def test_cleaned_once_is_clean(name: str) -> None:
    assert name_cleaned(name_cleaned(name)) == name_cleaned(name)


@given(TEXT)
@example("İı")
@example("ᾳ")
def test_case_does_not_count(name: str) -> None:
    assert looks(name) & looks(name.upper())
    assert looks(name) & looks(name.lower())
    assert looks(name) & looks(unicodedata.normalize("NFD", name))


@given(st.text(max_size=60), st.lists(st.text(max_size=10), max_size=5))
def test_what_is_suggested_may_be_taken(name: str, taken: list[str]) -> None:
    name = name_cleaned(name)
    found = suggested(name, [*taken, name])
    assert not any(looks(found) & looks(each) for each in (*taken, name))
    assert name_problem(found) is None or found == name


def test_suggestions_count_up() -> None:
    assert suggested("Nani", []) == "Nani"
    assert suggested("Nani", ["nani", "NANI 2"]) == "Nani 3"
    assert suggested("x" * 40, ["x" * 40]) == "x" * 38 + " 2"


def test_the_field_cleans_and_tells_in_one_sentence() -> None:
    field = PublicText(max_length=NAME_SIGNS)
    assert field.clean("  Nani\xa0 Ji ") == "Nani Ji"
    assert field.clean("നീ" * 40) == "നീ" * 40
    with pytest.raises(ValidationError) as refused:
        field.clean("Na\u202eni")
    assert refused.value.messages == [HIDDEN]
    with pytest.raises(ValidationError):
        field.clean("നീ" * 41)
