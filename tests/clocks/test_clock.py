import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clocks.clock import Run, Spent, bank_back, deadline, left, reminder, settled, shift, spent
from games.clocks.pace import LIVE_LIMITS, MOVE_LIMITS, NO_LIMIT, Kind, Pace, banked, each_card, live
from games.clocks.spans import Rest, Span, Stops, ran, reached
from tests.clocks.slow import CHANGES, DAY, HOUR, MINUTE, ZONES, moment, slow_ran

ZERO = dt.timedelta(0)
START = moment("2026-06-01 12:00")
SECOND = dt.timedelta(seconds=1)
BANK = banked(2 * DAY, 6 * HOUR, 3 * DAY, 10 * MINUTE)


def test_a_limit_for_each_card() -> None:
    pace = each_card(DAY)
    run = Run(START, pace.start)
    assert deadline(pace, run, Stops()) == START + DAY
    assert reminder(pace, run, Stops()) == START + dt.timedelta(hours=19, minutes=12)
    assert left(pace, run, Stops(), START + 20 * HOUR) == 4 * HOUR
    assert left(pace, run, Stops(), START + 30 * HOUR) == ZERO
    done = settled(pace, run, Stops(), START + 5 * HOUR)
    assert (done.bank, done.lost) == (DAY, 19 * HOUR)


def test_a_bank_with_grace_increment_and_cap() -> None:
    run = Run(START, BANK.start)
    assert deadline(BANK, run, Stops()) == START + 2 * DAY + 10 * MINUTE
    # Under grace nothing is charged, and the increment comes all the same.
    assert settled(BANK, run, Stops(), START + 10 * MINUTE).bank == 2 * DAY + 6 * HOUR
    assert settled(BANK, run, Stops(), START + HOUR).spent == Spent(50 * MINUTE, 10 * MINUTE, ZERO, ZERO)
    full = settled(BANK, Run(START, 3 * DAY), Stops(), START + HOUR)
    assert (full.bank, full.lost) == (3 * DAY, 6 * HOUR - 50 * MINUTE)
    # Who runs out has the increment for the next card; what came late is nobody's.
    late = settled(BANK, run, Stops(), START + 3 * DAY)
    assert (late.bank, late.spent.charged, late.spent.late) == (6 * HOUR, 2 * DAY, DAY - 10 * MINUTE)


def test_without_a_limit_nothing_is_charged() -> None:
    run = Run(START, ZERO)
    assert deadline(NO_LIMIT, run, Stops()) is None
    assert reminder(NO_LIMIT, run, Stops()) is None
    assert left(NO_LIMIT, run, Stops(), START + DAY) is None
    pause = Stops((Span(START, START + HOUR),))
    assert settled(NO_LIMIT, run, pause, START + DAY).spent == Spent(ZERO, 23 * HOUR, HOUR, ZERO)


def test_a_live_card() -> None:
    pace = live(45 * SECOND)
    assert pace.live
    assert deadline(pace, Run(START, pace.start), Stops()) == START + 45 * SECOND
    assert reminder(pace, Run(START, pace.start), Stops()) == START + 36 * SECOND


def test_while_nobody_knows_when_a_stop_ends_there_is_no_deadline() -> None:
    pace, frozen = each_card(DAY), Stops((Span(START + HOUR),))
    assert deadline(pace, Run(START, DAY), frozen) is None
    assert left(pace, Run(START, DAY), frozen, START + 9 * DAY) == 23 * HOUR


def test_who_comes_back_has_an_increment_at_the_least() -> None:
    assert bank_back(BANK, ZERO) == 6 * HOUR
    assert bank_back(BANK, DAY) == DAY


