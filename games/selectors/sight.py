"""Who may look at a table and its games: its people, those who have left it, and those whom it lets watch."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import FETCH_RAISE, Exists, OuterRef, QuerySet

from accounts.models import Block, User
from games.models import Game, Holder, Invite, Table
from games.selectors.around import NOBODY, Around, Rights, asked_of
from games.selectors.company import NotAtTable, by_code
from games.selectors.effective import Effective
from games.selectors.ends import Ended

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
    they had one. watches: they may look on while others play. office: they run the site, so what is over lies open.
    """

    table: Table
    rows: tuple[Holder, ...]
    seat: int | None
    left: bool
    watches: bool
    office: bool = False

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
    no excuse. end: how the game ended, None while it runs.
    """

    game: Game
    rows: tuple[Holder, ...]
    alone: bool
    left: bool
    next_code: str
    late: frozenset[int]
    end: Ended | None

    @property
    def counts(self) -> Effective | None:
        """The result that counts, None while the game runs."""
        return self.end.counts if self.end else None

    @property
    def around(self) -> Around:
        """What of this is the same for all who look."""
        return Around(self.game, self.rows, self.next_code, self.late, self.end)


@dataclass(frozen=True, slots=True)
class Sitting(Looking):
    """A person at their own seat; `seen` is the last entry that was shown to them, None if none was yet."""

    seat: int
    seen: int | None


@dataclass(frozen=True, slots=True)
class Watching(Looking):
    """Somebody without a seat, who sees what the public may see."""


class _Asked(Protocol):
    """What is asked with the row of a table."""

    is_blocked: bool
    came_by_link: bool


class _Kept(Protocol):
    """A session, or what one holds."""

    def get(self, key: str, /) -> Any: ...


def invitations_in(session: _Kept) -> tuple[int, ...]:
    """Return the numbers of the invitations by which a visitor came, as their session keeps them."""
    kept = session.get(INVITED)
    return tuple(each for each in kept if isinstance(each, int))[-MOST:] if isinstance(kept, list) else ()


def table_sight(*, viewer: Viewer, code: str, invited: Collection[int] = (), office: bool = False) -> Sight:
    """Find a table by its code, in two queries; *invited* are the invitations by which the viewer came.

    *office*: they run the site, and have just shown so.

    Raises:
        NotAtTable: there is no such table, or the viewer may not look at it.
    """
    table = by_code(_with_rights(Table.objects.all(), viewer, invited), code)
    rows = Holder.objects.filter(table=table).fetch_mode(FETCH_RAISE).select_related("seat")
    asked = cast("_Asked", table)
    rights = Rights(table.watch, asked.is_blocked, asked.came_by_link)
    return _sight(table, tuple(rows.order_by("seat__number", "since", "pk")), viewer, rights, office=office)


def may_watch(*, viewer: Viewer, table: Table, invited: Collection[int]) -> bool:
    """Tell whether a viewer who comes by these invitations may look on at a table."""
    try:
        return table_sight(viewer=viewer, code=table.code, invited=invited).watches
    except NotAtTable:
        return False


def looking(*, viewer: Viewer, code: str, invited: Collection[int] = (), office: bool = False) -> Sitting | Watching:
    """Find a game by its code, in two queries; *invited* are the invitations by which the viewer came.

    *office*: they run the site, and have just shown so.

    Raises:
        HasLeft: the game is running, and the viewer has left it, or runs the site.
        NotAtTable: there is no such game, or the viewer may not look at it.
    """
    around, rights = asked_of(code=code, viewer_id=viewer.pk, invited=invited)
    return looked_at(viewer=viewer, around=around, rights=rights, office=office)


def looked_at(*, viewer: Viewer, around: Around, rights: Rights, office: bool = False) -> Sitting | Watching:
    """Return how a viewer with these rights looks at a game.

    Raises:
        HasLeft: the game is running, and the viewer has left it, or runs the site.
        NotAtTable: they may not look at it.
    """
    game, rows = around.game, around.rows
    sight = _sight(game.table, rows, viewer, rights, office=office)
    if sight.seat is not None:
        return Sitting(
            game,
            rows,
            sight.alone,
            left=False,
            next_code=around.next_code,
            late=around.late,
            end=around.end,
            seat=sight.seat,
            seen=rights.seen,
        )
    if game.status != Game.Status.OVER and not sight.watches:
        raise HasLeft(game.table.code)
    return Watching(
        game,
        rows,
        alone=False,
        left=sight.left,
        next_code=around.next_code,
        late=around.late,
        end=around.end,
    )


def sitting(*, viewer: User, code: str) -> Sitting:
    """Find a game by its code and the viewer's seat at it, in two queries.

    Raises:
        NotAtTable: there is no such game, or the viewer has no seat at it now.
    """
    found = looking(viewer=viewer, code=code)
    if not isinstance(found, Sitting):
        raise NotAtTable
    return found


def _with_rights(rows: QuerySet[Table], viewer: Viewer, invited: Collection[int]) -> QuerySet[Table]:
    """Ask with the row whether its table's host has blocked the viewer, and whether they came by its shared link."""
    blocked = Exists(Block.objects.filter(owner=OuterRef("host"), other=viewer.pk or NOBODY))
    link = Invite.objects.filter(table=OuterRef("pk"), pk__in=invited, email="", revoked=None)
    return rows.annotate(is_blocked=blocked, came_by_link=Exists(link))


def _sight(table: Table, rows: tuple[Holder, ...], viewer: Viewer, rights: Rights, *, office: bool) -> Sight:
    """Say how a viewer with these rights may look at a table at which these sit or sat."""
    mine = [each for each in rows if viewer.pk is not None and each.user_id == viewer.pk]
    seat = next((each.seat.number for each in mine if each.until is None), None)
    left = seat is None and any(map(partial(_played, table), mine))
    watches = not rights.blocked and _watchable(rights, viewer)
    if seat is None and not (left or watches or office):
        raise NotAtTable
    return Sight(table, rows, seat, left=left, watches=watches, office=office)


def _played(table: Table, row: Holder) -> bool:
    """Return whether somebody who is gone was there when it started: whoever was taken away before is a stranger."""
    return table.started is not None and row.until is not None and row.until > table.started


def _watchable(rights: Rights, viewer: Viewer) -> bool:
    """Return whether the table lets the viewer look on, who sits elsewhere or nowhere."""
    if rights.watch == Table.Watch.NOBODY:
        return False
    return rights.linked or (rights.watch == Table.Watch.ANYONE and viewer.pk is not None)
