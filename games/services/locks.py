"""Locks: who changes a game or a table holds its row for the length of one transaction.

The order is always: the table, then its game. A last card ends the series and a seat that changes hands changes the
game, so that both rows are often held together. People come after them.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import BigIntegerField, QuerySet

from accounts.models import User
from games.models import Game, Table
from games.selectors.prepared import Columns, Given, Prepared
from games.services.errors import GameGone, PersonGone, TableGone

# SQLite lets one transaction write at a time, and those that wait for it poll until they give up. Threads of one
# process queue here instead.
_sqlite_queue = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """Run the block in one transaction of its own, committed for good when the block ends.

    Raises:
        RuntimeError: inside another transaction.
    """
    with ExitStack() as queue:
        if connection.vendor == "sqlite":
            queue.enter_context(_sqlite_queue)
        with transaction.atomic(durable=True):
            # The first thing once it is committed, before effects that may wait for a broker: let the next one write.
            transaction.on_commit(queue.close)
            yield


def game_locked(game_id: int) -> Game:
    """Return a game whose row this transaction now holds, and that of its table, which comes with it.

    Raises:
        GameGone: if there is no such game.
    """
    game = _game(game_id, skip=False)
    if game is None:
        raise GameGone
    return game


def game_if_free(game_id: int) -> Game | None:
    """Return a game as `game_locked` does, without waiting: None if somebody else holds it or its table, or none is.

    On SQLite nobody else can hold it: whoever writes waits for all who write.
    """
    return _game(game_id, skip=True)


def _game(game_id: int, *, skip: bool) -> Game | None:
    rows = (_BOTH_FREE if skip else _BOTH)(game=game_id)
    if not rows:
        return None
    split = len(_TABLES.names)
    game = _GAMES.row(rows[0][split:])
    game.table = _TABLES.row(rows[0][:split])
    return game


def _both(*, skip: bool) -> QuerySet[Any, Any]:
    # PostgreSQL holds the rows of a join in the order of its tables, and returns what they are once they are held. Not
    # the whole lock: rows that refer to the game may be added meanwhile.
    tables = Table.objects.select_for_update(no_key=True, skip_locked=skip)
    return tables.filter(game=Given("game", BigIntegerField())).values_list(*_TABLES.names, *_GAMES.names)


_TABLES, _GAMES = Columns(Table), Columns(Game, "game__")
_BOTH: Final = Prepared(lambda: _both(skip=False))
_BOTH_FREE: Final = Prepared(lambda: _both(skip=True))


def people_held(user_ids: Iterable[int]) -> None:
    """Hold the rows of people who shall have a seat or a table, so that nobody of them is erased or kept out meanwhile.

    Raises:
        PersonGone: somebody was already.
    """
    wanted = set(user_ids)
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=wanted, is_active=True).order_by("pk")
    if len(rows.values_list("pk")) < len(wanted):
        raise PersonGone


def table_locked(table_id: int) -> Table:
    """Return a table whose row this transaction now holds.

    Raises:
        TableGone: if there is no such table.
    """
    table = Table.objects.select_for_update(no_key=True).filter(pk=table_id).first()
    if table is None:
        raise TableGone
    return table
