"""What all lists and pages of the desk have in common: they are read, they count no further than they must."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.text import capfirst

from accounts.history import history_of
from accounts.roles import MODERATOR, OPERATOR, SUPERUSER, SUPPORT, role_of
from games.admin.deeds import Deed, deed_page, deed_url, deeds_open
from games.admin.links import NONE, public_url, rows_link

COUNTED: Final = 1000
"""How many rows a list counts; of more it says that there are more, and a search or a filter finds them."""

EVERYBODY: Final = frozenset({OPERATOR, MODERATOR, SUPPORT})
OPERATORS: Final = frozenset({OPERATOR})
READERS: Final = frozenset({OPERATOR, SUPPORT})


class FewPaginator(Paginator):  # type: ignore[type-arg]  # takes no parameter at run time
    """Counts no further than `COUNTED`: a million rows would take a second."""

    @cached_property
    def count(self) -> int:
        """Return how many rows there are, at most one more than are counted, in the order in which they are shown."""
        rows: Any = self.object_list
        return int(rows.values("pk")[: COUNTED + 1].count())


class OneOrder(ChangeList):
    """A list that is in its own order, whatever its address says: none but that has an index."""

    def get_ordering_field(self, field_name: object) -> None:
        """Order by no column."""


class _Read:
    """May be looked at by some roles, and is changed by nobody but by the actions of the desk."""

    seen_by: ClassVar[frozenset[str]] = EVERYBODY

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tell whether the reader's role looks at these rows."""
        role = role_of(request.user)
        return role == SUPERUSER or role in self.seen_by

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Tell whether the reader's role looks at any."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted by hand."""
        return False


class ReadInline(_Read, admin.TabularInline):  # type: ignore[type-arg]  # takes no parameter at run time
    """Rows that belong to another."""

    extra = 0
    max_num = 0
    can_delete = False


class ReadAdmin(_Read, admin.ModelAdmin):  # type: ignore[type-arg]  # takes no parameter at run time
    """A list and a page for each of its rows, with the actions that there are for it."""

    paginator = FewPaginator
    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    ordering = ("-pk",)
    actions = None
    view_on_site = False
    change_form_template = "admin/desk/row.html"
    object_history_template = "admin/desk/history.html"
    deeds: ClassVar[tuple[Deed, ...]] = ()
    finds = ""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list under the name of what it lists."""
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, title | (extra_context or {}))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return what makes its lists."""
        return OneOrder

    @property
    def search_help_text(self) -> str:  # type: ignore[override]
        """Say what can be looked for."""
        return self.finds

    def found(self, request: HttpRequest, term: str) -> Q:
        """Return which rows a search means: all of them, where nothing can be looked for."""
        return Q()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Look for what is meant by an index, or say that there is none."""
        term = search_term.replace("\0", "").strip()[:254]
        return (queryset.filter(self.found(request, term)) if term else queryset), False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Let lists be narrowed by what links of ours say, and by nothing else: a lookup could feel for a secret."""
        return lookup in {*self.narrowed, *self._filters()}

    narrowed: ClassVar[tuple[str, ...]] = ()

    def _filters(self) -> Iterable[str]:
        return (getattr(each, "parameter_name", "") for each in self.list_filter)

    def related(self, request: HttpRequest, row: Any) -> Iterable[Any]:
        """Return links to what belongs to a row."""
        return ()

    def rows(self, request: HttpRequest, model: type[Model], said: str, **wanted: object) -> str:
        """Return a link to the rows of a model that belong to another row, "" for who may not look at them."""
        desk = self.admin_site.get_model_admin(model)
        return rows_link(model, said, **wanted) if desk.has_view_permission(request) else NONE

    def public(self, row: Any) -> Model | None:
        """Return the row whose page of the site belongs to this one."""
        return row if isinstance(row, Model) else None

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of the actions."""
        meta = self.opts
        view = self.admin_site.admin_view(self.deed_view)
        mine = path("<path:object_id>/do/<slug:deed>/", view, name=f"{meta.app_label}_{meta.model_name}_deed")
        return [mine, *super().get_urls()]

    def deed_view(self, request: HttpRequest, object_id: str, deed: str) -> HttpResponse:
        """Ask why, and do it."""
        return deed_page(self, request, object_id, deed)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a row with what can be done about it, and where else it is shown."""
        row = self.get_object(request, object_id)
        more: dict[str, Any] = {}
        if row is not None and self.has_view_permission(request, row):
            more = {
                "deeds": [(each, deed_url(row, each)) for each in deeds_open(self, request, row)],
                "public": public_url(self.public(row)),
                "related": [each for each in self.related(request, row) if each],
            }
        return super().change_view(request, object_id, form_url, more | (extra_context or {}))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show what operators changed of a row, if it is of a kind that they may write over."""
        kept = None
        if hasattr(self.model, "history"):
            row = self.get_object(request, object_id)
            kept = history_of(self.model, row.pk) if row is not None else []
        return super().history_view(request, object_id, {"kept": kept} | (extra_context or {}))
