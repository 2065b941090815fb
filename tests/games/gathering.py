"""Tables that wait for people, for tests."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from accounts.models import User
from games.models import Holder, Invite, Notice, Seat, Table
from games.rules.ruleset import Ruleset
from games.services.seats import seat_join
from games.services.tables import SeatPlan, TablePlan, table_drafted
from tests.games.stored import NOW, person

LATER = NOW + dt.timedelta(hours=1)


def draft(host: User, free: int = 3, *, bots: int = 0, rules: Ruleset | None = None, **plan: Any) -> Table:
    """A table in the lobby: its host at seat 0, bots after them, and free seats."""
    wanted: dict[str, Any] = {"joins": "lobby", "name": "Chai", "rules": rules or Ruleset()} | plan
    seats = [SeatPlan(user=host), *[SeatPlan(bot="random")] * bots, *[SeatPlan()] * free]
    return table_drafted(plan=TablePlan(host=host, **wanted), seats=seats, now=NOW)


def sit(table: Table, user: User | None = None, **asked: Any) -> Holder:
    """Let somebody sit down, a new person unless told whom."""
    return seat_join(table_id=table.pk, user=user or person(f"Guest {User.objects.count()}"), now=LATER, **asked)


def invite(table: Table, email: str = "", **changes: Any) -> Invite:
    """An invitation to an address, or a link for four."""
    number = Invite.objects.count()
    fields = {"table": table, "email": email, "uses": 1 if email else 4, "nonce": b"n" * 16, "created": NOW}
    expires = NOW + dt.timedelta(days=14)
    return Invite.objects.create(**fields | {"token_hash": f"{number:064}", "expires": expires} | changes)


def seated(table: Table) -> list[tuple[int, str, str]]:
    """(seat, who sits there now, the level if it is a bot), lowest first."""
    rows = Holder.objects.filter(table=table, until=None).order_by("seat__number")
    return list(rows.values_list("seat__number", "name", "bot"))


def told(kind: str) -> list[str]:
    """The names of those who shall be told something."""
    return list(Notice.objects.filter(kind=kind).order_by("pk").values_list("user__name", flat=True))


def check_seats_whole(table: Table, persons: Sequence[User] = ()) -> None:
    """Seats are numbered from 0 on without a hole, one holder each at most, nobody twice."""
    table.refresh_from_db()
    numbers = list(Seat.objects.filter(table=table).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(table.seats))
    held = list(Holder.objects.filter(table=table, until=None).values_list("seat__number", "user"))
    assert len({seat for seat, _ in held}) == len(held)
    users = [user for _, user in held if user]
    assert len(set(users)) == len(users)
    if table.status == "running":
        assert len(held) == table.seats
    for each in persons:
        assert users.count(each.pk) <= 1
