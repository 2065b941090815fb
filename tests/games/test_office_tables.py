"""What operators do to tables, seats and clocks: each acts as told, tells the table, and is refused without a trace."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Extension, Game, Halt, Holder, Notice, Result, Table, Turn
from games.services.again import table_again
from games.services.errors import (
    NameUnfit,
    SeatEmpty,
    TableClosed,
    TableGone,
    TableNotStarted,
    TableOver,
    TableStarted,
)
from games.services.hosting import table_closed
from games.services.office.clocks import LEAST, MOST, deadlines_extend, site_freeze, site_thaw
from games.services.office.errors import (
    Changed,
    FrozenAlready,
    GameOver,
    LengthUnfit,
    LevelUnknown,
    NotFrozen,
    ReasonNeeded,
)
from games.services.office.seats import seat_free, seat_replace
from games.services.office.seen import seen_of
from games.services.office.tables import table_close, table_rename
from games.services.stop_errors import NothingToExtend
from tests.games.gathering import LATER, check_seats_whole, draft, sit
from tests.games.office import WHY, left, refused, told, verified
from tests.games.stored import NOW, game_of, over, people, person, play_on
from tests.games.telling import HOUR, waits

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


@pytest.fixture
def game() -> Game:
    game = game_of(persons=people(3), bots=1)
    Table.objects.update(deals=3)
    play_on(game, lambda state: state.tricks == 1)
    return Game.objects.select_related("table").get()


@pytest.fixture
def open_table() -> Table:
    table = draft(person("Nani"), 3, bots=1)
    sit(table, person("Roza"))
    return table


def asked(table: Table, by: User, **more: Any) -> dict[str, Any]:
    return {"table_id": table.pk, "by": by, "why": WHY, "seen": seen_of(table), "now": LATER} | more


def test_a_bot_plays_on_for_somebody(game: Game, by: User) -> None:
    Table.objects.update(host=User.objects.get(name="P1"))
    table, revision = Table.objects.get(), game.revision
    audit = seat_replace(**asked(table, by, seat=1, level="easy"))
    assert audit == left("replace", by=by)
    assert (audit.before, audit.after) == ({"seat": 1, "bot": ""}, {"seat": 1, "bot": "easy"})
    assert (audit.person, audit.table) == (User.objects.get(name="P1"), table)
    assert Holder.objects.get(seat__number=1, until=None).bot == "easy"
    assert told(audit) == ["P0", "P1", "P2"]
    assert Table.objects.get().host == User.objects.get(name="P0")
    assert Game.objects.get().revision > revision
    verified()


def test_a_seat_is_free_again(open_table: Table, by: User) -> None:
    audit = seat_free(**asked(open_table, by, seat=2))
    assert audit == left("free", by=by)
    assert told(audit) == ["Nani", "Roza"]
    assert not Holder.objects.filter(seat__number=2, until=None).exists()
    # The host's letter is the host's.
    assert not Notice.objects.filter(kind="seat_removed").exists()
    with refused(Changed):
        seat_free(**asked(open_table, by, seat=1, seen="0"))
    seat_free(**asked(open_table, by, seat=1))
    check_seats_whole(open_table)


def test_the_host_is_taken_from_their_seat(open_table: Table, by: User) -> None:
    seat = Holder.objects.get(user__name="Nani").seat.number
    seat_free(**asked(open_table, by, seat=seat))
    assert Table.objects.get().host == User.objects.get(name="Roza")
    seat = Holder.objects.get(user__name="Roza", until=None).seat.number
    seat_free(**asked(Table.objects.get(), by, seat=seat))
    assert Table.objects.get().status == Table.Status.CLOSED


def test_a_table_that_waits_is_closed(open_table: Table, by: User) -> None:
    audit = table_close(**asked(open_table, by))
    assert audit == left("close", by=by)
    assert (audit.before, audit.after) == ({"status": "open"}, {"status": "closed"})
    assert told(audit) == ["Nani", "Roza"]
    assert (Table.objects.get().status, Table.objects.get().closed) == (Table.Status.CLOSED, LATER)
    assert not Notice.objects.filter(kind="table_closed").exists()


def test_one_that_is_played_is_over_with_its_deal(game: Game, by: User) -> None:
    audit = table_close(**asked(game.table, by))
    assert (audit.game, audit.after) == (game, {"status": "over"})
    assert Table.objects.get().status == Table.Status.OVER
    assert Result.objects.get().stopped
    assert Game.objects.get().next_at is None
    assert told(audit) == ["P0", "P1", "P2"]
    verified()


@pytest.mark.parametrize("persons", [1, 3])
def test_the_same_people_may_play_again_after_it(by: User, persons: int) -> None:
    game = game_of(persons=people(persons), bots=4 - persons, level="easy")
    Table.objects.update(deals=3)
    table_close(**asked(Table.objects.get(), by))
    host = User.objects.get(name="P0")
    table_again(code=game.table.code, host=host, now=NOW)
    assert Table.objects.count() == 2


def test_one_between_two_deals_has_no_next_one(game: Game, by: User) -> None:
    over(game)
    assert Game.objects.get().next_at is not None
    revision = Game.objects.get().revision
    table_close(**asked(Table.objects.get(), by))
    found = Game.objects.get()
    assert (found.next_at, Table.objects.get().status) == (None, Table.Status.OVER)
    assert found.revision > revision
    assert not Result.objects.get().stopped
    verified()


def test_a_table_gets_another_name(game: Game, by: User) -> None:
    audit = table_rename(**asked(game.table, by, name="  Sunday   round "))
    assert audit == left("rename", by=by)
    assert Table.objects.get().name == "Sunday round"
    assert told(audit) == ["P0", "P1", "P2"]
    # No name is kept: a person may be called in it.
    assert (audit.before, audit.after) == ({}, {"of": "table"})
    table_close(**asked(Table.objects.get(), by))
    table_rename(**asked(Table.objects.get(), by, name="Another"))
    assert Table.objects.get().name == "Another"


def extend(game: Game, by: User, length: timedelta = HOUR, **more: Any) -> Any:
    given: dict[str, Any] = {
        "game_id": game.pk,
        "by": by,
        "why": WHY,
        "length": length,
        "seen": seen_of(game),
        "now": NOW,
    }
    return deadlines_extend(**given | more)


def test_everybody_who_is_awaited_has_more_time(by: User) -> None:
    game, _ = waits(24)
    before, revision = Turn.objects.get().due_at, game.revision
    assert before is not None
    audit = extend(game, by, 5 * HOUR)
    assert audit == left("extend", by=by)
    turn = Turn.objects.get()
    assert (turn.due_at, turn.extended) == (before + 5 * HOUR, 5 * HOUR)
    assert audit.after == {"seats": [turn.seat], "seconds": 5 * 3600}
    # Theirs is what players may give.
    assert not Extension.objects.exists()
    assert told(audit) == ["Asha", "Bilal", "Chandni"]
    assert Game.objects.get().revision > revision
    with refused(Changed):
        extend(game, by, seen="0")
    extend(game, by)
    assert Turn.objects.get().due_at == before + 6 * HOUR


def test_what_cannot_be_added_is_not(game: Game, by: User) -> None:
    for length in (LEAST - timedelta(seconds=1), MOST + timedelta(seconds=1), -HOUR):
        with refused(LengthUnfit):
            extend(game, by, length)
    with refused(NothingToExtend):
        extend(game, by)
    with refused(ReasonNeeded):
        extend(game, by, why="")
    over(game)
    with refused(GameOver):
        extend(game, by)


def test_the_site_stands_still_and_goes_on(by: User) -> None:
    game, user = waits(24)
    halt = site_freeze(by=by, why=WHY, now=NOW)
    audit = left("freeze", by=by)
    assert (halt.kind, halt.until, halt.why) == (Halt.Kind.FREEZE, None, WHY)
    assert told(audit) == [user.name]
    with refused(FrozenAlready):
        site_freeze(by=by, why=WHY, now=NOW)
    with refused(ReasonNeeded):
        site_thaw(by=by, why="", now=NOW)
    assert site_thaw(by=by, why=WHY, now=NOW + HOUR).until == NOW + HOUR
    assert told(left("thaw", by=by)) == [user.name]
    with refused(NotFrozen):
        site_thaw(by=by, why=WHY, now=NOW)
    with refused(ReasonNeeded):
        site_freeze(by=by, why="x" * 201, now=NOW)
    assert Game.objects.get() == game


type Act = Callable[[Table, User], object]

PLAYED: dict[str, tuple[type[Any], Act]] = {
    "replace, not as shown": (Changed, lambda table, by: seat_replace(**asked(table, by, seat=1, seen="0"))),
    "replace without a reason": (ReasonNeeded, lambda table, by: seat_replace(**asked(table, by, seat=1, why=""))),
    "replace a bot": (SeatEmpty, lambda table, by: seat_replace(**asked(table, by, seat=3))),
    "replace nobody": (SeatEmpty, lambda table, by: seat_replace(**asked(table, by, seat=9))),
    "no such bot": (LevelUnknown, lambda table, by: seat_replace(**asked(table, by, seat=1, level="best"))),
    "free": (TableStarted, lambda table, by: seat_free(**asked(table, by, seat=1))),
    "close, not as shown": (Changed, lambda table, by: table_close(**asked(table, by, seen="0"))),
    "close without a reason": (ReasonNeeded, lambda table, by: table_close(**asked(table, by, why=" "))),
    "close nothing": (TableGone, lambda table, by: table_close(**asked(table, by, table_id=0))),
    "rename, not as shown": (Changed, lambda table, by: table_rename(**asked(table, by, name="B", seen="0"))),
    "the same name": (NameUnfit, lambda table, by: table_rename(**asked(table, by, name="A  table"))),
    "no name": (NameUnfit, lambda table, by: table_rename(**asked(table, by, name=" "))),
    "a long name": (NameUnfit, lambda table, by: table_rename(**asked(table, by, name="x" * 61))),
    "a name that hides": (NameUnfit, lambda table, by: table_rename(**asked(table, by, name="a\u200bb"))),
}


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_refused_at_a_table_that_is_played(game: Game, by: User, name: str) -> None:
    error, act = PLAYED[name]
    with refused(error):
        act(game.table, by)


def test_what_is_refused_before_and_after(open_table: Table, game: Game, by: User) -> None:
    with refused(TableNotStarted):
        seat_replace(**asked(open_table, by, seat=0))
    with refused(SeatEmpty):
        seat_free(**asked(open_table, by, seat=4))
    host = open_table.host
    assert host is not None
    table_closed(table_id=open_table.pk, host=host, now=LATER)
    closed = Table.objects.get(pk=open_table.pk)
    for act in (table_close, lambda **given: seat_free(seat=0, **given), lambda **given: seat_replace(seat=0, **given)):
        with refused(TableClosed):
            act(**asked(closed, by))
    table_close(**asked(game.table, by))
    finished = Table.objects.get(pk=game.table_id)
    for act in (table_close, lambda **given: seat_free(seat=0, **given), lambda **given: seat_replace(seat=0, **given)):
        with refused(TableOver):
            act(**asked(finished, by))