@pytest.mark.parametrize(
    "bad",
    [
        lambda: each_card(MOVE_LIMITS[0] - SECOND),
        lambda: each_card(MOVE_LIMITS[1] + SECOND),
        lambda: live(LIVE_LIMITS[0] - SECOND),
        lambda: live(LIVE_LIMITS[1] + SECOND),
        lambda: banked(DAY, ZERO, DAY),
        lambda: banked(ZERO, HOUR, DAY),
        lambda: banked(2 * DAY, HOUR, DAY),
        lambda: banked(DAY, 2 * DAY, DAY),
        lambda: banked(DAY, HOUR, 31 * DAY),
        lambda: banked(DAY, HOUR, DAY, -SECOND),
        lambda: banked(DAY, HOUR, DAY, 8 * DAY),
        lambda: Pace(Kind.NONE, DAY),
        lambda: Pace(Kind.MOVE, DAY, HOUR, DAY),
        lambda: Pace(Kind.LIVE, MINUTE, MINUTE, MINUTE, SECOND),
    ],
)
def test_no_such_pace(bad: object) -> None:
    assert callable(bad)
    with pytest.raises(ValueError, match="no such pace"):
        bad()


def test_an_outage_moves_a_deadline_by_the_part_in_which_the_turn_ran() -> None:
    """Six hours down from 20:00 on Friday in London, where the table rests on Saturday: four of them count."""
    pace, saturday = each_card(DAY), Stops(rest=Rest(frozenset({5}), ZoneInfo("Europe/London")))
    gap = Span(moment("2026-06-05 20:00", "Europe/London"), moment("2026-06-06 02:00", "Europe/London"))
    for since, part in (
        ("2026-06-05 12:00", 4),
        ("2026-06-05 22:00", 2),
        ("2026-06-06 01:00", 0),
        ("2026-06-07 03:00", 0),
    ):
        run = Run(moment(since, "Europe/London"), DAY)
        before, after = deadline(pace, run, saturday), deadline(pace, run, saturday | [gap])
        assert before is not None
        assert after is not None
        assert shift(gap, run.since, before, saturday) == part * HOUR
        assert after - before == part * HOUR


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_outages_move_no_deadline_that_had_passed_and_every_other_by_their_shift(data: st.DataObject) -> None:
    lengths = st.integers(0, 4000).map(lambda number: number * MINUTE)
    spans = (
        Span(START + begin, START + begin + data.draw(lengths)) for begin in data.draw(st.lists(lengths, max_size=3))
    )
    stops = Stops(tuple(spans), Rest(frozenset({1}), ZoneInfo("Europe/London")))
    run, begin = Run(START, max(data.draw(lengths), 5 * MINUTE)), START + data.draw(lengths)
    gap, pace = Span(begin, begin + data.draw(lengths)), each_card(DAY)
    before, after = deadline(pace, run, stops), deadline(pace, run, stops | [gap])
    assert before is not None
    assert after is not None
    part = shift(gap, START, before, stops)
    assert after == reached(before, part, stops)
    assert (part == ZERO) == (after == before)
    assert before > gap.start or after == before


type Steps = list[tuple[str, int]]

STEPS: st.SearchStrategy[Steps] = st.lists(
    st.tuples(
        st.sampled_from(["wait", "card", "card", "nudge", "extend", "pause", "away", "outage", "back"]),
        st.integers(0, 3000),
    ),
    min_size=1,
    max_size=12,
)
PACES = st.sampled_from(
    [each_card(5 * MINUTE), each_card(DAY), live(MINUTE), BANK, banked(HOUR, 5 * MINUTE, 2 * HOUR), NO_LIMIT]
)


