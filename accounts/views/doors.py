"""Signing up, in and out; codes; showing again who one is."""

from http import HTTPStatus
from typing import Any

from allauth.account.mixins import NextRedirectMixin, RedirectAuthenticatedUserMixin
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import (
    ConfirmEmailVerificationCodeView,
    ConfirmLoginCodeView,
    ConfirmReauthenticationCodeView,
    LoginView,
    LogoutView,
    ReauthenticateView,
    RequestReauthenticationCodeView,
)
from allauth.decorators import rate_limit
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from accounts.forms import AgainForm, CodeForm, EmailCodeForm, SignInForm, SignUpForm
from accounts.models import User
from accounts.services import person_started
from accounts.views.answers import door


class _Next(NextRedirectMixin):
    request: HttpRequest

    """A page that leads on to `next`, if that is a page of this site."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[no-untyped-call]
        return found | {"next": get_next_redirect_url(self.request) or ""}


class _NotPending:
    """A door that opens also while a code is awaited: the address may have been mistyped."""

    def _redirect_to_pending_stage(self, request: HttpRequest, stage: Any) -> None:
        return None


class _SignIn(_NotPending, _Next, LoginView):
    form_class = SignInForm
    template_name = "account/login.html"

    def get_form_class(self) -> type[SignInForm]:
        return self.form_class

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "out": "out" in self.request.GET}


@method_decorator(rate_limit(action="signup"), name="dispatch")
class _SignUp(_NotPending, RedirectAuthenticatedUserMixin, _Next, FormView[SignUpForm]):
    form_class = SignUpForm
    template_name = "account/signup.html"
    request: HttpRequest

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        data = form.cleaned_data
        answer = person_started(self.request, email=data["email"], name=data["name"], zone=data["zone"])
        assert isinstance(answer, HttpResponse)  # noqa: S101 - a redirect
        return answer


class _Tries:
    """Names what is guessed, so that all who guess it at once are counted together."""

    request: HttpRequest
    _process: Any

    def get_form_kwargs(self) -> dict[str, Any]:
        kwargs: dict[str, Any] = super().get_form_kwargs()  # type: ignore[misc]
        state = self._process.state
        return kwargs | {"tries": f"{self.request.session.session_key}:{state.get('email')}:{state['at']}"}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        return found | {"email": self._process.state.get("email")}


class _Code(_Tries, _Next, ConfirmLoginCodeView):
    template_name = "account/code.html"

    def get_form_class(self) -> type[CodeForm]:
        return CodeForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "kind": "signin"}


class _Confirm(_Tries, _Next, ConfirmEmailVerificationCodeView):
    template_name = "account/code.html"

    def get_form_class(self) -> type[EmailCodeForm]:
        return EmailCodeForm

    def form_invalid(self, form: EmailCodeForm) -> HttpResponse:
        """Lead back to where the address is written, after the last try."""
        answer: HttpResponse = super().form_invalid(form)  # type: ignore[no-untyped-call]
        if answer.status_code == HTTPStatus.FOUND and self.request.user.is_authenticated:
            return HttpResponseRedirect(reverse("account_email"))
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "kind": "address"}


class _Again(_Next, ReauthenticateView):
    template_name = "account/reauthenticate.html"

    def get_form_class(self) -> type[AgainForm]:
        return AgainForm


class _AgainCode(_Next, RequestReauthenticationCodeView):
    template_name = "account/request_reauthentication_code.html"


class _AgainConfirm(_Tries, _Next, ConfirmReauthenticationCodeView):
    template_name = "account/code.html"

    def get_form_class(self) -> type[CodeForm]:
        return CodeForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "kind": "again"}


sign_in = door("GET", "POST")(sensitive_post_parameters("password")(_SignIn.as_view()))
sign_up = door("GET", "POST")(_SignUp.as_view())
code = door("GET", "POST")(_Code.as_view())
confirm = door("GET", "POST")(_Confirm.as_view())
again = door("GET", "POST")(sensitive_post_parameters("password")(_Again.as_view()))
again_code = door("GET", "POST")(_AgainCode.as_view())
again_confirm = door("GET", "POST")(_AgainConfirm.as_view())
_sign_out = LogoutView.as_view()


@door("POST")
def sign_out(request: HttpRequest) -> HttpResponseBase:
    """Sign out, and have the browser forget all cookies; a guest, who could not come back, is asked once more."""
    if isinstance(request.user, User) and request.user.guest and "sure" not in request.POST:
        onward = request.POST.get("next", "")
        return render(request, "account/logout.html", {"next": onward}, status=409)
    response: HttpResponse = _sign_out(request)
    # Not "cache": Chromium hangs for seconds, and no page of ours may be kept anyway.
    response["Clear-Site-Data"] = '"cookies", "storage"'
    return response


@door("GET")
def inactive(request: HttpRequest) -> HttpResponseBase:
    """Say that this account may not sign in."""
    if request.user.is_authenticated:
        return HttpResponseRedirect(reverse("home"))
    return render(request, "account/account_inactive.html", status=403)
