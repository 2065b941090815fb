"""When the site was away, or somebody stopped its clocks: what is noticed, and what becomes of deadlines."""

import datetime as dt
import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.clocks.pace import each_card
from games.models import Audit, Game, Halt, Pause, Pulse, Turn
from games.selectors.halts import HOLD, clocks_halted
from games.services import halts
from games.services.going_on import next_dealt
from games.services.halts import GAP, halt_noticed, halts_applied
from games.services.office.acting import COMMAND_LINE
from games.services.pulse import SWEEP, WEB, pulsed, site_now
from tests.games.halting import frozen, thawed
from tests.games.pacing import DAY, HOUR, slow_game, turn_of
from tests.games.stored import NOW, everything, in_threads, people

pytestmark = [pytest.mark.django_db]

SECOND = dt.timedelta(seconds=1)


def pulses(**at: dt.datetime) -> None:
    for name, moment in at.items():
        pulsed(name=name, now=moment)


def halted() -> list[tuple[str, dt.datetime, dt.datetime | None]]:
    return list(Halt.objects.order_by("pk").values_list("kind", "since", "until"))


class TestNoticed:
    def test_at_the_first_start_nothing_was_missed(self) -> None:
        assert halt_noticed(now=NOW) is None
        assert dict(Pulse.objects.values_list("name", "at")) == {SWEEP: NOW}

    def test_a_gap_is_longer_than_its_limit(self) -> None:
        pulses(sweep=NOW)
        assert halt_noticed(now=NOW + GAP) is None
        assert halt_noticed(now=NOW + GAP + GAP + SECOND) is not None
        assert halted() == [("outage", NOW + GAP, NOW + GAP + GAP + SECOND)]
        assert halt_noticed(now=NOW + GAP + GAP + 2 * SECOND) is None

    def test_a_clock_that_goes_behind_makes_none(self) -> None:
        pulses(sweep=NOW)
        assert halt_noticed(now=NOW - HOUR) is None
        assert Pulse.objects.get(name=SWEEP).at == NOW
        assert halt_noticed(now=NOW + GAP) is None

    def test_while_no_page_is_served_it_lasts(self) -> None:
        """The worker went on all the time: the gap is that of the pages alone."""
        pulses(sweep=NOW + HOUR, web=NOW)
        later = NOW + HOUR + SECOND
        assert halt_noticed(now=later) is not None
        assert halted() == [("outage", NOW, None)]
        assert halt_noticed(now=later + SECOND) is not None
        assert clocks_halted(later + SECOND)
        pulses(web=later + 2 * SECOND)
        assert halt_noticed(now=later + 3 * SECOND) is not None
        assert halted() == [("outage", NOW, later + 3 * SECOND)]
        assert halt_noticed(now=later + 4 * SECOND) is None

    def test_both_away_are_one_outage(self) -> None:
        pulses(sweep=NOW, web=NOW - 10 * SECOND)
        halt_noticed(now=NOW + HOUR)
        assert halted() == [("outage", NOW - 10 * SECOND, None)]
        pulses(web=NOW + HOUR)
        halt_noticed(now=NOW + HOUR + SECOND)
        assert halted() == [("outage", NOW - 10 * SECOND, NOW + HOUR + SECOND)]

    def test_pages_that_never_told_are_not_waited_for(self) -> None:
        pulses(sweep=NOW)
        halt_noticed(now=NOW + HOUR)
        assert halted() == [("outage", NOW, NOW + HOUR)]


class TestHalted:
    def test_for_five_minutes_more(self) -> None:
        assert not clocks_halted(NOW, HOLD)
        frozen(why="", now=NOW)
        assert clocks_halted(NOW)
        thawed(now=NOW + HOUR)
        assert not clocks_halted(NOW + HOUR)
        assert clocks_halted(NOW + HOUR + HOLD - SECOND, HOLD)
        assert not clocks_halted(NOW + HOUR + HOLD, HOLD)


class TestFreeze:
    def test_it_is_one_until_it_is_thawed(self) -> None:
        first = frozen(why="We move to another server.", now=NOW)
        assert frozen(why="Again", now=NOW + HOUR) == first
        assert thawed(now=NOW + 2 * HOUR) == first
        assert thawed(now=NOW + 3 * HOUR) is None
        assert halted() == [("freeze", NOW, NOW + 2 * HOUR)]
        assert frozen(why="x" * 300, now=NOW + 4 * HOUR).why == "x" * 200

    def test_by_commands(self) -> None:
        said = io.StringIO()
        with pytest.raises(CommandError):
            call_command("freeze")
        for command in ("freeze", "thaw"):
            with pytest.raises(CommandError, match="Say why"):
                call_command(command, " ")
        call_command("freeze", "We move.", stdout=said)
        call_command("freeze", "Again.", stdout=said)
        [halt] = Halt.objects.all()
        assert (halt.why, halt.until) == ("We move.", None)
        call_command("thaw", stdout=said)
        call_command("thaw", "Again.", stdout=said)
        halt.refresh_from_db()
        assert halt.until is not None
        assert [line.split(":")[0].rstrip(".") for line in said.getvalue().splitlines()] == [
            "All clocks stand still now",
            "The clocks of the site stand still already",
            "The clocks run again",
            "Nobody has stopped the clocks of the site",
        ]
        # As at the desk: who, when and why.
        rows: Any = Audit.objects.order_by("pk").values_list("action", "by", "why", "after__from")
        assert list(rows) == [
            ("freeze", None, "We move.", COMMAND_LINE),
            ("thaw", None, "The site goes on.", COMMAND_LINE),
        ]


