"""Series of deals in the database for tests, each deal lost by a wanted seat in as many moves as it takes."""

from collections.abc import Sequence
from datetime import timedelta

from accounts.models import User
from games.models import Game, Table
from games.rules.moves import Take
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state
from games.services.dealing import game_next, game_start
from tests.games.stored import NOW, play, table_of


def conceded(game: Game, loser: int) -> Game:
    """A game after it was lost by a seat, which took the hands of all others."""
    while (state := game_state(game)).result is None:
        at = NOW + timedelta(hours=3 * game.number)
        play(game, Take(loser, state.next_seat(loser)), version=state.entries, now=at)
    game.refresh_from_db()
    return game


def series_of_losers(
    losers: Sequence[int], *, persons: Sequence[User], bots: int = 0, deals: int = 0, rules: Ruleset | None = None
) -> list[Game]:
    """The games of a table, each lost by one of these; as many deals are agreed unless told otherwise."""
    table = table_of(rules, persons=persons, bots=bots, deals=deals or len(losers))
    games = list[Game]()
    for loser in losers:
        begin = game_next if games else game_start
        at = NOW + timedelta(hours=3 * len(games))
        games.append(conceded(begin(table_id=table.pk, now=at), loser))
    return games


def table_at(games: Sequence[Game]) -> Table:
    """The table of some games as it is stored now."""
    return Table.objects.get(pk=games[0].table_id)
