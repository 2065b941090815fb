"""What the answers of all doors have in common."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts.gates import PersonView, View, only, person_only
from accounts.models import User

_TRIES: Final = {"too_many_login_attempts", "rate_limited"}


def door[**P](*methods: str) -> Callable[[View[P]], View[P]]:
    """Let a view of allauth answer as ours do: these methods alone, 303 onward, 422 or 429 for a refused form."""

    def gate(view: View[P]) -> View[P]:
        @only(*methods)
        @wraps(view)
        def gated(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            posted = request.method == "POST"
            response = view(request, *args, **kwargs)
            if posted and response.status_code == HTTPStatus.FOUND:
                response.status_code = HTTPStatus.SEE_OTHER
            elif posted and isinstance(response, TemplateResponse) and response.status_code == HTTPStatus.OK:
                response.status_code = refusal((response.context_data or {}).get("form"))
            return response

        return gated

    return gate


def refusal(form: Any) -> int:
    """Return the status that says why a form is shown again: too many tries, or something wrong in it."""
    data = form.errors.as_data() if form is not None else {}
    codes = {error.code for errors in data.values() for error in errors}
    return HTTPStatus.TOO_MANY_REQUESTS if codes & _TRIES else HTTPStatus.UNPROCESSABLE_ENTITY


def too_many(request: HttpRequest) -> HttpResponse:
    """Return the page that asks to wait."""
    return render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)


def fresh_only[**P](view: PersonView[P]) -> View[P]:
    """Give the view the person who is signed in, if they have shown in the last minutes who they are.

    Others show it first, and come back to the page: what they posted is dropped, since it may hold a password.
    """

    @person_only
    @wraps(view)
    def gated(request: HttpRequest, user: User, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if is_reauthentication_required(request, app="allauth.account"):
            ways = get_adapter(request).get_reauthentication_methods(user)
            if not ways:
                return no_way(request)
            onward = request.get_full_path()
            return HttpResponseRedirect(f"{ways[0]['url']}?{urlencode({'next': onward})}", status=HTTPStatus.SEE_OTHER)
        return view(request, user, *args, **kwargs)

    return gated


def no_way(request: HttpRequest) -> HttpResponse:
    """Return the page for who has nothing to show who they are: an address comes first."""
    what = {
        "title": "First an email address",
        "sentence": "This browser is all that says who you are: add an email address first.",
        "back": reverse("account_email"),
        "label": "Add an email address",
    }
    return render(request, "problem.html", what, status=HTTPStatus.FORBIDDEN)
