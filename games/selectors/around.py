"""A game with everybody at its table, and what a viewer may do there: asked with every board, so with few words."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import CharField, Exists, OuterRef, QuerySet, Subquery
from django.db.models.fields import BigIntegerField

from accounts.models import Block
from games.models import Correction, Game, Holder, Invite, MissedTurn, Result, Seat, Seen, Table
from games.selectors.company import NotAtTable
from games.selectors.ends import Ended, end_of
from games.selectors.prepared import Columns, Given, Prepared

NOBODY: Final = 0
"""No person's number."""


@dataclass(frozen=True, slots=True)
class Around:
    """A game and everybody who sits or sat at its table, the same for all who look. It holds no card.

    next_code: the game after this one, "" if there is none yet. late: the holders who missed a turn of this game, once
    it is over, and have no excuse. end: how it ended, None while it runs.
    """

    game: Game
    rows: tuple[Holder, ...]
    next_code: str
    late: frozenset[int]
    end: Ended | None


class Rights(NamedTuple):
    """What is asked anew for each viewer.

    watch: whom the table lets look on (`Table.Watch`). blocked: its host has blocked the viewer. linked: they came by
    its shared link. seen: the last entry of the game that was shown to them, None if none was.
    """

    watch: str
    blocked: bool
    linked: bool
    seen: int | None = None


class Standing(NamedTuple):
    """How a game stands for a viewer: how new it is, their seat now, None if they have none, and their rights."""

    game_id: int
    version: int
    revision: int
    seat: int | None
    rights: Rights


_GAME, _TABLE = Columns(Game, whole=True), Columns(Table, "table__", whole=True)
_RESULT, _CHARGED = Columns(Result, "result__", whole=True), Columns(Holder, "result__holder__", whole=True)
_HOLDER, _SEAT = Columns(Holder, whole=True), Columns(Seat, "seat__", whole=True)
_RIGHTS: Final = ("table__watch", "a_blocked", "a_linked", "a_seen")


def asked_of(*, code: str, viewer_id: int | None, invited: Collection[int] = ()) -> tuple[Around, Rights]:
    """Find a game by its code, and what the viewer may do there, in two queries; in three if its end was corrected.

    Raises:
        NotAtTable: there is no such game.
    """
    row = _asked(_looked(len(invited)), code, viewer_id, invited)
    game, rest = _game(row)
    rows, late = _rows(game)
    next_code: str = rest[0] or ""
    return Around(game, rows, next_code, late, end_of(game, rest[1])), Rights(*rest[2:])


def around_of(*, code: str) -> Around:
    """Find a game by its code, in two queries.

    Raises:
        NotAtTable: there is no such game.
    """
    return asked_of(code=code, viewer_id=None)[0]


def standing_of(*, code: str, viewer_id: int | None, invited: Collection[int] = ()) -> Standing:
    """Find how a game stands for a viewer, in one query.

    Raises:
        NotAtTable: there is no such game.
    """
    game, version, revision, seat, *rights = _asked(_stood(len(invited)), code, viewer_id, invited)
    return Standing(game, version, revision, seat, Rights(*rights))


def unchanged(around: Around) -> bool:
    """Tell whether nothing has changed of a game by its own count, nor who may look on, in one query."""
    game = around.game
    now = (game.version, game.revision, game.table.watch, game.table.host_id)
    return _NOW(game=game.pk) == [now]


def _asked(query: Prepared, code: str, viewer_id: int | None, invited: Collection[int]) -> tuple[Any, ...]:
    """Ask for the one game with a code.

    Raises:
        NotAtTable: there is none.
    """
    came = {f"invited_{at}": each for at, each in enumerate(invited)}
    # PostgreSQL refuses a NUL in a text, and no code holds one.
    found = [] if "\0" in code else query(code=code, viewer=viewer_id or NOBODY, **came)
    if not found:
        raise NotAtTable
    return found[0]


