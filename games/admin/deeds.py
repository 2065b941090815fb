"""Actions of the desk: a page of its own for each, which asks why and does it by a service of the office."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from accounts.roles import SUPERUSER, role_of
from games.admin.links import row_url
from games.models.office import WHY_LENGTH
from games.services.errors import ServiceError
from games.services.office.rights import RIGHTS

if TYPE_CHECKING:
    from games.admin.base import ReadAdmin

_HERE: Final = ("GET", "HEAD", "POST")

SITE: Final = "the site"
"""What stands in the place of a row where an action is upon the whole site."""


class DeedForm(forms.Form):
    """Why, and what the page showed when it was opened; an action that needs more adds fields."""

    required_css_class = "required"
    why = forms.CharField(
        label="Why",
        max_length=WHY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": WHY_LENGTH}),
        help_text="Whom it concerns reads this. At most 300 characters.",
        error_messages={"required": "Say why: whom it concerns reads it."},
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)

    def __init__(self, *args: Any, row: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.row = row
        self.order_fields([*(name for name in self.fields if name not in ("why", "seen")), "why", "seen"])


type Act = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Deed:
    """An action upon a row: `act` is called with the row, by, why, seen, now, and what the form's own fields hold.

    right: its name among the rights of the office. open: whether there is anything to do. seen: what the page showed.
    """

    name: str
    right: str
    label: str
    says: str
    act: Act
    seen: Callable[[Any], str]
    form: type[DeedForm] = DeedForm
    open: Callable[[Any], bool] = field(default=lambda _row: True)


def may(user: object, right: str) -> bool:
    """Tell whether somebody's role may take an action."""
    role = role_of(user)
    return role == SUPERUSER or role in RIGHTS[right]


def deeds_open(desk: "ReadAdmin", request: HttpRequest, row: Any) -> Sequence[Deed]:
    """Return what the reader can do about a row now."""
    return [each for each in desk.deeds if may(request.user, each.right) and each.open(row)]


def deed_url(row: Model, deed: Deed) -> str:
    """Return the page of an action upon a row."""
    meta = row._meta  # noqa: SLF001 - its name is that of its pages
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_deed", args=[row.pk, deed.name])


def deed_page(desk: "ReadAdmin", request: HttpRequest, object_id: str, name: str) -> HttpResponse:
    """Show the form of an action upon a row, or take it and lead back to the row."""
    deed = next((each for each in desk.deeds if each.name == name), None)
    if deed is None:
        raise Http404
    return deed_taken(desk, request, deed, lambda: desk.get_object(request, object_id))


def deed_taken(desk: "ReadAdmin", request: HttpRequest, deed: Deed, found: Callable[[], Any]) -> HttpResponse:
    """Show the form of an action, or take it; *found* fetches the row anew, or what stands in its place."""
    row = found()
    if not desk.has_view_permission(request, row) or not may(request.user, deed.right):
        raise PermissionDenied
    if row is None:
        raise Http404
    if request.method not in _HERE:
        return HttpResponseNotAllowed(_HERE)
    if request.method != "POST":
        return _shown(desk, request, deed, deed.form(row=row, initial={"seen": deed.seen(row)}), 200)
    form = deed.form(request.POST, row=row)
    status = 422
    if form.is_valid():
        refused = _done(request, row, deed, form.cleaned_data)
        if refused is None:
            messages.success(request, f"Done: {deed.label}.")
            return HttpResponseRedirect(_back(desk, found()))
        # What the page shows from here on is how it is now.
        form, status = _again(request, deed, found(), refused), refused.status
    return _shown(desk, request, deed, form, status)


def _again(request: HttpRequest, deed: Deed, row: Any, refused: ServiceError) -> DeedForm:
    if row is None:
        raise Http404
    data = request.POST.copy()
    data["seen"] = deed.seen(row)
    form = deed.form(data, row=row)
    form.full_clean()
    form.add_error(None, str(refused))
    return form


def _done(request: HttpRequest, row: Any, deed: Deed, given: dict[str, Any]) -> ServiceError | None:
    """Take an action; return why it was refused."""
    try:
        deed.act(row, by=request.user, now=timezone.now(), **given)
    except ServiceError as error:
        return error
    return None


def _back(desk: "ReadAdmin", row: Any) -> str:
    """Return where an action leads: to the row, to the list of its kind if it is gone, or to how the site is."""
    if isinstance(row, Model):
        return row_url(row)
    if row == SITE:
        return reverse("admin:health")
    return reverse(f"admin:{desk.opts.app_label}_{desk.opts.model_name}_changelist")


def _shown(desk: "ReadAdmin", request: HttpRequest, deed: Deed, form: DeedForm, status: int) -> HttpResponse:
    row = form.row if isinstance(form.row, Model) else None
    what = {
        **desk.admin_site.each_context(request),
        "title": deed.label,
        "subtitle": str(row) if row else "",
        "deed": deed,
        "form": form,
        "row_url": row_url(row) if row else "",
        "back": _back(desk, row),
        "opts": desk.opts,
        "media": desk.media + form.media,
    }
    return TemplateResponse(request, "admin/desk/deed.html", what, status=status)
