"""Lists for operators, to read only. Deals, waste piles, logs and hashes are shown nowhere (trust.md S7)."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest

from games.models import Game, Holder, Result, Table


class _ReadOnly:
    """May be looked at and not touched."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted by hand."""
        return False


class HolderInline(_ReadOnly, admin.TabularInline):  # type: ignore[type-arg]  # takes no parameter at run time
    """Who sits and sat at a table."""

    model = Holder
    fields = ("seat", "name", "user", "bot", "since", "until")
    ordering = ("seat__number", "since")


@admin.register(Table)
class TableAdmin(_ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # takes no parameter at run time
    """Tables."""

    fields = ("name", "code", "host", "rules", "rules_version", "seats", "deals", "title", "show_voids", "created")
    list_display = ("name", "code", "host", "seats", "deals", "created")
    list_select_related = ("host",)
    search_fields = ("name", "code")
    show_full_result_count = False
    ordering = ("-pk",)
    inlines: ClassVar = [HolderInline]


@admin.register(Holder)
class HolderAdmin(_ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # takes no parameter at run time
    """Who sits and sat where."""

    fields = ("table", "seat", "name", "user", "bot", "since", "until")
    list_display = ("name", "table", "seat", "user", "bot", "since", "until")
    list_select_related = ("table", "seat", "user")
    search_fields = ("name", "table__name", "table__code")
    show_full_result_count = False
    ordering = ("-pk",)


@admin.register(Game)
class GameAdmin(_ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # takes no parameter at run time
    """Games."""

    fields = ("code", "table", "number", "dealer", "rules", "rules_version", "status", "version", "created", "ended")
    list_display = ("code", "table", "number", "status", "version", "created", "ended")
    list_filter = ("status",)
    list_select_related = ("table",)
    search_fields = ("code", "table__name", "table__code")
    show_full_result_count = False
    ordering = ("-pk",)


@admin.register(Result)
class ResultAdmin(_ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # takes no parameter at run time
    """Results."""

    fields = ("game", "loser", "holder", "void", "cards_left", "away")
    list_display = ("game", "loser", "holder", "void", "cards_left")
    list_filter = ("void",)
    list_select_related = ("game", "holder")
    search_fields = ("game__code",)
    show_full_result_count = False
    ordering = ("-pk",)
