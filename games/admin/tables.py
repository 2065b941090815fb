"""Tables, and who sits and sat at their seats."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Model, Q
from django.http import HttpRequest

from games.admin.base import ReadAdmin, ReadInline
from games.admin.deeds import Deed, DeedForm
from games.admin.filters import among
from games.admin.finding import people_found, tables_found
from games.admin.links import public_link, row_link
from games.bots import LEVELS
from games.models import Audit, Game, Holder, Invite, Notice, Table
from games.models.office import Report
from games.services.errors import SeatEmpty
from games.services.office.seats import seat_free, seat_replace
from games.services.office.seen import seen_of
from games.services.office.tables import table_close, table_rename


class _NameForm(DeedForm):
    name = forms.CharField(label="The table's name", max_length=240)

    def __init__(self, *args: Any, row: Any, **kwargs: Any) -> None:
        super().__init__(*args, row=row, **kwargs)
        self.fields["name"].initial = row.name


class _LevelForm(DeedForm):
    level = forms.ChoiceField(label="The bot's level", choices=[(each, each) for each in LEVELS], initial="medium")


def _close(row: Table, **given: Any) -> None:
    table_close(table_id=row.pk, **given)


def _rename(row: Table, **given: Any) -> None:
    table_rename(table_id=row.pk, **given)


def _check_sits(row: Holder) -> None:
    """Refuse to act upon who has left: somebody else sits there by now."""
    if row.until is not None:
        raise SeatEmpty


def _replace(row: Holder, **given: Any) -> None:
    _check_sits(row)
    seat_replace(table_id=row.table_id, seat=row.seat.number, **given)


def _free(row: Holder, **given: Any) -> None:
    _check_sits(row)
    seat_free(table_id=row.table_id, seat=row.seat.number, **given)


class HolderInline(ReadInline):
    """Who sits and sat at a table."""

    model = Holder
    fields = ("seat", "shown", "person", "bot", "stand_in", "since", "until")
    readonly_fields = fields
    ordering = ("seat__number", "since")
    verbose_name_plural = "who sits and sat here"

    def get_queryset(self, request: HttpRequest) -> Any:
        """Fetch what the rows name with them."""
        return super().get_queryset(request).select_related("seat", "user")

    @admin.display(description="name")
    def shown(self, row: Holder) -> str:
        """Lead to the row itself, where seats are replaced and freed."""
        return row_link(row, row.name)

    @admin.display(description="person")
    def person(self, row: Holder) -> str:
        """Lead to the person."""
        return row_link(row.user)


class GameInline(ReadInline):
    """The deals of a table."""

    model = Game
    fields = ("number", "shown", "status", "version", "created", "ended")
    readonly_fields = fields
    ordering = ("number",)
    verbose_name_plural = "deals"

    @admin.display(description="game")
    def shown(self, row: Game) -> str:
        """Lead to the game."""
        return row_link(row, row.code)


@admin.register(Table)
class TableAdmin(ReadAdmin):
    """Tables, each a series of deals."""

    fields = (
        *("name", "code", "status", "host_link", "seats", "deals", "title", "show_voids", "rated", "rules"),
        *("rules_version", "joins", "watch", "starts", "pace", "rest", "zone", "missed", "vacations", "next"),
        *("created", "started", "closed", "warned", "like_link"),
    )
    readonly_fields = ("host_link", "like_link")
    list_display = ("name", "status", "host_link", "seats", "deals", "created", "page")
    list_filter = (among("status", Table.Status),)
    list_select_related = ("host",)
    search_fields = ("code",)
    finds = "A table's code, or how its name begins."
    narrowed = ("host__id__exact",)
    inlines: ClassVar = [HolderInline, GameInline]
    deeds = (
        Deed(
            name="rename",
            right=Audit.Action.RENAME,
            label="Give another name",
            says="The table is called this from now on.",
            act=_rename,
            seen=seen_of,
            form=_NameForm,
        ),
        Deed(
            name="close",
            right=Audit.Action.CLOSE,
            label="Close the table",
            says="Its series ends here. A deal that is being played ends without a loser.",
            act=_close,
            seen=seen_of,
            open=lambda row: row.status in (Table.Status.OPEN, Table.Status.RUNNING),
        ),
    )

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by code or name."""
        return Q(pk__in=tables_found(term))

    def related(self, request: HttpRequest, row: Table) -> Iterable[Any]:
        """Lead to all that belongs to the table."""
        yield self.rows(request, Game, "Deals", table__id__exact=row.pk)
        yield self.rows(request, Holder, "Seats", table__id__exact=row.pk)
        for model, said in (
            (Invite, "Invitations"),
            (Notice, "Notices"),
            (Audit, "What was done here"),
            (Report, "Reports"),
        ):
            yield self.rows(request, model, said, table__id__exact=row.pk)

    @admin.display(description="host")
    def host_link(self, row: Table) -> str:
        """Lead to the host."""
        return row_link(row.host)

    @admin.display(description="repeats")
    def like_link(self, row: Table) -> str:
        """Lead to the table that this one repeats."""
        return row_link(row.like)

    @admin.display(description="on the site")
    def page(self, row: Table) -> str:
        """Lead to the page of its people."""
        return public_link(row)


def _seen(row: Holder) -> str:
    return seen_of(row.table)


def _person_plays(row: Holder) -> bool:
    return row.until is None and row.user_id is not None and row.table.status == Table.Status.RUNNING


@admin.register(Holder)
class HolderAdmin(ReadAdmin):
    """Who sits and sat where."""

    fields = ("table_link", "seat", "name", "person", "bot", "stand_in", "stood_in", "back", "since", "until")
    readonly_fields = ("table_link", "person")
    list_display = ("name", "table_link", "seat", "bot", "since", "until", "page")
    list_select_related = ("table", "seat", "user")
    search_fields = ("table__code",)
    finds = "A table's code or how its name begins, or a person's."
    narrowed = ("table__id__exact", "user__id__exact")
    deeds = (
        Deed(
            name="replace",
            right=Audit.Action.REPLACE,
            label="Let a bot play on",
            says="A bot takes this seat for good, with the cards that it holds. The person does not come back to it.",
            act=_replace,
            seen=_seen,
            form=_LevelForm,
            open=_person_plays,
        ),
        Deed(
            name="free",
            right=Audit.Action.FREE,
            label="Free the seat",
            says="The seat waits for somebody else. Only a new invitation brings the person back.",
            act=_free,
            seen=_seen,
            open=lambda row: row.until is None and row.table.status == Table.Status.OPEN,
        ),
    )

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by table or person."""
        return Q(table__in=tables_found(term)) | Q(user__in=people_found(term, request.user))

    def public(self, row: Holder) -> Model | None:
        """The page of its table."""
        return row.table

    @admin.display(description="table")
    def table_link(self, row: Holder) -> str:
        """Lead to the table."""
        return row_link(row.table)

    @admin.display(description="person")
    def person(self, row: Holder) -> str:
        """Lead to the person."""
        return row_link(row.user)

    @admin.display(description="on the site")
    def page(self, row: Holder) -> str:
        """Lead to the page of the table."""
        return public_link(row.table)
