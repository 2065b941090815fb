"""Who may look at a table and its games: its people, those who have left it, and those whom it lets watch."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import FETCH_RAISE, BooleanField, Exists, OuterRef, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable

from accounts.models import Block, User
from games.models import Game, Holder, Invite, MissedTurn, Seen, Table
from games.selectors.company import NotAtTable, by_code

type Viewer = User | AnonymousUser

INVITED: Final = "invited"
"""Where a session keeps the numbers of the invitations that its visitor has opened with a POST."""

MOST: Final = 200
"""How many of them count: the newest."""


class HasLeft(NotAtTable):
    """The viewer sat at the table of this running game, has left it, and may not watch it."""

    def __init__(self, table_code: str) -> None:
        super().__init__()
        self.table_code = table_code


@dataclass(frozen=True, slots=True)
class Sight:
    """A table as one viewer may look at it.

    rows: everybody who sits or sat there, by seat and time. seat: the viewer's own, None if they have none now. left:
    they had one. watches: they may look on while others play.
    """

    table: Table
    rows: tuple[Holder, ...]
    seat: int | None
    left: bool
    watches: bool

    @property
    def holders(self) -> tuple[Holder, ...]:
        """Whoever sits at each seat, or was the last to sit there; the first seat first."""
        return tuple({each.seat.number: each for each in self.rows}.values())

    @property
    def instead(self) -> Mapping[int, str]:
        """For whom a bot plays on, by its seat: for the last person who was there before it."""
        people = {each.seat.number: each.name for each in self.rows if not each.bot and _played(self.table, each)}
        bots = {each.seat.number for each in self.holders if each.bot}
        return {seat: name for seat, name in people.items() if seat in bots}

    @property
    def alone(self) -> bool:
        """Whether no other person sits there now."""
        return all(
            each.user_id is None for each in self.holders if each.until is None and each.seat.number != self.seat
        )


@dataclass(frozen=True, slots=True)
class Looking:
    """Somebody who may look at a game, and everybody who sits or sat at its table. It holds no card.

    alone: no other person sits there now. left: the viewer had a seat there and has given it up. next_code: the game
    after this one, "" if there is none yet. late: the holders who missed a turn of this game, once it is over, and have
    no excuse.
    """

    game: Game
    rows: tuple[Holder, ...]
    alone: bool
    left: bool
    next_code: str
    late: frozenset[int]


@dataclass(frozen=True, slots=True)
class Sitting(Looking):
    """A person at their own seat; `seen` is the last entry that was shown to them, None if none was yet."""

    seat: int
    seen: int | None


@dataclass(frozen=True, slots=True)
class Watching(Looking):
    """Somebody without a seat, who sees what the public may see."""


class _Rights(Protocol):
    """What is asked with the row of a table or a game."""

    is_blocked: bool
    came_by_link: bool


class _Asked(_Rights, Protocol):
    """What is asked with the row of a game besides, and with those of its holders."""

    seen_upto: int | None
    code_after: str | None
    is_late: bool


class _Kept(Protocol):
    """A session, or what one holds."""

    def get(self, key: str, /) -> Any: ...


def invitations_in(session: _Kept) -> tuple[int, ...]:
    """Return the numbers of the invitations by which a visitor came, as their session keeps them."""
    kept = session.get(INVITED)
    return tuple(each for each in kept if isinstance(each, int))[-MOST:] if isinstance(kept, list) else ()


def table_sight(*, viewer: Viewer, code: str, invited: Collection[int] = ()) -> Sight:
    """Find a table by its code, in two queries; *invited* are the invitations by which the viewer came.

    Raises:
        NotAtTable: there is no such table, or the viewer may not look at it.
    """
    table = by_code(_with_rights(Table.objects.all(), viewer, invited), code)
    return _sight(table, viewer, table)


def may_watch(*, viewer: Viewer, table: Table, invited: Collection[int]) -> bool:
    """Tell whether a viewer who comes by these invitations may look on at a table."""
    try:
        return table_sight(viewer=viewer, code=table.code, invited=invited).watches
    except NotAtTable:
        return False


def looking(*, viewer: Viewer, code: str, invited: Collection[int] = ()) -> Sitting | Watching:
    """Find a game by its code, in two queries; *invited* are the invitations by which the viewer came.

    Raises:
        HasLeft: the game is running, and the viewer has left it.
        NotAtTable: there is no such game, or the viewer may not look at it.
    """
    upto = Seen.objects.filter(user=viewer.pk, game=OuterRef("pk")).values("number")[:1]
    after = Game.objects.filter(table=OuterRef("table"), number=OuterRef("number") + 1).values("code")
    games = Game.objects.select_related("table", "result__holder")
    games = games.annotate(seen_upto=Subquery(upto), code_after=Subquery(after))
    game = by_code(_with_rights(games, viewer, invited, "table__"), code)
    sight, asked = _sight(game.table, viewer, game), cast("_Asked", game)
    next_code, late = asked.code_after or "", frozenset(each.pk for each in sight.rows if cast("_Asked", each).is_late)
    if sight.seat is not None:
        return Sitting(
            game,
            sight.rows,
            sight.alone,
            left=False,
            next_code=next_code,
            late=late,
            seat=sight.seat,
            seen=asked.seen_upto,
        )
    if game.status != Game.Status.OVER and not sight.watches:
        raise HasLeft(game.table.code)
    return Watching(game, sight.rows, alone=False, left=sight.left, next_code=next_code, late=late)


def sitting(*, viewer: User, code: str) -> Sitting:
    """Find a game by its code and the viewer's seat at it, in two queries.

    Raises:
        NotAtTable: there is no such game, or the viewer has no seat at it now.
    """
    found = looking(viewer=viewer, code=code)
    if not isinstance(found, Sitting):
        raise NotAtTable
    return found


def _with_rights[Row: (Game, Table)](
    rows: QuerySet[Row], viewer: Viewer, invited: Collection[int], table: str = ""
) -> QuerySet[Row]:
    """Ask with the row whether its table's host has blocked the viewer, and whether they came by its shared link."""
    blocked: Combinable = Value(False, output_field=BooleanField())
    if viewer.pk is not None:
        blocked = Exists(Block.objects.filter(owner=OuterRef(f"{table}host"), other=viewer.pk))
    link = Invite.objects.filter(table=OuterRef(f"{table}pk"), pk__in=invited, email="", revoked=None)
    return rows.annotate(is_blocked=blocked, came_by_link=Exists(link))


