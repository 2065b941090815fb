"""Email addresses as people paste them: from a list, a chat or the address line of a mail."""

import re
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from accounts.names import name_cleaned, name_problem

MOST: Final = 254
"""The most characters of an address."""

_BETWEEN: Final = re.compile(r"[,;\r\n]+")
# Nani <nani@example.org>, as mail programs write it.
_NAMED: Final = re.compile(r'\s*"?([^<>"]*?)"?\s*<\s*([^<>\s]+)\s*>\s*')


@dataclass(frozen=True, slots=True)
class Addressee:
    """An address in lower case, and what its person was called beside it, "" if nothing fit to be shown."""

    email: str
    name: str = ""


def addresses_read(text: str) -> tuple[list[Addressee], list[str]]:
    """Return the addresses in a text, each once, and the pieces that are none.

    They stand between commas, semicolons, spaces or line breaks, with or without a name before them.
    """
    found: dict[str, Addressee] = {}
    wrong: list[str] = []
    for piece in filter(None, map(str.strip, _BETWEEN.split(text))):
        for name, address in _pieces(piece):
            if is_address(address):
                found.setdefault(address.lower(), Addressee(address.lower(), _shown(name)))
            else:
                wrong.append(address)
    return list(found.values()), wrong


def _pieces(piece: str) -> list[tuple[str, str]]:
    named = _NAMED.fullmatch(piece)
    return [(named[1], named[2])] if named else [("", each) for each in piece.split()]


def is_address(text: str) -> bool:
    """Tell whether a text is an email address that mail can be sent to."""
    if len(text) > MOST or not text.isprintable():
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
