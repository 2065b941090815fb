"""Tables: closing one, and giving one another name."""

from datetime import datetime

from accounts.models import User
from accounts.names import name_cleaned, name_problem
from games.models import Audit, Game, Table
from games.models.table import NAME_LENGTH
from games.services.errors import NameUnfit
from games.services.hosting import check_lives, newest_game, renamed, shut
from games.services.letters.office import TABLE
from games.services.locks import table_locked, writing
from games.services.office.acting import audited, history, people_of, reason, told
from games.services.office.seen import check_seen
from games.services.office.stopping import game_stopped
from games.services.projections import board_changed, series_ended


def table_close(*, table_id: int, by: User, why: str, seen: str, now: datetime) -> Audit:
    """Close a table: one that waits for people is never played, at one that is played the series is over.

    A deal that is being played there is ended, and nobody has lost it.

    Raises:
        TableGone: there is no such table.
        Changed: it is not as the operator's page showed it.
        TableOver, TableClosed: nobody plays there any more.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        table = _held(table_id, seen)
        check_lives(table)
        before, game = {"status": str(table.status)}, newest_game(table)
        if table.status == Table.Status.OPEN:
            shut(table=table, now=now)
        else:
            series_ended(table)
            _last_ended(game, now)
        audit = audited(
            action=Audit.Action.CLOSE,
            by=by,
            why=why,
            table=table,
            game=game,
            before=before,
            after={"status": str(table.status)},
            now=now,
        )
        told(audit=audit, kind=TABLE, people=people_of(table), now=now)
        return audit


def _last_ended(game: Game | None, now: datetime) -> None:
    """Let the last deal of a table whose series is over be the last."""
    if game is None:
        return
    if game.status == Game.Status.RUNNING:
        game_stopped(game=game, now=now)
    else:
        game.next_at = None
        game.save(update_fields=["next_at"])
        board_changed(game=game)


def table_rename(*, table_id: int, by: User, why: str, name: str, seen: str, now: datetime) -> Audit:
    """Give a table another name, also one at which nobody plays any more.

    Raises:
        TableGone: there is no such table.
        Changed: it is not as the operator's page showed it.
        NameUnfit: what is wrong with the name.
        ReasonNeeded: no reason was given.
    """
    why = reason(why)
    with writing():
        return table_named(table=_held(table_id, seen), by=by, why=why, name=name, now=now)


def table_named(*, table: Table, by: User, why: str, name: str, now: datetime) -> Audit:
    """Give a table that this transaction holds another name; *why* is a reason.

    Raises:
        NameUnfit: what is wrong with the name.
    """
    name = name_cleaned(name)
    fault = name_problem(name, most=NAME_LENGTH)
    if fault or name == table.name:
        raise NameUnfit(fault or "That is what it is called already.")
    with history(table, by=by, why=why):
        renamed(table=table, name=name)
    # Neither name: people may be named in them, who may be erased one day.
    audit = audited(action=Audit.Action.RENAME, by=by, why=why, table=table, after={"of": "table"}, now=now)
    told(audit=audit, kind=TABLE, people=people_of(table), now=now)
    return audit


def _held(table_id: int, seen: str) -> Table:
    table = table_locked(table_id)
    check_seen(table, seen)
    return table