def _sight(table: Table, viewer: Viewer, asked: Game | Table) -> Sight:
    """Say how a viewer may look at a table, from the row that holds what was asked with it."""
    found = Holder.objects.filter(table=table).fetch_mode(FETCH_RAISE).select_related("seat")
    rows = tuple(found.annotate(is_late=_late(asked)).order_by("seat__number", "since", "pk"))
    mine = [each for each in rows if viewer.pk is not None and each.user_id == viewer.pk]
    seat = next((each.seat.number for each in mine if each.until is None), None)
    left = seat is None and any(map(partial(_played, table), mine))
    rights = cast("_Rights", asked)
    watches = not rights.is_blocked and _watchable(table, viewer, linked=rights.came_by_link)
    if seat is None and not left and not watches:
        raise NotAtTable
    return Sight(table, rows, seat, left=left, watches=watches)


def _late(asked: Game | Table) -> Combinable:
    """Ask of a holder whether they missed a turn of a game that is over and have no excuse."""
    if not isinstance(asked, Game) or asked.status != Game.Status.OVER:
        return Value(False, output_field=BooleanField())
    return Exists(MissedTurn.objects.filter(game=asked, holder=OuterRef("pk"), excuse=MissedTurn.Excuse.NONE))


def _played(table: Table, row: Holder) -> bool:
    """Return whether somebody who is gone was there when it started: whoever was taken away before is a stranger."""
    return table.started is not None and row.until is not None and row.until > table.started


def _watchable(table: Table, viewer: Viewer, *, linked: bool) -> bool:
    """Return whether the table lets the viewer look on, who sits elsewhere or nowhere."""
    if table.watch == Table.Watch.NOBODY:
        return False
    return linked or (table.watch == Table.Watch.ANYONE and viewer.pk is not None)
