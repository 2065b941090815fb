"""The desk of those who run the site: Django's admin, open to who has shown a second factor (accounts.roles)."""

from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from accounts.models import User
from accounts.roles import factor_shown, role_givers, role_of
from accounts.views.doors import sign_out

_FOUND: Final = "_factor_shown"


class Desk(AdminSite):
    """Knows neither passwords nor codes: the site's own doors do."""

    site_header = "Getaway: the desk"
    site_title = "Getaway"
    index_title = "The desk"
    empty_value_display = "-"

    def has_permission(self, request: HttpRequest) -> bool:
        """Tell whether any page of the desk opens: to staff, once they have shown a second factor."""
        user = request.user
        if not isinstance(user, User) or not user.is_active or not user.is_staff:
            return False
        # Asked for several times while one page is made.
        if not hasattr(request, _FOUND):
            setattr(request, _FOUND, factor_shown(request, user))
        return bool(getattr(request, _FOUND))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the site's own door, or to where a second factor is shown or set up; and from there back."""
        onward = get_next_redirect_url(request) or reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(onward, reverse("signin"))
        if not request.user.is_active or not request.user.is_staff:
            raise PermissionDenied
        return HttpResponseRedirect(f"{reverse('second')}?{urlencode({'next': onward})}")

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]
        """Sign out as everywhere on the site."""
        return sign_out(request)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # no page
        """Lead to the site's own page, which asks once more who it is."""
        return HttpResponseRedirect(reverse("account_change_password"))

    def password_change_done(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # no page
        """Lead back to the desk."""
        return HttpResponseRedirect(reverse("admin:index"))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show what there is to the reader, and to who has no role who gives one."""
        more = {} if role_of(request.user) else {"givers": role_givers(), "person": request.user}
        return super().index(request, more | (extra_context or {}))

    def get_urls(self) -> list[Any]:
        """Add the page that says how the site is, which is for all of the staff."""
        from games.admin.health import health_page

        return [path("health/", self.admin_view(partial(health_page, self)), name="health"), *super().get_urls()]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Say on every page in which role its reader is here."""
        return {**super().each_context(request), "role": role_of(request.user)}
