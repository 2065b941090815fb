"""Sitting down at a table."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Block, User
from games.models import Game, Holder, Table
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state
from games.services import errors
from games.services.hosting import table_closed, table_start
from games.services.seats import seat_handed, seat_join, seat_left, seat_removed
from games.services.tables import SeatPlan, TablePlan, table_drafted
from tests.games.gathering import LATER, check_seats_whole, draft, invite, seated, sit, told
from tests.games.stored import NOW, everything, over, person

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


@pytest.fixture
def table(nani: User) -> Table:
    """Nani's, in the lobby, with three free seats."""
    return draft(nani)


class TestDraft:
    def test_has_free_seats_and_no_game(self, nani: User) -> None:
        plan = TablePlan(nani, "Ours", Ruleset(), 5, joins="link", watch="anyone", starts="host")
        seats = [SeatPlan(), SeatPlan(user=nani), SeatPlan(bot="easy", name="Golu"), SeatPlan()]
        table = Table.objects.get(pk=table_drafted(plan=plan, seats=seats, now=NOW).pk)
        assert (table.status, table.joins, table.watch, table.starts) == ("open", "link", "anyone", "host")
        assert (table.started, table.closed, table.like, table.seats) == (None, None, None, 4)
        assert seated(table) == [(1, "Nani", ""), (2, "Golu", "easy")]
        assert not Game.objects.exists()
        check_seats_whole(table)

    def test_asked_for_twice_it_is_one(self, nani: User) -> None:
        plan, seats = TablePlan(nani, "Ours", Ruleset()), [SeatPlan(user=nani), SeatPlan(), SeatPlan()]
        tables = {table_drafted(plan=plan, seats=seats, key=key, now=NOW).pk for key in ("one", "one", "two")}
        assert len(tables) == 2

    def test_a_guest_makes_none(self) -> None:
        guest = User.objects.create_guest("Roza")
        with pytest.raises(errors.EmailNeeded):
            draft(guest)


class TestJoin:
    def test_the_first_free_seat_or_the_one_asked_for(self, table: Table) -> None:
        sit(table, person("Roza"), seat=2)
        sit(table, person("Bilal"))
        assert seated(table) == [(0, "Nani", ""), (1, "Bilal", ""), (2, "Roza", "")]
        assert not Game.objects.exists()
        assert told("joined") == ["Nani", "Nani"]

    def test_the_last_seat_starts_the_table(self, table: Table) -> None:
        for name in ("Roza", "Bilal", "Omana"):
            sit(table, person(name))
        table.refresh_from_db()
        game = Game.objects.get()
        assert (table.status, table.started, game.number, game.created) == ("running", LATER, 1, LATER)
        assert len(game_state(game).hands) == 4
        assert sorted(told("table_started")) == ["Bilal", "Nani", "Roza"]
        check_seats_whole(table)

    def test_or_waits_for_the_host(self, nani: User) -> None:
        table = draft(nani, 2, starts="host")
        sit(table), sit(table)
        assert not Game.objects.exists()
        game = table_start(table_id=table.pk, host=nani, now=LATER)
        assert game.table.status == "running"

    def test_by_another_name(self, table: Table) -> None:
        assert sit(table, person("Roza"), name="  Aunty   Roza ").name == "Aunty Roza"
        assert User.objects.get(name="Roza").name == "Roza"

    def test_a_bot_gives_way_to_a_name(self, nani: User) -> None:
        plan = TablePlan(nani, "Ours", Ruleset(), joins="lobby")
        seats = [SeatPlan(user=nani), SeatPlan(bot="easy", name="Bilal"), SeatPlan(), SeatPlan()]
        table = table_drafted(plan=plan, seats=seats, now=NOW)
        sit(table, person("B\u0456lal"))
        names = [name for _, name, _ in seated(table)]
        assert names[2] == "B\u0456lal"
        assert names[1] not in ("Bilal", "Nani")

    def test_a_personal_invitation_is_used(self, nani: User) -> None:
        table = draft(nani, joins="invited")
        asked = invite(table, "roza@example.org")
        holder = sit(table, person("Roza"), invite=asked)
        asked.refresh_from_db()
        assert (holder.invite, asked.accepted) == (asked, LATER)

    def test_a_link_brings_several_guests(self, nani: User) -> None:
        table, link = draft(nani, joins="link"), None
        link = invite(table)
        for name in ("Roza", "Bilal"):
            sit(table, User.objects.create_guest(name), invite=link)
        link.refresh_from_db()
        assert link.accepted is None
        assert Holder.objects.filter(invite=link).count() == 2


