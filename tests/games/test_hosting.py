"""What the host does with a table; the same people again; tables that never start."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Block, User
from games.models import Game, Holder, Table
from games.rules.ruleset import Ruleset
from games.selectors.company import NotAtTable
from games.selectors.games import game_state
from games.services import errors
from games.services.again import table_again
from games.services.clean import tables_cleaned
from games.services.hosting import host_handed, table_closed, table_renamed, table_start
from games.services.seats import seat_left, seat_removed
from games.tasks import clean
from tests.games.gathering import LATER, check_seats_whole, draft, seated, sit, told
from tests.games.stored import NOW, everything, over, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(nani: User) -> Table:
    """Nani's, with Roza at seat 3 of 5."""
    table = draft(nani, 4, starts="host")
    sit(table, person("Roza"), seat=3)
    return table


class TestStart:
    def test_short_with_bots(self, table: Table, nani: User) -> None:
        game = table_start(table_id=table.pk, host=nani, short="bots", level="medium", now=LATER)
        assert [bot for _, _, bot in seated(table)] == ["", "medium", "medium", "", "medium"]
        assert len({name for _, name, _ in seated(table)}) == 5
        assert len(game_state(game).hands) == 5
        assert told("table_started") == ["Roza"]
        check_seats_whole(table)

    def test_with_fewer_the_seats_are_numbered_anew(self, table: Table, nani: User) -> None:
        sit(table, person("Bilal"), seat=4)
        game = table_start(table_id=table.pk, host=nani, short="fewer", now=LATER)
        assert seated(table) == [(0, "Nani", ""), (1, "Roza", ""), (2, "Bilal", "")]
        assert (game.table.seats, len(game_state(game).hands)) == (3, 3)
        check_seats_whole(table)

    def test_who_was_taken_away_goes_with_the_seat(self, table: Table, nani: User) -> None:
        sit(table, person("Bilal"), seat=1), sit(table, person("Omana"), seat=4)
        seat_removed(table_id=table.pk, host=nani, seat=1, now=LATER)
        table_start(table_id=table.pk, host=nani, short="fewer", now=LATER)
        assert Holder.objects.filter(table=table).count() == 3
        check_seats_whole(table)

    def test_a_full_table_needs_no_word_on_free_seats(self, nani: User) -> None:
        for short in ("no", "bots", "fewer"):
            table = draft(nani, 2, starts="host")
            sit(table), sit(table)
            table_start(table_id=table.pk, host=nani, short=short, now=LATER)
            check_seats_whole(table)

    @pytest.mark.parametrize(
        ("short", "error"), [("no", errors.SeatsFree), ("fewer", errors.TooFewSeats), ("all", ValueError)]
    )
    def test_what_cannot_be_changes_nothing(self, table: Table, nani: User, short: str, error: type[Exception]) -> None:
        before = everything()
        with pytest.raises(error):
            table_start(table_id=table.pk, host=nani, short=short, now=LATER)
        assert everything() == before
        check_seats_whole(table)

    def test_two_packs_are_not_for_four(self, nani: User) -> None:
        table = draft(nani, 5, rules=Ruleset(packs=2), starts="host")
        sit(table), sit(table), sit(table)
        with pytest.raises(errors.TooFewSeats):
            table_start(table_id=table.pk, host=nani, short="fewer", now=LATER)
        sit(table)
        table_start(table_id=table.pk, host=nani, short="fewer", now=LATER)
        check_seats_whole(table)


def running(table: Table, host: User) -> None:
    table_start(table_id=table.pk, host=host, short="bots", now=LATER)


def ended(table: Table, host: User) -> None:
    over(table_start(table_id=table.pk, host=host, short="bots", level="random", now=LATER))


def shut(table: Table, host: User) -> None:
    table_closed(table_id=table.pk, host=host, now=LATER)