def gone(hours: float, since: dt.datetime = NOW + HOUR) -> Halt:
    """An outage of some hours that is over."""
    return Halt.objects.create(kind="outage", since=since, until=since + hours * HOUR)


class TestApplied:
    def test_a_deadline_moves_by_the_part_in_which_its_turn_ran(self) -> None:
        game = slow_game()
        before = game.revision
        gone(6, since=NOW - 2 * HOUR)
        assert not halts_applied(now=NOW + DAY)
        assert turn_of(game).due_at == NOW + DAY + 4 * HOUR
        game.refresh_from_db()
        assert game.revision == before + 1
        [halt] = Halt.objects.all()
        assert halt.applied == NOW + DAY

    @pytest.mark.parametrize("columns", [{"rest": "56"}, {}])
    def test_what_stood_still_anyway_counts_once(self, columns: dict[str, Any]) -> None:
        """NOW is a Saturday: the table rests; the other one has a pause until then."""
        game = slow_game(**columns)
        if not columns:
            Pause.objects.create(table=game.table, since=NOW, until=NOW + 36 * HOUR)
        halts.game_retimed(game_id=game.pk)
        before, revision = turn_of(game).due_at, Game.objects.get().revision
        gone(6)
        halts_applied(now=NOW + DAY)
        assert turn_of(game).due_at == before
        # Its board says that the site was away all the same.
        assert Game.objects.get().revision == revision + 1

    def test_in_portions_broken_off_and_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        games = [slow_game() for _ in range(5)]
        late = slow_game(pace=each_card(HOUR / 2))
        gone(6)
        with monkeypatch.context() as patched:
            # Dies after the games of a portion, before it has stored how far it has come.
            patched.setattr(halts, "Greatest", None)
            with pytest.raises(TypeError):
                halts_applied(now=NOW + DAY, at_once=2)
        assert Turn.objects.filter(due_at=NOW + DAY + 6 * HOUR).count() == 2
        assert [halts_applied(now=NOW + DAY, at_once=2) for _ in range(4)] == [True, True, True, False]
        assert [turn_of(game).due_at for game in games] == [NOW + DAY + 6 * HOUR] * 5
        # Its time was up before the outage began, which took nothing from it.
        assert turn_of(late).due_at == NOW + HOUR / 2
        assert not halts_applied(now=NOW + DAY)

    def test_while_it_lasts_nobody_knows_a_deadline(self) -> None:
        game = slow_game()
        halt = frozen(why="", now=NOW + HOUR)
        assert not halts_applied(now=NOW + 2 * HOUR)
        assert (turn_of(game).due_at, Game.objects.get().revision) == (None, game.revision + 1)
        assert Halt.objects.get().applied is not None
        thawed(now=NOW + 3 * HOUR)
        halt.refresh_from_db()
        assert (halt.applied, halt.upto) == (None, 0)
        halts_applied(now=NOW + 3 * HOUR)
        assert (turn_of(game).due_at, Game.objects.get().revision) == (NOW + DAY + 2 * HOUR, game.revision + 2)

    def test_a_turn_that_began_in_a_freeze_has_a_deadline_after_it(self) -> None:
        frozen(why="", now=NOW)
        game = slow_game()
        assert turn_of(game).due_at is None
        assert not halts_applied(now=NOW + HOUR)
        thawed(now=NOW + HOUR)
        halts_applied(now=NOW + HOUR)
        assert turn_of(game).due_at == NOW + DAY + HOUR

    def test_games_that_are_over_or_aside_are_let_be(self) -> None:
        game = slow_game()
        Game.objects.filter(pk=game.pk).update(aside=NOW)
        gone(6)
        rows = everything()["Turn"]
        halts_applied(now=NOW + DAY)
        assert everything()["Turn"] == rows
        assert next_dealt(game_id=game.pk, now=NOW) is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite_too
def test_of_five_at_once_one_notices() -> None:
    pulses(sweep=NOW)
    results = in_threads(5, lambda _: halt_noticed(now=NOW + HOUR))
    assert sum(isinstance(each, Halt) for each in results) == 1, results
    assert halted() == [("outage", NOW, NOW + HOUR)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite_too
def test_of_five_first_ones_at_once_none_does() -> None:
    people(1)
    assert in_threads(5, lambda _: halt_noticed(now=NOW)) == [None] * 5
    assert in_threads(5, lambda number: pulsed(name=WEB, now=NOW + number * SECOND)) == [None] * 5
    assert dict(Pulse.objects.values_list("name", "at")) == {SWEEP: NOW, WEB: NOW + 4 * SECOND}


@pytest.mark.sqlite_too
def test_the_sites_clock_goes() -> None:
    now = dt.datetime.now(dt.UTC)
    assert abs(site_now() - now) < HOUR
    assert site_now().utcoffset() == dt.timedelta(0)
