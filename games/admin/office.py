"""What operators did, when clocks stood still, and which parts of the site were seen at work."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Model, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path

from games.admin.base import READERS, ReadAdmin
from games.admin.deeds import SITE, Deed, deed_taken
from games.admin.filters import among, by
from games.admin.finding import games_found, people_found, tables_found
from games.admin.links import public_link, row_link
from games.models import Audit, Halt, Pulse
from games.services.office.clocks import site_freeze, site_thaw


@admin.register(Audit)
class AuditAdmin(ReadAdmin):
    """Every action of the desk, for good."""

    fields = ("action", "at", "who", "why", "table_link", "game_link", "person_link", "before", "after")
    readonly_fields = ("who", "table_link", "game_link", "person_link")
    list_display = ("action", "about", "why", "who", "at", "page")
    list_filter = (among("action", Audit.Action),)
    list_select_related = ("by", "table", "game", "person")
    search_fields = ("why",)
    finds = "A game's, table's or person's code, or how a name begins."
    narrowed = ("table__id__exact", "game__id__exact", "person__id__exact", "by__id__exact")

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by what it was done to, or by whom."""
        people = people_found(term, request.user)
        return Q(table__in=tables_found(term)) | Q(game__in=games_found(term)) | Q(person__in=people) | Q(by__in=people)

    def related(self, request: HttpRequest, row: Audit) -> Iterable[Any]:
        """Lead to the correction that came of it."""
        yield row_link(getattr(row, "correction", None), "Correction")

    def public(self, row: Audit) -> Model | None:
        """The page of the game, the table or the person."""
        return row.game or row.table or row.person

    @admin.display(description="to what")
    def about(self, row: Audit) -> str:
        """Lead to the game, the table or the person."""
        return row_link(row.game or row.table or row.person)

    @admin.display(description="by")
    def who(self, row: Audit) -> str:
        """Lead to who did it, or say that it was a command."""
        return row_link(row.by) or row.after.get("from", "")

    @admin.display(description="table")
    def table_link(self, row: Audit) -> str:
        """Lead to the table."""
        return row_link(row.table)

    @admin.display(description="game")
    def game_link(self, row: Audit) -> str:
        """Lead to the game."""
        return row_link(row.game, row.game and row.game.code)

    @admin.display(description="person")
    def person_link(self, row: Audit) -> str:
        """Lead to the person."""
        return row_link(row.person)

    @admin.display(description="on the site")
    def page(self, row: Audit) -> str:
        """Lead to the page of the game, the table or the person."""
        return public_link(self.public(row))


def _freeze(_row: object, *, seen: str, **given: Any) -> None:
    site_freeze(**given)


def _thaw(_row: object, *, seen: str, **given: Any) -> None:
    site_thaw(**given)


_CLOCKS = {
    "freeze": Deed(
        name="freeze",
        right=Audit.Action.FREEZE,
        label="Stop the clocks of the site",
        says="Nobody is timed out or reminded, and nothing is played or dealt by itself, until you let them run again.",
        act=_freeze,
        seen=lambda _row: "",
    ),
    "thaw": Deed(
        name="thaw",
        right=Audit.Action.THAW,
        label="Let the clocks run again",
        says="Whoever was awaited has as much time as when the clocks were stopped.",
        act=_thaw,
        seen=lambda _row: "",
    ),
}


@admin.register(Halt)
class HaltAdmin(ReadAdmin):
    """Times in which the clocks of the site stood still; the desk's health page stops them and lets them run."""

    seen_by = READERS
    fields = ("kind", "why", "since", "until", "upto", "applied")
    list_display = ("kind", "why", "since", "until")
    list_filter = (by("still", "state", [("yes", "Clocks stand still", Q(until=None))]),)

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that stop the clocks and let them run."""
        view = self.admin_site.admin_view(self.clocks_view)
        return [path("clocks/<slug:deed>/", view, name="games_halt_clocks"), *super().get_urls()]

    def clocks_view(self, request: HttpRequest, deed: str) -> HttpResponse:
        """Ask why, and stop the clocks of the whole site or let them run."""
        if deed not in _CLOCKS:
            raise Http404
        # There is no row yet; the services see to it that nobody does it twice.
        return deed_taken(self, request, _CLOCKS[deed], lambda: SITE)

    def public(self, row: Halt) -> Model | None:
        """No page."""
        return None


@admin.register(Pulse)
class PulseAdmin(ReadAdmin):
    """When each part of the site was last seen at work."""

    seen_by = READERS
    fields = ("name", "at")
    list_display = ("name", "at")

    def public(self, row: Pulse) -> Model | None:
        """No page."""
        return None