class Sitting:
    """One seat through a deal, its time counted by the minute beside the clock that is tested."""

    def __init__(self, pace: Pace, start: dt.datetime, rest: Rest | None) -> None:
        self.pace, self.now, self.stops = pace, start, Stops(rest=rest)
        self.run = Run(start, pace.start)
        self.granted, self.lost, self.parts = pace.start, ZERO, [ZERO] * 4
        self.wall = self.used = self.stood = ZERO

    def step(self, what: str, minutes: int) -> None:
        length = minutes * MINUTE
        if what == "wait":
            self.now += length
        elif what == "extend":
            self.run = Run(self.run.since, self.run.bank, self.run.extended + DAY)
            self.granted += DAY
        elif what == "pause":
            # Such stops begin now; an outage is known afterwards, an away day beforehand.
            self.stops |= [Span(self.now, self.now + length)]
        elif what == "away":
            self.stops |= [Span(self.now + length, self.now + length + DAY)]
        elif what == "outage":
            self.now += length
            self.stops |= [Span(self.now - length, self.now)]
        else:
            self.settle(back=what == "back", nudged=what == "nudge")

    def settle(self, *, back: bool, nudged: bool) -> None:
        """End the turn; the next one begins at once for a nudge, else after others have played for an hour."""
        done = settled(self.pace, self.run, self.stops, self.now)
        ran_slowly = slow_ran(self.run.since, self.now, self.stops)
        self.wall += self.now - self.run.since
        self.stood += self.now - self.run.since - ran_slowly
        if self.pace.timed:
            self.used += min(max(ran_slowly - self.pace.grace, ZERO), self.run.bank + self.run.extended)
        for at, part in enumerate((done.spent.charged, done.spent.free, done.spent.stood, done.spent.late)):
            self.parts[at] += part
        self.lost += done.lost
        self.granted += self.pace.increment
        bank = done.bank
        if back:
            bank = bank_back(self.pace, bank)
            self.granted += bank - done.bank
        self.now += ZERO if nudged else HOUR
        self.run = Run(self.now, bank)

    def check(self) -> None:
        due, given_ = deadline(self.pace, self.run, self.stops), self.run.given(self.pace)
        remaining = left(self.pace, self.run, self.stops, self.now)
        if due is None or remaining is None:
            assert not self.pace.timed
            return
        assert ran(self.run.since, due, self.stops) == given_
        assert remaining == max(given_ - slow_ran(self.run.since, self.now, self.stops), ZERO)
        # The page says the same as the sweep.
        assert (remaining == ZERO) == (due <= self.now)
        warned = reminder(self.pace, self.run, self.stops)
        assert warned is not None
        assert self.run.since <= warned <= due


@settings(max_examples=120, deadline=None)
@given(
    pace=PACES,
    zone=st.sampled_from(ZONES),
    spring=st.booleans(),
    hours=st.integers(-60, 60),
    steps=STEPS,
    data=st.data(),
)
def test_no_time_comes_from_nowhere_and_none_goes(
    pace: Pace, zone: str, spring: bool, hours: int, steps: Steps, data: st.DataObject
) -> None:
    """Used, left and lost to the cap are what was granted; and every minute of a turn went somewhere."""
    days = data.draw(st.sampled_from([None, frozenset({4, 5}), frozenset({5, 6}), frozenset({6})]))
    rest = None if days is None else Rest(days, ZoneInfo(zone))
    seat = Sitting(pace, moment(CHANGES[zone][spring]) + hours * HOUR, rest)
    for what, minutes in steps:
        seat.step(what, minutes)
        seat.check()
    seat.settle(back=False, nudged=True)
    charged, free, stood, late = seat.parts
    assert charged == seat.used
    assert stood == seat.stood
    assert charged + free + stood + late == seat.wall
    if pace.timed:
        assert charged + seat.run.bank + seat.lost == seat.granted
        # Pauses counted as granted: all time of all turns is on both sides.
        assert seat.wall + seat.run.bank + seat.lost == seat.granted + free + stood + late


@given(minutes=st.integers(-500, 500))
def test_skewed_clocks_charge_nothing_negative(minutes: int) -> None:
    cost = spent(BANK, Run(START, BANK.start), Stops(), START + minutes * MINUTE)
    assert min(cost.charged, cost.free, cost.stood, cost.late) == ZERO
    assert cost.charged + cost.free + cost.stood + cost.late == max(minutes, 0) * MINUTE
