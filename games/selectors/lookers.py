"""All who look at one game at a moment, asked about at once: who they are, and what they may do there."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet, Subquery

from accounts.models import Block, User
from games.models import Invite, Seen, Table
from games.selectors.around import Around, Rights
from games.selectors.prepared import Columns, Given, Prepared
from games.selectors.sight import Viewer


class Looker(NamedTuple):
    """Somebody who looks, as the database knows them now, and their rights."""

    viewer: Viewer
    rights: Rights


class Comer(NamedTuple):
    """A person, None for nobody who is known, and the invitations by which they came."""

    user_id: int | None
    invited: Collection[int] = ()


_USER: Final = Columns(User)


def lookers_of(*, around: Around, comers: Sequence[Comer]) -> list[Looker | None]:
    """Return what is to be known of each of them, None of who is there no more: in one query, or two with links."""
    watch, people = around.game.table.watch, {each.user_id for each in comers if each.user_id is not None}
    links = _links(around, comers) if watch != Table.Watch.NOBODY else frozenset()
    known = _known(around, people)
    found = (known.get(each.user_id, (None, False, None)) for each in comers)
    return [
        Looker(viewer, Rights(watch, blocked, not links.isdisjoint(each.invited), seen)) if viewer is not None else None
        for each, (viewer, blocked, seen) in zip(comers, found, strict=True)
    ]


def _known(around: Around, people: Collection[int]) -> Mapping[int | None, tuple[Viewer, bool, int | None]]:
    """Return of each person who they are, whether the host has blocked them, and what they have seen."""
    found: dict[int | None, tuple[Viewer, bool, int | None]] = {None: (AnonymousUser(), False, None)}
    if people:
        who = {f"person_{at}": each for at, each in enumerate(people)}
        for *columns, blocked, seen in _asked(len(people))(game=around.game.pk, host=around.game.table.host_id, **who):
            user = _USER.row(columns)
            found[user.pk] = user, blocked, seen
    return found


def _links(around: Around, comers: Sequence[Comer]) -> frozenset[int]:
    """Return the shared links that let people look on, if one without a seat has come by any."""
    seated = {each.user_id for each in around.rows if each.until is None}
    if not any(each.invited and (each.user_id is None or each.user_id not in seated) for each in comers):
        return frozenset()
    return frozenset(row[0] for row in _LINKS(table=around.game.table_id))


@lru_cache(maxsize=64)
def _asked(people: int) -> Prepared:
    """Return the query about so many people."""
    return Prepared(lambda: _all(people))


def _all(people: int) -> QuerySet[Any, Any]:
    who: list[Any] = [Given(f"person_{at}", BigIntegerField()) for at in range(people)]
    game, host = Given("game", BigIntegerField()), Given("host", BigIntegerField())
    rows = User.objects.filter(pk__in=who, is_active=True).annotate(
        a_blocked=Exists(Block.objects.filter(owner=host, other=OuterRef("pk"))),
        a_seen=Subquery(Seen.objects.filter(user=OuterRef("pk"), game=game).values("number")[:1]),
    )
    return rows.values_list(*_USER.names, "a_blocked", "a_seen")


_LINKS: Final = Prepared(
    lambda: Invite.objects.filter(table=Given("table", BigIntegerField()), email="", revoked=None).values_list("pk")
)
