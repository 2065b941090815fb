"""Invitations, notices and missed turns. Addresses are shown to operators alone, tokens and their hashes to nobody."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Model, Q
from django.http import HttpRequest
from django.utils import timezone

from accounts.roles import sees_addresses
from games.admin.base import READERS, ReadAdmin
from games.admin.filters import among, by
from games.admin.finding import games_found, people_found, tables_found
from games.admin.links import public_link, row_link
from games.models import Invite, MissedTurn, Notice


class _Addressed(ReadAdmin):
    """Rows with an address, which is left out for who does not read addresses."""

    seen_by = READERS

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave addresses out."""
        return _without_addresses(super().get_fields(request, obj), request)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Leave addresses out."""
        return _without_addresses(super().get_list_display(request), request)


def _without_addresses(names: Sequence[Any], request: HttpRequest) -> Sequence[Any]:
    return names if sees_addresses(request.user) else [name for name in names if name != "email"]


@admin.register(Invite)
class InviteAdmin(_Addressed):
    """Invitations: to an address, or a link for several."""

    fields = (
        *("table_link", "kind", "sender_link", "email", "language", "uses", "created", "sent", "expires"),
        *("accepted", "declined", "revoked"),
    )
    readonly_fields = ("table_link", "sender_link", "kind")
    list_display = ("kind", "table_link", "state", "email", "sender_link", "created", "page")
    list_select_related = ("table", "sender")
    search_fields = ("table__code",)
    finds = "A table's code or how its name begins, or who invited."
    narrowed = ("table__id__exact", "sender__id__exact")

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by table, sender, or by the address for who reads addresses."""
        wanted = Q(table__in=tables_found(term)) | Q(sender__in=people_found(term, request.user))
        if sees_addresses(request.user) and "@" in term:
            wanted |= Q(email=term.lower()) & ~Q(email="")
        return wanted

    def public(self, row: Invite) -> Model | None:
        """The page of its table."""
        return row.table

    @admin.display(description="kind")
    def kind(self, row: Invite) -> str:
        """Say what it is."""
        return "to an address" if row.email else "a link"

    @admin.display(description="state")
    def state(self, row: Invite) -> str:
        """Say what became of it."""
        ends = (("accepted", row.accepted), ("declined", row.declined), ("taken back", row.revoked))
        return next((said for said, at in ends if at), "expired" if row.expires < timezone.now() else "open")

    @admin.display(description="table")
    def table_link(self, row: Invite) -> str:
        """Lead to the table."""
        return row_link(row.table)

    @admin.display(description="from")
    def sender_link(self, row: Invite) -> str:
        """Lead to who sent it."""
        return row_link(row.sender)

    @admin.display(description="on the site")
    def page(self, row: Invite) -> str:
        """Lead to the page of the table."""
        return public_link(row.table)


_WAITING = Q(sent=None, gone=None)


@admin.register(Notice)
class NoticeAdmin(_Addressed):
    """The outbox: what people shall be told, were told, or need not hear any more."""

    fields = (
        *("kind", "channel", "state", "person", "email", "table_link", "game_link", "due", "created", "sent", "gone"),
        "tries",
    )
    readonly_fields = ("state", "person", "table_link", "game_link")
    list_display = ("kind", "person", "state", "table_link", "channel", "due", "page")
    list_filter = (
        by("state", "state", [("waiting", "Waiting", _WAITING), ("failing", "Failing", _WAITING & Q(tries__gt=0))]),
    )
    list_select_related = ("user", "table", "game")
    search_fields = ("kind",)
    finds = "A person's code or how their name begins, or a table's."
    narrowed = ("table__id__exact", "user__id__exact")

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by person or table."""
        return Q(user__in=people_found(term, request.user)) | Q(table__in=tables_found(term))

    def public(self, row: Notice) -> Model | None:
        """The page of what it is about."""
        return row.game or row.table

    @admin.display(description="state")
    def state(self, row: Notice) -> str:
        """Say what became of it."""
        return "sent" if row.sent else "no longer needed" if row.gone else "waiting"

    @admin.display(description="to")
    def person(self, row: Notice) -> str:
        """Lead to whom it is for."""
        return row_link(row.user)

    @admin.display(description="table")
    def table_link(self, row: Notice) -> str:
        """Lead to the table."""
        return row_link(row.table)

    @admin.display(description="game")
    def game_link(self, row: Notice) -> str:
        """Lead to the game."""
        return row_link(row.game, row.game and row.game.code)

    @admin.display(description="on the site")
    def page(self, row: Notice) -> str:
        """Lead to the page of what it is about."""
        return public_link(self.public(row))


@admin.register(MissedTurn)
class MissedTurnAdmin(ReadAdmin):
    """Turns whose time was up."""

    seen_by = READERS
    fields = ("game_link", "seat", "holder_link", "due_at", "at", "excuse")
    readonly_fields = ("game_link", "holder_link")
    list_display = ("__str__", "game_link", "holder_link", "due_at", "excuse", "page")
    list_filter = (among("excuse", MissedTurn.Excuse),)
    list_select_related = ("game", "holder")
    search_fields = ("game__code",)
    finds = "A game's code, or a table's code or how its name begins."
    narrowed = ("game__id__exact", "holder__id__exact")

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by game or table."""
        return Q(game__in=games_found(term))

    def related(self, request: HttpRequest, row: MissedTurn) -> Iterable[Any]:
        """Lead to the others of the game."""
        yield self.rows(request, MissedTurn, "Missed turns of this game", game__id__exact=row.game_id)

    def public(self, row: MissedTurn) -> Model | None:
        """The page of its game."""
        return row.game

    @admin.display(description="game")
    def game_link(self, row: MissedTurn) -> str:
        """Lead to the game."""
        return row_link(row.game, row.game.code)

    @admin.display(description="who")
    def holder_link(self, row: MissedTurn) -> str:
        """Lead to who missed it."""
        return row_link(row.holder)

    @admin.display(description="on the site")
    def page(self, row: MissedTurn) -> str:
        """Lead to the page of the game."""
        return public_link(row.game)
