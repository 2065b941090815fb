"""The second factor of those who run the site: an app that counts, a passkey, codes for when both are lost."""

from typing import Any, cast
from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import ReauthenticateForm
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.base.views import ReauthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.flows import can_generate_recovery_codes, generate_recovery_codes
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.flows import activate_totp
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from accounts.gates import PersonView, View, person_only
from accounts.models import User
from accounts.roles import factor_missing, factor_shown, factors_of
from accounts.views.answers import door, fresh_only, refusal
from accounts.views.device import drawn

_TYPED = {Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES}


class _CodeForm(ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = "Code"
        self.fields["code"].widget.attrs |= {"placeholder": "", "inputmode": "numeric"}


class _AppForm(ActivateTOTPForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = "The six digits that the app shows"
        self.fields["code"].widget.attrs |= {"placeholder": "", "inputmode": "numeric"}


class _Again(ReauthenticateView):
    template_name = "mfa/reauthenticate.html"

    def get_form_class(self) -> type[_CodeForm]:
        return _CodeForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found: dict[str, Any] = super().get_context_data(**kwargs)
        return found | {"next": get_next_redirect_url(self.request) or ""}


class _App(ActivateTOTPView):
    template_name = "mfa/totp/activate_form.html"

    def get_form_class(self) -> type[_AppForm]:
        return _AppForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Draw the square within the page: our policy lets no picture in that is an address."""
        found = super(ActivateTOTPView, self).get_context_data(**kwargs)
        secret = found["form"].secret
        square = drawn(get_adapter().build_totp_url(cast("User", self.request.user), secret))
        spaced = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
        return {**found, "square": square, "secret": spaced}

    def form_valid(self, form: _AppForm) -> HttpResponse:
        """Keep the app; whoever could copy a code from it has shown it."""
        app, _ = activate_totp(self.request, form)
        app.wrap().validate_code(form.cleaned_data["code"])
        post_authentication(self.request, app, reauthenticated=True)
        return HttpResponseRedirect(reverse("second_codes"))


class _NoApp(DeactivateTOTPView):
    template_name = "mfa/totp/deactivate_form.html"

    def get_success_url(self) -> str:
        return reverse("second")


def _staff[**P](view: PersonView[P]) -> PersonView[P]:
    """Let in only who has a role; for others there is no such page."""

    def gated(request: HttpRequest, user: User, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not user.is_staff or user.guest:
            raise Http404
        return view(request, user, *args, **kwargs)

    return gated


def _changing[**P](view: PersonView[P]) -> View[P]:
    """Let in who has just shown who they are, and a second factor if they have one."""

    @fresh_only
    @_staff
    def fresh(request: HttpRequest, user: User, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return view(request, user, *args, **kwargs)

    @person_only
    @_staff
    def gated(request: HttpRequest, user: User, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if factor_missing(request, user):
            return second_first(request)
        return fresh(request, *args, **kwargs)

    return gated


def second_first(request: HttpRequest) -> HttpResponse:
    """Lead to where a second factor is shown, and from there back."""
    return HttpResponseRedirect(f"{reverse('second')}?{urlencode({'next': request.get_full_path()})}", status=303)


@door("GET", "POST")
@person_only
@_staff
def second(request: HttpRequest, user: User) -> HttpResponseBase:
    """Ask for a second factor, or say how to set one up; whoever has shown one sees what they have."""
    onward, kinds = get_next_redirect_url(request) or "", factors_of(user)
    shown = factor_shown(request, user)
    if shown and onward:
        return HttpResponseRedirect(onward)
    form = _CodeForm(user=user, data=request.POST or None) if kinds & _TYPED and not shown else None
    if form is not None and form.is_valid():
        form.save()
        return HttpResponseRedirect(onward or reverse("admin:index"))
    what = {"form": form, "kinds": kinds, "shown": shown, "next": onward}
    return render(request, "mfa/second.html", what, status=refusal(form) if form is not None and form.is_bound else 200)


@_changing
def _codes(request: HttpRequest, user: User) -> HttpResponse:
    made = None
    if request.method == "POST" and can_generate_recovery_codes(user):
        made = generate_recovery_codes(request).wrap().get_unused_codes()
    left = Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first()
    count = len(left.wrap().get_unused_codes()) if left else 0
    return render(request, "mfa/codes.html", {"codes": made, "count": count, "may": can_generate_recovery_codes(user)})


def _view(view: Any) -> PersonView[...]:
    return lambda request, _user, *args, **kwargs: view(request, *args, **kwargs)


second_codes = door("GET", "POST")(_codes)
second_app = door("GET", "POST")(_changing(_view(_App.as_view())))
second_no_app = door("GET", "POST")(_changing(_view(_NoApp.as_view())))
second_again = door("GET", "POST")(_Again.as_view())