def blocked(table: Table, user: User) -> None:
    assert table.host is not None
    Block.objects.create(owner=table.host, other=user)


def blocking(table: Table, user: User) -> None:
    assert table.host is not None
    Block.objects.create(owner=user, other=table.host)


def filled(table: Table, _: User) -> None:
    Table.objects.filter(pk=table.pk).update(starts="host")
    sit(table), sit(table), sit(table)


def taken_away(table: Table, user: User) -> None:
    assert table.host is not None
    link = invite(table)
    holder = sit(table, user, invite=link)
    seat_removed(table_id=table.pk, host=table.host, seat=holder.seat.number, now=LATER)


def ended(table: Table, user: User) -> None:
    filled(table, user)
    assert table.host is not None
    over(table_start(table_id=table.pk, host=table.host, now=LATER))


def shut(table: Table, _: User) -> None:
    assert table.host is not None
    table_closed(table_id=table.pk, host=table.host, now=LATER)


def dealt(table: Table, _: User) -> None:
    sit(table), sit(table), sit(table)


def played_and_left(table: Table, user: User) -> None:
    sit(table, user), sit(table), sit(table)
    seat_left(table_id=table.pk, user=user, now=LATER)


def elsewhere(table: Table, _: User) -> None:
    Table.objects.filter(pk=table.pk).update(joins="link")


JOINS: dict[str, tuple[Callable[[Table, User], Any], dict[str, Any], type[Exception]]] = {
    "not open to them": (elsewhere, {}, errors.NotInvited),
    "sits there": (sit, {}, errors.SeatHeld),
    "sits there, and it has started": (
        lambda table, user: [sit(table, user), sit(table), sit(table)],
        {},
        errors.SeatHeld,
    ),
    "has started": (dealt, {}, errors.TableStarted),
    "left when it had started": (played_and_left, {}, errors.SatBefore),
    "is over": (ended, {}, errors.TableOver),
    "is closed": (shut, {}, errors.TableClosed),
    "is full": (filled, {}, errors.TableFull),
    "is full, and the seat is asked for": (filled, {"seat": 2}, errors.TableFull),
    "the host keeps them away": (blocked, {}, errors.TableFull),
    "they keep the host away": (blocking, {}, errors.TableFull),
    "the host took them away": (taken_away, {}, errors.Removed),
    "the seat is taken": (lambda table, _: sit(table, seat=1), {"seat": 1}, errors.SeatTaken),
    "the seat is the host's": (lambda *_: None, {"seat": 0}, errors.SeatTaken),
    "there is no such seat": (lambda *_: None, {"seat": 4}, errors.SeatTaken),
    "a seat before the first": (lambda *_: None, {"seat": -1}, errors.SeatTaken),
    "called as the host is": (lambda *_: None, {"name": "N\u0430ni"}, errors.NameTaken),
    "a name that hides something": (lambda *_: None, {"name": "Ro\u202eza"}, errors.NameUnfit),
    "a name too long": (lambda *_: None, {"name": "x" * 41}, errors.NameUnfit),
}


@pytest.mark.parametrize("why", JOINS)
def test_who_may_not_sit_down_changes_nothing(table: Table, why: str) -> None:
    roza = person("Roza")
    bring, asked, error = JOINS[why]
    bring(table, roza)
    before = everything()
    with pytest.raises(error) as refused:
        sit(table, roza, **asked)
    assert everything() == before
    assert str(refused.value).endswith(".")
    check_seats_whole(table)


def test_a_name_that_is_taken_comes_with_another(table: Table) -> None:
    with pytest.raises(errors.NameTaken) as refused:
        sit(table, person("NANI"))
    assert refused.value.suggestion == "NANI 2"
    assert sit(table, name=refused.value.suggestion).name == "NANI 2"


def test_an_invitation_to_another_table_opens_nothing(nani: User) -> None:
    table, other = draft(nani, joins="link"), draft(nani, joins="link")
    with pytest.raises(errors.NotInvited):
        sit(table, invite=invite(other))


def test_a_guest_needs_an_invitation(table: Table) -> None:
    with pytest.raises(errors.EmailNeeded):
        sit(table, User.objects.create_guest("Roza"))


def test_no_such_table() -> None:
    user = person()
    for act in (
        lambda: seat_join(table_id=0, user=user, now=NOW),
        lambda: seat_left(table_id=0, user=user, now=NOW),
        lambda: seat_handed(table_id=0, seat=0, now=NOW),
        lambda: seat_removed(table_id=0, host=user, seat=0, now=NOW),
    ):
        with pytest.raises(errors.TableGone):
            act()
