"""Six hours away: every deadline moves by the part in which its turn ran, and nobody is timed out before that."""

import datetime as dt
from typing import Any

import pytest

from games.clocks import clock
from games.clocks.pace import Pace, banked, each_card
from games.clocks.spans import Span, Stops
from games.models import Game, Halt, Pause, Turn, Vacation
from games.selectors.clocks import pace_of, rest_of, run_of
from games.selectors.games import held_seats
from games.selectors.halts import HOLD
from games.services import halts
from games.services.halts import GAP, game_retimed
from games.services.pulse import pulsed
from games.services.sweep import swept
from tests.games.pacing import DAY, HOUR, slow_game, turn_of
from tests.games.stored import NOW
from tests.games.sweeping import MINUTE, SECOND, actors

pytestmark = [pytest.mark.django_db]

LAST, BACK = NOW + HOUR, NOW + 7 * HOUR
"""When the last sweep was, and the next one: both are Saturdays, as NOW is."""
AWAY = Span(LAST, BACK)


def spread(pace: Pace, **columns: Any) -> Game:
    return slow_game(pace=pace, **columns)


def paused(game: Game, since: dt.datetime, until: dt.datetime) -> Game:
    Pause.objects.create(table=game.table, since=since, until=until)
    game_retimed(game_id=game.pk)
    return game


def on_vacation(game: Game) -> Game:
    user = held_seats(game.table_id)[turn_of(game).seat].user_id or 0
    Vacation.objects.create(user_id=user, first=NOW.date(), last=NOW.date(), zone="UTC", made=NOW)
    game_retimed(game_id=game.pk)
    return game


def expected(turn: Turn, before: dt.datetime) -> dt.datetime:
    """What a deadline moves to, worked out with the core's other way to say it."""
    game = Game.objects.select_related("table").get(pk=turn.game_id)
    spans = [Span(each.since, each.until) for each in Pause.objects.filter(table=game.table)]
    if Vacation.objects.exists() and game.table.vacations:
        spans += [Span(NOW, dt.datetime(2026, 2, 1, tzinfo=dt.UTC))]
    stops = Stops(tuple(spans), rest_of(game.table))
    moved = clock.deadline(pace_of(game.table), run_of(turn), stops | [AWAY])
    assert moved is not None
    if not game.table.rest and not spans:
        assert moved - before == clock.shift(AWAY, turn.since, before, stops)
    return moved


def test_every_deadline_over_six_hours() -> None:
    """It is told what each turn lost, by hand and by the core."""
    at = {
        "before": (spread(each_card(HOUR - MINUTE)), dt.timedelta(0)),
        "in": (spread(each_card(3 * HOUR)), 6 * HOUR),
        "just in": (spread(each_card(HOUR + SECOND)), 6 * HOUR),
        "after": (spread(each_card(DAY)), 6 * HOUR),
        "bank": (spread(banked(2 * HOUR, HOUR, 2 * HOUR, HOUR)), 6 * HOUR),
        "resting": (spread(each_card(DAY), rest="5"), dt.timedelta(0)),
        "resting from midnight": (spread(each_card(DAY), rest="6"), 6 * HOUR),
        "paused": (paused(spread(each_card(DAY)), NOW, NOW + 8 * HOUR), dt.timedelta(0)),
        "paused for an hour of it": (paused(spread(each_card(DAY)), NOW + 6 * HOUR, NOW + 7 * HOUR), 5 * HOUR),
        "paused at its end": (paused(spread(each_card(DAY)), NOW + 6 * HOUR, NOW + 9 * HOUR), 5 * HOUR),
    }
    swept(now=NOW + HOUR - 2 * MINUTE)
    swept(now=LAST)
    assert actors(at["before"][0]) == ["timeout"]
    before = {name: turn_of(game).due_at for name, (game, _) in at.items()}
    found = swept(now=BACK)
    assert found.ended == 0
    # The turn that came after this one ran on into it.
    at["before"] = (at["before"][0], 6 * HOUR)
    for name, (game, lost) in at.items():
        turn, due = turn_of(game), before[name]
        assert due is not None
        assert turn.due_at == due + lost == expected(turn, due), name
    [halt] = Halt.objects.all()
    assert (halt.kind, halt.since, halt.until, halt.applied) == ("outage", LAST, BACK, BACK)


def test_days_away_and_outage_count_once() -> None:
    game = on_vacation(spread(each_card(DAY)))
    before = turn_of(game).due_at
    swept(now=LAST)
    swept(now=BACK)
    assert turn_of(game).due_at == before


def test_nobody_is_timed_out_before_five_minutes_are_over() -> None:
    game = spread(each_card(HOUR + MINUTE))
    swept(now=LAST)
    swept(now=BACK)
    due = turn_of(game).due_at
    assert due == BACK + MINUTE
    for at in (BACK + MINUTE, BACK + 2 * MINUTE, BACK + HOLD - SECOND):
        assert swept(now=at, gap=HOUR).ended == 0
    assert turn_of(game).due_at == due
    assert swept(now=BACK + HOLD, gap=HOUR).ended == 1
    assert swept(now=BACK + HOLD, gap=HOUR).ended == 0


def test_it_is_put_right_in_portions_and_a_lost_one_times_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [spread(each_card(3 * HOUR)) for _ in range(4)]
    monkeypatch.setattr(halts.halts_applied, "__kwdefaults__", {"at_once": 3})
    # A reminder that is due works it out as well.
    Turn.objects.update(warn_at=None)
    swept(now=LAST)
    found = swept(now=BACK)
    assert (found.more, found.ended) == (True, 0)
    assert [turn_of(game).due_at for game in games] == [NOW + 9 * HOUR] * 3 + [NOW + 3 * HOUR]
    Halt.objects.update(applied=BACK)
    # The sweep works out anew what it finds due.
    assert swept(now=BACK + HOLD, gap=HOUR).ended == 0
    assert turn_of(games[3]).due_at == NOW + 9 * HOUR


def test_while_only_the_pages_were_away() -> None:
    """The sweep never stopped: it times nobody out once no page has been served for a while."""
    game = spread(each_card(HOUR + 2 * MINUTE))
    pulsed(name="web", now=LAST)
    at = LAST
    while at < BACK:
        swept(now=at)
        at += GAP / 2 if at < LAST + 3 * GAP else GAP
    assert turn_of(game).due_at is None
    assert Halt.objects.get().until is None
    pulsed(name="web", now=BACK)
    swept(now=BACK + SECOND, gap=HOUR)
    assert turn_of(game).due_at == BACK + SECOND + 2 * MINUTE
    assert actors(game) == []
    pulsed(name="web", now=BACK + HOLD)
    assert swept(now=BACK + SECOND + HOLD, gap=HOUR).ended == 1
