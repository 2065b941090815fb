"""Names and titles that others read: what may stand in them, and which two look the same."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import count
from typing import Final

from accounts.lookalikes import LOOKALIKES, SPELLINGS

NAME_SIGNS: Final = 40
"""The most signs of a display name, as a reader counts them: marks and joiners belong to the sign before them."""

POINTS_A_SIGN: Final = 4
"""How many code points a sign may have on average, marks and joiners included."""

NAME_STORED: Final = NAME_SIGNS * POINTS_A_SIGN
"""The most code points of a display name."""

_HIDDEN: Final = "It holds a sign that cannot be seen: type it anew, in plain letters."
_UNSEEN: Final = "Write something that can be seen."
_MARKS: Final = "It holds a mark without a letter, or too many on one: type it anew."
_HEAVY: Final = "It has too many marks for its length: use fewer."

# Every kind of space (Zs).
_SPACES: Final = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
# Letters and signs by their category, but without a shape.
_SHAPELESS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# Marks without a shape; those that choose the shape of the sign before (\ufe0f) are no harm.
_SHAPELESS_MARKS: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
# What stands where a byte was no letter: it says nothing, and all such names are one.
_UNREAD: Final = "\ufffd"
_JOINERS: Final = frozenset("\u200c\u200d")
# Controls, invisible formats (those that turn the direction of writing are among them), signs that nobody has defined
# or somebody for himself, halves of signs, line breaks.
_HIDDEN_KINDS: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# Emojis newer than this Python knows.
_PICTURES: Final = range(0x1F000, 0x1FB00)
_FLAGS: Final = range(0x1F1E6, 0x1F200)
_TONES: Final = range(0x1F3FB, 0x1F400)
_MOST_MARKS: Final = 5
# What ends a syllable without a vowel, in the scripts of India.
_VIRAMA: Final = 9
_JOINED_SCRIPTS: Final = (
    *("ARABIC", "BENGALI", "DEVANAGARI", "GUJARATI", "GURMUKHI", "KANNADA", "KHMER", "MALAYALAM"),
    *("MONGOLIAN", "MYANMAR", "ORIYA", "SINHALA", "SYRIAC", "TAMIL", "TELUGU"),
)


def name_cleaned(text: str) -> str:
    """Return a name composed (NFC), with single spaces and none around it."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def name_problem(name: str, *, most: int = NAME_SIGNS) -> str | None:
    """Return what is wrong with a cleaned name or title that others read, in one sentence; None if nothing is.

    It has something to see, at most *most* signs of four code points on average, and nothing that hides or turns others
    around. Joiners may stand where scripts and emojis need them, marks on a letter, at most five on one.
    """
    kinds = [unicodedata.category(each) for each in name]
    if any(_hides(name, kinds, at) for at in range(len(name))):
        return _HIDDEN
    if not any(kind[0] in "LNPS" and each not in _SHAPELESS for each, kind in zip(name, kinds, strict=True)):
        return _UNSEEN
    if _piled(kinds):
        return _MARKS
    length = len(signs(name))
    if length > most:
        return f"Use at most {most} characters; these are {length}."
    return _HEAVY if len(name) > most * POINTS_A_SIGN else None


def signs(text: str) -> list[str]:
    """Return the signs that a reader counts: a letter with its marks, an emoji with what is joined to it, a flag."""
    found: list[str] = []
    for each in text:
        if found and _goes_on(found[-1], each):
            found[-1] += each
        else:
            found.append(each)
    return found


def _goes_on(sign: str, each: str) -> bool:
    """Tell whether one more code point belongs to the sign before it."""
    if unicodedata.category(each)[0] == "M" or each in _JOINERS or ord(each) in _TONES:
        return True
    flag = ord(each) in _FLAGS and len(sign) == 1 and ord(sign) in _FLAGS
    return flag or (sign[-1] == "\u200d" and _pictured(each))


def _hides(name: str, kinds: list[str], at: int) -> bool:
    """Tell whether the sign at a place is none that can be seen, nor a joiner where one belongs."""
    each = name[at]
    if each in _JOINERS:
        return not _joins(name, at)
    if each in _SHAPELESS_MARKS or each == _UNREAD:
        return True
    return kinds[at] in _HIDDEN_KINDS and not (kinds[at] == "Cn" and ord(each) in _PICTURES)


def _joins(name: str, at: int) -> bool:
    """Tell whether a joiner ends a syllable, or stands within a word of a script that joins, or within an emoji."""
    before, after = name[at - 1 : at], name[at + 1 : at + 2]
    if not before or not after:
        return bool(before) and unicodedata.combining(before) == _VIRAMA
    if _pictured(after):
        return _pictured(before) or before == "\ufe0f"
    return unicodedata.combining(before) == _VIRAMA or {_script(before), _script(after)}.issubset(_JOINED_SCRIPTS)


def _script(sign: str) -> str:
    return unicodedata.name(sign, "").partition(" ")[0]


def _pictured(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sk") or ord(sign) in _PICTURES


def _piled(kinds: list[str]) -> bool:
    """Tell whether a mark has no sign to stand on, or too many stand on one."""
    run = _MOST_MARKS
    for kind in kinds:
        run = run + 1 if kind[0] == "M" else _MOST_MARKS if kind == "Zs" else 0
        if run > _MOST_MARKS:
            return True
    return False


def looks(name: str) -> frozenset[str]:
    """Return what a name is read as: two names look the same when these sets meet.

    Case, accents, spaces and joiners do not count, and what looks alike is one sign. There are two readings, since a
    capital I looks like a small l, but only before it is made small: AlI is All, Ali is ALI, and Lia is not Ila.
    """
    text = unicodedata.normalize("NFC", name)
    for spelt, read in SPELLINGS.items():
        text = text.replace(spelt, read)
    small, mapped = _bare(text.casefold()).translate(LOOKALIKES), _bare(text).translate(LOOKALIKES)
    return frozenset(_bare(each.casefold()).translate(LOOKALIKES) or text for each in (small, mapped))


def _bare(text: str) -> str:
    """Return the text decomposed, without accents, spaces, joiners and what only chooses a shape."""
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not _passed_over(each))


def _passed_over(sign: str) -> bool:
    if unicodedata.combining(sign) not in (0, _VIRAMA) or "\ufe00" <= sign <= "\ufe0f":
        return True
    return unicodedata.category(sign) in ("Zs", "Cf") or sign in _SHAPELESS_MARKS


def suggested(name: str, taken: Iterable[str]) -> str:
    """Return a name like this one, itself if it can be, that looks like none of those that are taken."""
    used = frozenset[str]().union(*map(looks, taken))
    candidates = (_numbered(name, number) if number > 1 else name for number in count(1))
    return next(each for each in candidates if not looks(each) & used)


def _numbered(name: str, number: int) -> str:
    """Return the name with a number behind it, cut so that it may still be stored."""
    while name and name_problem(f"{name} {number}"):
        name = name[:-1].rstrip()
    return f"{name} {number}" if name else str(number)
