"""Signing up, in and out."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView, RedirectURLMixin
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.views.generic import FormView

from accounts.forms import SignInForm, SignUpForm
from accounts.gates import wrong_method
from accounts.models import User


class SignIn(LoginView):
    """Sign in by email address and password; `next` leads on, to addresses of this site only."""

    authentication_form = SignInForm
    template_name = "accounts/signin.html"
    redirect_authenticated_user = True
    next_page = "home"

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say so in a sentence."""
        return wrong_method(request, ("GET", "HEAD", "POST"))


class SignOut(LogoutView):
    """Sign out, by POST only."""

    next_page = "signin"

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say so in a sentence."""
        return wrong_method(request, ("POST",))


class SignUp(RedirectURLMixin, FormView[SignUpForm]):
    """Make an account and sign in with it."""

    form_class = SignUpForm
    template_name = "accounts/signup.html"
    next_page = "home"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Keep where to go on to."""
        return super().get_context_data(**kwargs) | {"next": self.get_redirect_url()}

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Store the person, unless another request has just done so with the same address."""
        data = form.cleaned_data
        try:
            with transaction.atomic():
                user = User.objects.create_user(data["email"], data["password"], name=data["name"])
        except IntegrityError:
            form.add_error("email", "There is an account with this address: sign in instead.")
            return self.form_invalid(form)
        login(self.request, user)
        return super().form_valid(form)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say so in a sentence."""
        return wrong_method(request, ("GET", "HEAD", "POST"))
