"""Email addresses as people paste them: from a list, a chat or the address line of a mail."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from accounts.names import name_cleaned, name_problem

MOST: Final = 254
"""The most characters of an address."""

_BETWEEN: Final = re.compile(r"[,;\r\n]+")
# An address in angles, a name in quotes, any other word, or an angle or quote that is alone.
_WORD: Final = re.compile(r'<[^<>]*>|"[^"]*"|[^\s<>"]+|[<>"]')


@dataclass(frozen=True, slots=True)
class Addressee:
    """An address in lower case, and what its person was called beside it, "" if nothing fit to be shown."""

    email: str
    name: str = ""


def addresses_read(text: str) -> tuple[list[Addressee], list[str]]:
    """Return the addresses in a text, each once, and the pieces that are none.

    They stand between commas, semicolons, spaces or line breaks; before one in <angles> its person may be named, as
    mail programs do.
    """
    found: dict[str, Addressee] = {}
    wrong: list[str] = []
    for piece in _BETWEEN.split(text):
        for name, address in _pieces(piece):
            if is_address(address):
                found.setdefault(address.lower(), Addressee(address.lower(), _shown(name)))
            else:
                wrong.append(address)
    return list(found.values()), wrong


def _pieces(piece: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses of a piece, each with the name before it; words that name nobody come as addresses, too."""
    named: list[str] = []
    for word in _WORD.findall(piece):
        if word[0] == "<" and len(word) > 1:
            yield " ".join(named), word[1:-1].strip() or word
            named = []
        elif "@" in word and word[0] != '"':
            yield from (("", each) for each in named)
            yield "", word
            named = []
        else:
            named.append(word.strip('"') or word)
    yield from (("", each) for each in named)


def is_address(text: str) -> bool:
    """Tell whether a text is an email address that mail can be sent to."""
    # The part before the @ is plain letters: a few others count as those where case does not matter.
    if len(text.lower()) > MOST or not text.isprintable() or not text.partition("@")[0].isascii():
        return False
    try:
        validate_email(text)
    except ValidationError:
        return False
    return not text.startswith('"')


def _shown(name: str) -> str:
    cleaned = name_cleaned(name)
    return "" if name_problem(cleaned) else cleaned


def masked(email: str) -> str:
    """Return an address that its owner knows again and nobody else learns: n…@e….org."""
    local, _, domain = email.partition("@")
    host, dot, last = domain.rpartition(".")
    return f"{local[:1]}…@{host[:1]}…{dot}{last}"
