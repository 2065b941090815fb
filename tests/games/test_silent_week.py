"""Nobody visits for a week: every deal comes to its end, by whatever the table chose, and no minute is lost."""

import datetime as dt
from typing import Final

import pytest

from games.clocks.pace import NO_LIMIT, Kind, Pace, banked, each_card, live
from games.clocks.spans import ZERO
from games.models import Answer, Bank, Game, Holder, MissedTurn, Notice, Table, Turn
from games.rules.ruleset import Ruleset
from games.selectors.clocks import pace_of
from games.services.bot_turns import bot_move
from games.services.verify import game_verify
from tests.games.pacing import DAY, HOUR, paced
from tests.games.stored import NOW, game_of, people
from tests.games.sweeping import MINUTE, SECOND, actors, bots_act, next_due, sweep

pytestmark = [pytest.mark.django_db]

SEATS: Final = 8
PACES: Final = {
    "move": each_card(DAY),
    "bank": banked(2 * DAY, HOUR, 3 * DAY, 10 * MINUTE),
    "live": live(30 * SECOND),
}


def silent(pace: Pace, missed: str, rules: Ruleset | None = None) -> Game:
    """A first deal of two, of eight people."""
    game = game_of(rules, persons=people(SEATS))
    Table.objects.filter(pk=game.table_id).update(deals=2)
    return paced(game, pace, missed=missed, next="once")


def until_all_are_stood_in(game: Game, monkeypatch: pytest.MonkeyPatch) -> dt.datetime:
    """Sweep whenever something comes due, until bots play for everybody; return when that was."""
    clock = bots_act(monkeypatch)
    for _ in range(200):
        if not Holder.objects.filter(table=game.table, stand_in="").exists():
            return clock[-1]
        due = next_due([game])
        assert due is not None
        clock.append(due)
        sweep(due)
    raise AssertionError(actors(game))


def finished(game: Game, now: dt.datetime) -> None:
    """Let the bots play on; the sweep has shown that it sends for them."""
    version = -1
    while game.version > version:
        version = game.version
        bot_move(game_id=game.pk, version=version, now=now)
        game.refresh_from_db()


def misses(game: Game) -> dict[int, list[str]]:
    """How the turns that each seat missed ended, in their order."""
    found: dict[int, list[str]] = {}
    for seat, how in Answer.objects.filter(game=game).order_by("at", "pk").values_list("seat", "how"):
        found.setdefault(seat, []).append(how)
    return found


def check_conserved(game: Game, pace: Pace) -> None:
    """Of all seats: what was charged, is left and was lost to the cap is what was granted."""
    for seat in range(SEATS):
        answers = list(Answer.objects.filter(game=game, seat=seat))
        spent = sum((each.charged + each.lost for each in answers), ZERO)
        left = Bank.objects.get(game=game, seat=seat).left
        assert spent + left == pace.start + len(answers) * pace.increment
        assert all(each.late == ZERO for each in answers)
        assert all(each.at - each.since == each.charged + each.free + each.stood + each.late for each in answers)


@pytest.mark.parametrize("missed", ["bot", "nudge", "keep"])
@pytest.mark.parametrize("pace", PACES)
def test_a_deal_ends_by_itself(pace: str, missed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Ruleset(opening="any_order") if (pace, missed) == ("move", "bot") else None
    game = silent(PACES[pace], missed, rules)
    end = until_all_are_stood_in(game, monkeypatch)
    assert misses(game) == dict.fromkeys(
        range(SEATS), {"bot": ["timeout"] * 2, "nudge": ["nudge", "timeout"], "keep": ["timeout"]}[missed]
    )
    finished(game, end)
    assert (game.status, game.next_at) == (Game.Status.OVER, None)
    assert set(actors(game)) == {"timeout", "bot"}
    missed_turns = MissedTurn.objects.filter(game=game, excuse="")
    assert missed_turns.count() == Answer.objects.filter(game=game).count()
    check_conserved(game, pace_of(game.table))
    game_verify(game_id=game.pk)
    # It waits for somebody to come back: bots alone begin no deal.
    sweep(end + 30 * DAY)
    assert (Game.objects.count(), Turn.objects.count()) == (1, 0)


def test_without_a_limit_everything_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    game = silent(NO_LIMIT, "bot")
    bots_act(monkeypatch)
    sweep(NOW + 7 * DAY)
    assert (actors(game), next_due([game]), pace_of(game.table).kind) == ([], None, Kind.NONE)
    assert not Notice.objects.exists()
