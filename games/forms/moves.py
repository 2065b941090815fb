"""What people may ask for at a game: a move."""

import re
from typing import NamedTuple

from django.http import QueryDict

from games.rules.cards import card
from games.rules.moves import Move, Play, Take

_WHOLE = re.compile(r"[0-9]{1,9}")
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


class BadForm(Exception):
    """A form that makes no sense; `str()` is a sentence for its sender."""


class Asked(NamedTuple):
    """A move as a form asks for it."""

    move: Move
    version: int
    key: str


def asked_of(form: QueryDict, seat: int) -> Asked:
    """Read a move of a seat from a form.

    Raises:
        BadForm: if it is not exactly one card or hand, with a version and a key.
    """
    version, key = _one(form, "version"), _one(form, "key")
    if not _WHOLE.fullmatch(version):
        raise BadForm("The form does not say which table it was made for: load the page again.")
    if not _KEY.fullmatch(key):
        raise BadForm("The form has no key of ours: load the page again.")
    return Asked(_move(form, seat), int(version), key)


def _one(form: QueryDict, name: str) -> str:
    """Return a field's one value, "" if there is none.

    Raises:
        BadForm: if there are several.
    """
    values = form.getlist(name)
    if len(values) > 1:
        raise BadForm("The form says the same thing twice: load the page again.")
    return values[0] if values else ""


def _move(form: QueryDict, seat: int) -> Move:
    code, victim = _one(form, "card"), _one(form, "take")
    if bool(code) == bool(victim):
        raise BadForm("Choose one card, or one hand to take.")
    if victim:
        if not _WHOLE.fullmatch(victim):
            raise BadForm("There is no such seat.")
        return Take(seat, int(victim))
    try:
        return Play(seat, card(code))
    except ValueError as error:
        raise BadForm(str(error)) from error
