"""How games ended, and the corrections: what counts is the newest of them."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Model, Q
from django.http import HttpRequest

from games.admin.base import ReadAdmin
from games.admin.deeds import Deed
from games.admin.finding import games_found
from games.admin.links import public_link, row_link
from games.models import Audit, Result
from games.models.office import Correction
from games.selectors.cast import cards_text
from games.selectors.effective import effective_of
from games.services.office.results import correction_undo
from games.services.office.seen import seen_of


@admin.register(Result)
class ResultAdmin(ReadAdmin):
    """Results as games ended, and as they count."""

    fields = ("game_link", "loser", "holder_link", "void", "stopped", "cards_left", "away", "counts")
    readonly_fields = ("game_link", "holder_link", "counts")
    list_display = ("__str__", "game_link", "holder_link", "cards_left", "page")
    list_select_related = ("game", "holder")
    search_fields = ("game__code",)
    finds = "A game's code, or a table's code or how its name begins."
    narrowed = ("game__id__exact",)

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by game or table."""
        return Q(game__in=games_found(term))

    def related(self, request: HttpRequest, row: Result) -> Iterable[Any]:
        """Lead to the game, where it is corrected, and to what was corrected."""
        yield row_link(row.game, "Game: correct or void it there")
        yield self.rows(request, Correction, "Corrections", game__id__exact=row.game_id)

    def public(self, row: Result) -> Model | None:
        """The page of its game."""
        return row.game

    @admin.display(description="game")
    def game_link(self, row: Result) -> str:
        """Lead to the game."""
        return row_link(row.game, row.game.code)

    @admin.display(description="charged")
    def holder_link(self, row: Result) -> str:
        """Lead to who is charged with it."""
        return row_link(row.holder)

    @admin.display(description="counts as")
    def counts(self, row: Result) -> str:
        """Say what counts, corrections included."""
        found = effective_of([row.game_id])[row.game_id]
        end = found.result
        said = "void" if end.loser is None else f"seat {end.loser} lost with {cards_text(end.cards_left or 0)}"
        return f"{said}, by correction {found.number}" if found.number else said

    @admin.display(description="on the site")
    def page(self, row: Result) -> str:
        """Lead to the page of the game."""
        return public_link(row.game)


def _undo(row: Correction, **given: Any) -> None:
    correction_undo(correction_id=row.pk, **given)


@admin.register(Correction)
class CorrectionAdmin(ReadAdmin):
    """Corrections: who, when, why, before and after."""

    fields = (
        *("game_link", "number", "at", "who", "why", "before", "loser", "holder_link", "void", "cards_left"),
        *("undoes_link", "audit_link"),
    )
    readonly_fields = ("game_link", "at", "who", "why", "holder_link", "undoes_link", "audit_link")
    list_display = ("__str__", "game_link", "why", "who", "at", "page")
    list_select_related = ("game", "audit", "audit__by", "holder")
    search_fields = ("game__code",)
    finds = "A game's code, or a table's code or how its name begins."
    narrowed = ("game__id__exact",)
    deeds = (
        Deed(
            name="undo",
            right=Audit.Action.UNDO,
            label="Undo the correction",
            says="What counted before it counts again. That is another correction: nothing is taken away.",
            act=_undo,
            seen=seen_of,
        ),
    )

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by game or table."""
        return Q(game__in=games_found(term))

    def related(self, request: HttpRequest, row: Correction) -> Iterable[Any]:
        """Lead to the game and to the other corrections."""
        yield row_link(row.game, "Game")
        yield self.rows(request, Correction, "All corrections of it", game__id__exact=row.game_id)

    def public(self, row: Correction) -> Model | None:
        """The page of its game."""
        return row.game

    @admin.display(description="game")
    def game_link(self, row: Correction) -> str:
        """Lead to the game."""
        return row_link(row.game, row.game.code)

    @admin.display(description="at")
    def at(self, row: Correction) -> Any:
        """Say when."""
        return row.audit.at

    @admin.display(description="by")
    def who(self, row: Correction) -> str:
        """Lead to who made it."""
        return row_link(row.audit.by)

    @admin.display(description="why")
    def why(self, row: Correction) -> str:
        """Say why."""
        return row.audit.why

    @admin.display(description="charged")
    def holder_link(self, row: Correction) -> str:
        """Lead to who is charged from now on."""
        return row_link(row.holder)

    @admin.display(description="undoes")
    def undoes_link(self, row: Correction) -> str:
        """Lead to the correction that this one undoes."""
        return row_link(row.undoes)

    @admin.display(description="audit")
    def audit_link(self, row: Correction) -> str:
        """Lead to the row of the audit."""
        return row_link(row.audit)

    @admin.display(description="on the site")
    def page(self, row: Correction) -> str:
        """Lead to the page of the game."""
        return public_link(row.game)