@lru_cache(maxsize=32)
def _looked(invited: int) -> Prepared:
    """Return the query for a game, its table and result, the code of the next game, and a viewer's rights."""
    names = (*_GAME.names, *_TABLE.names, *_RESULT.names, *_CHARGED.names, "a_next", "a_corrected", *_RIGHTS)
    return Prepared(lambda: _with_rights(invited).values_list(*names))


@lru_cache(maxsize=32)
def _stood(invited: int) -> Prepared:
    """Return the query for how a game stands for a viewer."""
    return Prepared(lambda: _with_rights(invited).values_list("pk", "version", "revision", "a_seat", *_RIGHTS))


def _with_rights(invited: int) -> QuerySet[Any, Any]:
    """Ask for a game with what hangs on the viewer, who came by so many invitations."""
    viewer = Given("viewer", BigIntegerField())
    came: list[Any] = [Given(f"invited_{at}", BigIntegerField()) for at in range(invited)]
    after = Game.objects.filter(table=OuterRef("table"), number=OuterRef("number") + 1).values("code")
    corrections = Correction.objects.filter(game=OuterRef("pk")).order_by("-number").values("number")
    seen = Seen.objects.filter(user=viewer, game=OuterRef("pk")).values("number")[:1]
    seat = Holder.objects.filter(table=OuterRef("table"), user=viewer, until=None).values("seat__number")[:1]
    link = Invite.objects.filter(table=OuterRef("table"), pk__in=came, email="", revoked=None)
    return Game.objects.filter(code=Given("code", CharField())).annotate(
        a_next=Subquery(after),
        a_corrected=Subquery(corrections[:1]),
        a_seen=Subquery(seen),
        a_seat=Subquery(seat),
        a_blocked=Exists(Block.objects.filter(owner=OuterRef("table__host"), other=viewer)),
        a_linked=Exists(link),
    )


def _game(row: tuple[Any, ...]) -> tuple[Game, tuple[Any, ...]]:
    """Return the game that the first columns of a row hold, with its table and result, and the other columns."""
    parts, at = [], 0
    for each in (_GAME, _TABLE, _RESULT, _CHARGED):
        parts.append(row[at : at + len(each.names)])
        at += len(each.names)
    game = _GAME.row(parts[0])
    game.table = _TABLE.row(parts[1])
    result = _RESULT.row(parts[2]) if parts[2][0] is not None else None
    if result is not None:
        result.holder = _CHARGED.row(parts[3]) if parts[3][0] is not None else None
    Game._meta.get_field("result").set_cached_value(game, result)  # noqa: SLF001 - as select_related does
    return game, row[at:]


def _rows(game: Game) -> tuple[tuple[Holder, ...], frozenset[int]]:
    """Return everybody who sits or sat at a game's table, by seat and time, and those who were late."""
    over = game.status == Game.Status.OVER
    found = _SAT_LATE(table=game.table_id, game=game.pk) if over else _SAT(table=game.table_id)
    split, end = len(_HOLDER.names), len(_HOLDER.names) + len(_SEAT.names)
    rows = []
    for row in found:
        holder = _HOLDER.row(row[:split])
        holder.seat = _SEAT.row(row[split:end])
        rows.append(holder)
    return tuple(rows), frozenset(row[0] for row in found if over and row[end])


def _sat(*more: str) -> QuerySet[Any, Any]:
    rows = Holder.objects.filter(table=Given("table", BigIntegerField())).order_by("seat__number", "since", "pk")
    if more:
        missed = MissedTurn.objects.filter(game=Given("game", BigIntegerField()), holder=OuterRef("pk"))
        rows = rows.annotate(a_late=Exists(missed.filter(excuse=MissedTurn.Excuse.NONE)))
    return rows.values_list(*_HOLDER.names, *_SEAT.names, *more)


_SAT: Final = Prepared(_sat)
_SAT_LATE: Final = Prepared(lambda: _sat("a_late"))
_NOW: Final = Prepared(
    lambda: Game.objects.filter(pk=Given("game", BigIntegerField())).values_list(
        "version", "revision", "table__watch", "table__host"
    )
)
