"""Games: how they stand and how they ended. Of one that is over everything, of one that is played no card."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from games.admin.base import ReadAdmin
from games.admin.deeds import Deed, DeedForm
from games.admin.filters import among, by
from games.admin.finding import games_found
from games.admin.links import public_link, row_link, row_url
from games.models import Audit, Game, MissedTurn, Turn
from games.models.office import Correction
from games.selectors.cast import cards_text
from games.selectors.clocks import pace_of
from games.selectors.effective import effective_of
from games.selectors.records import game_record
from games.services.office.clocks import deadlines_extend
from games.services.office.results import deal_void, game_end, game_take_up, result_correct, to_charge
from games.services.office.seen import seen_of


class CorrectForm(DeedForm):
    """Who shall have lost, and with how many cards."""

    loser = forms.TypedChoiceField(label="Who lost", coerce=int, empty_value=None, required=False)
    cards_left = forms.IntegerField(
        label="Cards left", min_value=0, max_value=104, required=False, help_text="Empty: as the log says."
    )

    def __init__(self, *args: Any, row: Any, **kwargs: Any) -> None:
        super().__init__(*args, row=row, **kwargs)
        seats = [(str(seat), f"{to_charge(row, seat).name} (seat {seat})") for seat in range(row.table.seats)]
        self.fields["loser"].choices = [("", "Nobody: the deal is void"), *seats]  # type: ignore[attr-defined]
        counts = effective_of([row]).get(row.pk)
        if counts is not None and counts.result.loser is not None:
            self.fields["loser"].initial = str(counts.result.loser)


class _TimeForm(DeedForm):
    hours = forms.IntegerField(label="Hours more", min_value=1, max_value=720, initial=24)


def _correct(row: Game, **given: Any) -> None:
    result_correct(game_id=row.pk, **given)


def _void(row: Game, **given: Any) -> None:
    deal_void(game_id=row.pk, **given)


def _end(row: Game, **given: Any) -> None:
    game_end(game_id=row.pk, **given)


def _take_up(row: Game, **given: Any) -> None:
    game_take_up(game_id=row.pk, **given)


def _extend(row: Game, *, hours: int, **given: Any) -> None:
    deadlines_extend(game_id=row.pk, length=timedelta(hours=hours), **given)


def _is(status: Game.Status) -> Any:
    return lambda row: row.status == status


_DEEDS = (
    Deed(
        name="correct",
        right=Audit.Action.CORRECT,
        label="Correct the result",
        says="The deal counts otherwise from now on. How it ended stays as it is, and this can be undone.",
        act=_correct,
        seen=seen_of,
        form=CorrectForm,
        open=_is(Game.Status.OVER),
    ),
    Deed(
        name="void",
        right=Audit.Action.VOID,
        label="Void the deal",
        says="Nobody has lost it. If it is being played it ends now.",
        act=_void,
        seen=seen_of,
    ),
    Deed(
        name="end",
        right=Audit.Action.END,
        label="End the game",
        says="For a game that is stuck: it ends without a loser, and the series goes on.",
        act=_end,
        seen=seen_of,
        open=_is(Game.Status.RUNNING),
    ),
    Deed(
        name="extend",
        right=Audit.Action.EXTEND,
        label="Give more time",
        says="Whoever is awaited gets more time.",
        act=_extend,
        seen=seen_of,
        form=_TimeForm,
        open=lambda row: row.status == Game.Status.RUNNING and pace_of(row.table).timed,
    ),
    Deed(
        name="take-up",
        right=Audit.Action.TAKE_UP,
        label="Take the game up again",
        says="It was set aside because something failed at it. Once that is put right, let it go on.",
        act=_take_up,
        seen=seen_of,
        open=lambda row: row.aside is not None,
    ),
)


@admin.register(Game)
class GameAdmin(ReadAdmin):
    """Games, each a deal of a table."""

    fields = (
        *("code", "table_link", "number", "dealer", "rules", "rules_version", "status", "version", "counts", "awaits"),
        *("created", "ended", "next_at", "aside", "broken"),
    )
    readonly_fields = ("table_link", "counts", "awaits")
    list_display = ("code", "table_link", "status", "number", "created", "ended", "page")
    list_filter = (
        among("status", Game.Status),
        by("aside", "set aside", [("yes", "Set aside", Q(aside__isnull=False))]),
    )
    list_select_related = ("table",)
    search_fields = ("code",)
    finds = "A game's code, or a table's code or how its name begins."
    narrowed = ("table__id__exact",)
    deeds = _DEEDS

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by code, table or name."""
        return Q(pk__in=games_found(term))

    def get_urls(self) -> list[URLPattern]:
        """Add the page of the log."""
        view = self.admin_site.admin_view(self.log_view)
        return [path("<path:object_id>/log/", view, name="games_game_log"), *super().get_urls()]

    def log_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the hands and the log of a game that is over; of one that is played there is no such page."""
        game = self.get_object(request, object_id)
        if not self.has_view_permission(request, game):
            raise PermissionDenied
        if game is None or game.status != Game.Status.OVER:
            raise Http404
        what = {
            **self.admin_site.each_context(request),
            "title": "Hands and log",
            "subtitle": str(game),
            "record": game_record(game),
            "row_url": row_url(game),
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/desk/log.html", what)

    def related(self, request: HttpRequest, row: Game) -> Iterable[Any]:
        """Lead to all that belongs to the game."""
        yield row_link(row.table, "Table")
        if row.status == Game.Status.OVER:
            yield format_html('<a href="{}">Hands and log</a>', reverse("admin:games_game_log", args=[row.pk]))
            yield row_link(getattr(row, "result", None), "Result")
        yield self.rows(request, Correction, "Corrections", game__id__exact=row.pk)
        yield self.rows(request, MissedTurn, "Missed turns", game__id__exact=row.pk)
        yield self.rows(request, Audit, "What was done here", game__id__exact=row.pk)

    @admin.display(description="how it counts")
    def counts(self, row: Game) -> str:
        """Say who has lost, corrections counted."""
        found = effective_of([row]).get(row.pk)
        if found is None:
            return "not over yet"
        said = _ended(found.result.loser, found.result.cards_left, found.holder)
        return f"{said} (corrected)" if found.corrected else said

    @admin.display(description="awaits")
    def awaits(self, row: Game) -> str:
        """Say from which seats a card is awaited, and until when."""
        turns = Turn.objects.filter(game=row).order_by("seat")
        return "; ".join(
            f"seat {each.seat} until {each.due_at:%Y-%m-%d %H:%M} UTC" if each.due_at else f"seat {each.seat}"
            for each in turns
        )

    @admin.display(description="table")
    def table_link(self, row: Game) -> str:
        """Lead to the table."""
        return row_link(row.table)

    @admin.display(description="on the site")
    def page(self, row: Game) -> str:
        """Lead to the page of its people."""
        return public_link(row)


def _ended(loser: int | None, cards_left: int | None, holder: Model | None) -> str:
    if loser is None:
        return "void: nobody lost"
    return f"{holder or 'nobody'} (seat {loser}) lost with {cards_text(cards_left or 0)}"
