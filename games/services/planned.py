"""When the next deal of a series begins by itself: some time after the last one, and only while anybody is there."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from games.clocks.spans import FOREVER, Stops, reached
from games.models import Game, Table
from games.selectors.clocks import table_clocks
from games.selectors.games import Held

WAIT: Final = timedelta(minutes=10)
"""How long people may object to the next deal, where the table chose that."""


def next_planned(*, game: Game, held: Mapping[int, Held], now: datetime) -> None:
    """Set, but do not store, when the deal comes after one that ends now: None if somebody has to ask for it."""
    game.next_at = next_moment(table=game.table, held=held, since=now)


def next_moment(*, table: Table, held: Mapping[int, Held], since: datetime) -> datetime | None:
    """Return when a table's next deal comes by itself, if the wait for it began at a moment; None if it does not.

    Pauses of the table and halts of the site stop this wait as they stop clocks; of one that goes on, nobody knows how
    long, so that it is counted once it is over. Where bots play for everybody nobody would see the next deal.
    """
    if table.next == Table.Next.ASK or all(each.awaited_user is None for each in held.values()):
        return None
    wait = max(WAIT if table.next == Table.Next.WAIT else timedelta(0), table.rest_between)
    spans = table_clocks(table, (), since).stops.spans
    return reached(since, wait, Stops(tuple(span for span in spans if span.end != FOREVER)))