ACTS: dict[str, Callable[[int, User], Any]] = {
    "start": lambda pk, host: table_start(table_id=pk, host=host, short="bots", now=LATER),
    "rename": lambda pk, host: table_renamed(table_id=pk, host=host, name="Theirs", now=LATER),
    "hand": lambda pk, host: host_handed(table_id=pk, host=host, seat=3, now=LATER),
    "close": lambda pk, host: table_closed(table_id=pk, host=host, now=LATER),
    "remove": lambda pk, host: seat_removed(table_id=pk, host=host, seat=3, now=LATER),
}


@pytest.mark.parametrize("act", ACTS)
def test_only_the_host_may(table: Table, act: str) -> None:
    roza = Holder.objects.get(seat__number=3).user
    assert roza is not None
    before = everything()
    with pytest.raises(errors.NotHost):
        ACTS[act](table.pk, roza)
    with pytest.raises(errors.TableGone):
        ACTS[act](0, roza)
    assert everything() == before


@pytest.mark.parametrize(
    ("bring", "acts", "error"),
    [
        (running, ("start", "close", "remove"), errors.TableStarted),
        (ended, ACTS, errors.TableOver),
        (shut, ACTS, errors.TableClosed),
    ],
)
def test_not_at_every_time(table: Table, nani: User, bring: Any, acts: Any, error: type[Exception]) -> None:
    bring(table, nani)
    before = everything()
    for act in acts:
        with pytest.raises(error):
            ACTS[act](table.pk, nani)
    assert everything() == before


class TestRename:
    def test_before_and_while_they_play_and_boards_are_told(self, table: Table, nani: User) -> None:
        table_renamed(table_id=table.pk, host=nani, name="Chai and cards", now=LATER)
        assert Table.objects.get().name == "Chai and cards"
        game = table_start(table_id=table.pk, host=nani, short="bots", now=LATER)
        table_renamed(table_id=table.pk, host=nani, name="Cards", now=LATER)
        assert Table.objects.get().name == "Cards"
        assert Game.objects.get().revision == game.revision + 1


class TestHand:
    def test_the_other_is_told_and_may_now(self, table: Table, nani: User) -> None:
        host_handed(table_id=table.pk, host=nani, seat=3, now=LATER)
        roza = Holder.objects.get(seat__number=3).user
        assert Table.objects.get().host == roza
        assert told("host_handed") == ["Roza"]
        assert roza is not None
        running(table, roza)

    @pytest.mark.parametrize("seat", [0, 1, 2, 9])
    def test_not_to_oneself_a_bot_or_nobody(self, nani: User, seat: int) -> None:
        table = draft(nani, 2, bots=1)
        before = everything()
        with pytest.raises(errors.SeatEmpty):
            host_handed(table_id=table.pk, host=nani, seat=seat, now=LATER)
        assert everything() == before


def test_a_closed_table_is_told_of(table: Table, nani: User) -> None:
    shut(table, nani)
    table.refresh_from_db()
    assert (table.status, table.closed, table.started) == ("closed", LATER, None)
    assert told("table_closed") == ["Roza"]


