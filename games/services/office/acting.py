"""What every action of an operator leaves: a row that says what, who and why, and word to those whom it concerns."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from django.db.models import Exists, Model, OuterRef, QuerySet

from accounts.history import history_kept
from accounts.models import User
from accounts.names import name_cleaned, name_problem
from games.models import Audit, Game, Holder, Notice, Table, Turn
from games.models.office import WHY_LENGTH
from games.services.letters.office import office_key
from games.services.notices import notices_added
from games.services.office.errors import ReasonNeeded

COMMAND_LINE: Final = "command line"
"""What stands in the place of an operator where something was done by a command on the server (`by` is None)."""


def reason(why: str, *, most: int = WHY_LENGTH) -> str:
    """Return a reason as it is stored and read by the people of the table, of at most so many characters.

    Raises:
        ReasonNeeded: what is wrong with it.
    """
    why = name_cleaned(" ".join(why.split()))
    if not why:
        raise ReasonNeeded
    fault = name_problem(why, most=most)
    if fault is None and len(why) > most:
        fault = f"Use at most {most} characters; these are {len(why)}."
    if fault is not None:
        raise ReasonNeeded(fault)
    return why


def audited(  # noqa: PLR0913 - what an action is, every part named
    *,
    action: Audit.Action,
    by: User | None,
    why: str,
    table: Table | None = None,
    game: Game | None = None,
    person: User | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    now: datetime,
) -> Audit:
    """Write down, in the transaction that is open, that an operator did something, or a command (None).

    A game brings its table along.
    """
    return Audit.objects.create(
        action=action,
        by=by,
        why=why,
        at=now,
        table=game.table if table is None and game is not None else table,
        game=game,
        person=person,
        before=dict(before or {}),
        after=dict(after or {}) | ({} if by is not None else {"from": COMMAND_LINE}),
    )


@contextmanager
def history(row: Model, *, by: User, why: str) -> Iterator[None]:
    """Keep how a row, which this transaction holds, is before and after the block."""
    history_kept(row)
    yield
    history_kept(row, by=by, why=why)


def people_of(table: Table) -> set[int]:
    """Return the ids of the people who sit at a table now."""
    return _users(Holder.objects.filter(table=table, until=None, user__isnull=False))


def playing_now() -> set[int]:
    """Return the ids of the people whom games await against a clock, for whom no bot plays."""
    timed = Turn.objects.filter(game__table=OuterRef("table"), seat=OuterRef("seat__number"))
    timed = timed.exclude(game__table__pace=Table.Paces.NONE)
    there = Holder.objects.filter(Exists(timed), until=None, stand_in="", user__isnull=False)
    return _users(there)


def _users(rows: QuerySet[Holder]) -> set[int]:
    return {each.user_id for each in rows.only("user") if each.user_id is not None}


def told(*, audit: Audit, kind: str, people: Collection[int | None], now: datetime) -> None:
    """Write down that people shall be told what an operator did, each once; they need not want to hear of it."""
    rows = [
        Notice(
            kind=kind,
            key=office_key(audit, user_id),
            user_id=user_id,
            table=audit.table,
            game=audit.game,
            due=now,
            created=now,
        )
        for user_id in sorted({each for each in people if each is not None})
    ]
    notices_added(rows, now)
