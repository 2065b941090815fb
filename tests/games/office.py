"""Operators, and what they leave, for tests."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import call_command

from accounts.models import User
from games.models import Audit, Game, Notice
from games.services.errors import ServiceError
from tests.games.stored import everything

WHY = "It was agreed at the table."


def boss(name: str = "Boss") -> User:
    return User.objects.create_user(f"{name.lower()}@example.org", name=name, is_staff=True)


@contextmanager
def refused(error: type[ServiceError]) -> Iterator[None]:
    """Whatever the block does is refused, in a sentence, and nothing has changed."""
    before = everything()
    with pytest.raises(error) as found:
        yield
    assert str(found.value).endswith(".")
    assert everything() == before


def left(action: str, *, by: User) -> Audit:
    """The one row that an action left, and whoever was told of it, each once."""
    audit = Audit.objects.get(action=action)
    assert (audit.by, audit.why) == (by, WHY)
    return audit


def told(audit: Audit) -> list[str]:
    """The names of those who are told of an action, each once."""
    rows = Notice.objects.filter(key__startswith=f"office:{audit.pk}:").order_by("user__name")
    return [each.user.name for each in rows if each.user is not None]


def revised(game: Game, before: int) -> None:
    """Its boards are rung for."""
    game.refresh_from_db()
    assert game.revision > before


def verified() -> None:
    call_command("verify_games", stdout=io.StringIO())