class TestAgain:
    @pytest.fixture
    def done(self, table: Table, nani: User) -> Table:
        """Nani, Roza at 3 and Bilal at 4 have played, with two bots."""
        sit(table, person("Bilal"), seat=4)
        ended(table, nani)
        table.refresh_from_db()
        return table

    def test_the_others_are_asked_and_keep_their_seats(self, done: Table, nani: User) -> None:
        fresh = table_again(code=done.code, host=nani, now=LATER)
        assert isinstance(fresh, Table)
        assert (fresh.like, fresh.status, fresh.joins, fresh.starts) == (done, "open", "invited", "full")
        assert (fresh.rules, fresh.deals, fresh.title, fresh.host) == (done.rules, done.deals, done.title, nani)
        before = seated(done)
        assert seated(fresh) == before[:3]
        assert told("again") == ["Roza", "Bilal"]
        for name, seat in (("Bilal", 4), ("Roza", 3)):
            sit(fresh, User.objects.get(name=name), seat=seat)
        assert seated(fresh) == before
        assert Game.objects.filter(table=fresh).exists()

    def test_strangers_are_not(self, done: Table, nani: User) -> None:
        fresh = table_again(code=done.code, host=nani, now=LATER)
        assert isinstance(fresh, Table)
        with pytest.raises(errors.NotInvited):
            sit(fresh)

    def test_who_comes_second_finds_the_first_ones(self, done: Table, nani: User) -> None:
        fresh = table_again(code=done.code, host=nani, now=LATER)
        before = everything()
        roza = User.objects.get(name="Roza")
        assert table_again(code=done.code, host=roza, now=LATER) == fresh
        assert table_again(code=done.code, host=nani, now=LATER) == fresh
        assert everything() == before
        assert isinstance(fresh, Table)
        shut(fresh, nani)
        assert table_again(code=done.code, host=roza, now=LATER) not in (fresh, done)

    def test_not_with_whom_one_keeps_away(self, done: Table, nani: User) -> None:
        roza = User.objects.get(name="Roza")
        Block.objects.create(owner=roza, other=nani)
        fresh = table_again(code=done.code, host=nani, now=LATER)
        assert told("again") == ["Bilal"]
        assert table_again(code=done.code, host=roza, now=LATER) != fresh

    def test_alone_among_bots_it_is_dealt_at_once(self, nani: User) -> None:
        table = draft(nani, 3)
        ended(table, nani)
        assert isinstance(table_again(code=table.code, host=nani, now=LATER), Game)

    def test_not_by_strangers_guests_and_not_too_early(self, table: Table, nani: User) -> None:
        stranger = person()
        running(table, nani)
        before = everything()
        with pytest.raises(errors.SeriesRunning):
            table_again(code=table.code, host=nani, now=LATER)
        with pytest.raises(NotAtTable):
            table_again(code=table.code, host=stranger, now=LATER)
        assert everything() == before
        over(Game.objects.get())
        User.objects.filter(name="Nani").update(email=None)
        nani.refresh_from_db()
        with pytest.raises(errors.EmailNeeded):
            table_again(code=table.code, host=nani, now=LATER)


class TestClean:
    def test_warned_after_twelve_days_closed_after_fourteen(self, table: Table) -> None:
        # Each day twice: the second time there is nothing to do.
        days = [day // 2 for day in range(32)]
        found = [(day, *tables_cleaned(now=NOW + dt.timedelta(days=day))) for day in days]
        assert [each for each in found if each[1:] != (0, 0)] == [(12, 1, 0), (14, 0, 1)]
        assert told("table_warned") == ["Nani"]
        assert told("table_closed") == ["Nani", "Roza"]
        table.refresh_from_db()
        assert (table.status, table.closed) == ("closed", NOW + dt.timedelta(days=14))

    def test_never_closed_before_two_days_have_passed_since_the_warning(self, table: Table) -> None:
        late = NOW + dt.timedelta(days=40)
        assert tables_cleaned(now=late) == (1, 0)
        assert tables_cleaned(now=late + dt.timedelta(days=1)) == (0, 0)
        assert tables_cleaned(now=late + dt.timedelta(days=2)) == (0, 1)

    def test_what_has_started_or_has_no_host_is_let_be_or_closed(self, table: Table, nani: User) -> None:
        running(table, nani)
        Table.objects.filter(pk=draft(nani).pk).update(host=None)
        assert tables_cleaned(now=NOW + dt.timedelta(days=12)) == (1, 0)
        assert not told("table_warned")
        assert tables_cleaned(now=NOW + dt.timedelta(days=14)) == (0, 1)

    def test_by_the_clock(self, table: Table) -> None:
        clean()
        assert told("table_warned") == ["Nani"]


def test_a_guest_may_leave(nani: User) -> None:
    table = draft(nani, 2)
    sit(table)
    seat_left(table_id=table.pk, user=User.objects.get(name__startswith="Guest"), now=LATER)
    assert seated(table) == [(0, "Nani", "")]
