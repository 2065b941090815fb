"""Signing up, in and out."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView, RedirectURLMixin
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from accounts.forms import TAKEN, SignInForm, SignUpForm
from accounts.gates import only
from accounts.models import User


class _SignIn(LoginView):
    def form_invalid(self, form: SignInForm) -> HttpResponse:  # type: ignore[override]  # the form is the class's
        """Show the form again, as what it is: refused."""
        return self.render_to_response(self.get_context_data(form=form), status=422)

    authentication_form = SignInForm
    template_name = "accounts/signin.html"
    redirect_authenticated_user = True
    next_page = "home"

    def get_success_url(self) -> str:
        """Return where `next` leads; not here again, which Django takes for a fault of the site."""
        url = super().get_success_url()
        return self.get_default_redirect_url() if url == self.request.path else url


class _SignOut(LogoutView):
    next_page = "signin"


class _SignUp(RedirectURLMixin, FormView[SignUpForm]):
    form_class = SignUpForm
    template_name = "accounts/signup.html"
    next_page = "home"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"next": self.get_redirect_url()}

    def form_invalid(self, form: SignUpForm) -> HttpResponse:
        """Show the form again, as what it is: refused."""
        return self.render_to_response(self.get_context_data(form=form), status=422)

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Store the person, unless another request has just done so with the same address."""
        data = form.cleaned_data
        try:
            with transaction.atomic():
                user = User.objects.create_user(data["email"], data["password"], name=data["name"])
        except IntegrityError:
            form.add_error("email", TAKEN)
            return self.form_invalid(form)
        login(self.request, user)
        return super().form_valid(form)


_sign_in, _sign_out, _sign_up = _SignIn.as_view(), _SignOut.as_view(), _SignUp.as_view()


@only("GET", "POST")
def sign_in(request: HttpRequest) -> HttpResponseBase:
    """Sign in by email address and password; `next` leads on, to addresses of this site only."""
    return _sign_in(request)


@only("POST")
def sign_out(request: HttpRequest) -> HttpResponseBase:
    """Sign out."""
    return _sign_out(request)


@only("GET", "POST")
@sensitive_post_parameters("password")
def sign_up(request: HttpRequest) -> HttpResponseBase:
    """Make an account and sign in with it; `next` as for signing in."""
    return _sign_up(request)
