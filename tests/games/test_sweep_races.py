"""Several sweeps at once, by clocks that differ by minutes: what is due happens once."""

import datetime as dt

import pytest

from games.clocks.pace import each_card
from games.models import Answer, Game, MissedTurn, Move, Table
from games.rules.ruleset import Ruleset
from games.services.planned import WAIT
from games.services.pulse import pulsed
from games.services.sweep import Swept
from games.services.verify import game_verify
from tests.games.pacing import DAY, paced, slow_game
from tests.games.stored import NOW, game_of, in_threads, people, play_on
from tests.games.sweeping import MINUTE, sweep
from tests.games.test_going_on import series

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

# All is due by the slowest of the clocks, too.
AT = NOW + DAY + 6 * MINUTE
SKEWED = [AT, AT + 5 * MINUTE, AT - 5 * MINUTE]


def swept_at_once(moments: list[dt.datetime]) -> list[Swept]:
    """What sweeps did that ran at the same time."""
    # The pulse is that of the latest: workers share one clock for it, and no gap is seen.
    pulsed(name="sweep", now=max(moments))
    results = in_threads(len(moments), lambda number: sweep(moments[number]))
    found = [each for each in results if isinstance(each, Swept)]
    assert len(found) == len(moments), results
    assert not any(each.failed for each in found)
    return found


def test_each_turn_has_one_entry() -> None:
    games = [slow_game() for _ in range(6)]
    opening = game_of(Ruleset(opening="any_order"), persons=people(6))
    play_on(opening, lambda state: len(state.trick) == 1)
    paced(opening, each_card(DAY))
    found = [*swept_at_once(SKEWED), sweep(max(SKEWED))]
    # Whoever finds a table held does not wait for it: what nobody saw to so the next sweep does.
    assert sum(each.ended for each in found) == 6 + 5
    assert sum(each.ended for each in found[:3]) >= 6
    for game in games:
        assert [each.actor for each in Move.objects.filter(game=game)] == ["timeout"]
    rest = Move.objects.filter(game=opening, number__gt=1).order_by("seat").values_list("seat", "actor")
    assert len(rest) == len({seat for seat, _ in rest}) == 5
    assert {actor for _, actor in rest} == {"timeout"}
    for rows in (MissedTurn.objects, Answer.objects.filter(how="timeout")):
        assert rows.count() == 6 + 5
    for game in (*games, opening):
        game_verify(game_id=game.pk)


def test_each_series_has_one_next_deal() -> None:
    tables = [series().table_id for _ in range(4)]
    moments = [each - DAY + WAIT for each in SKEWED]
    found = [*swept_at_once(moments), sweep(max(moments))]
    assert sum(each.dealt for each in found) == 4
    for table_id in tables:
        assert list(Game.objects.filter(table=table_id).order_by("number").values_list("number", flat=True)) == [1, 2]
    assert Table.objects.filter(status="running").count() == 4
