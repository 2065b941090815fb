"""What stands before a view: the methods it answers, and whether its visitor must be signed in."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate
from urllib.parse import urlencode, urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import is_valid_path, reverse

from accounts.models import User

type View[**P] = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
type PersonView[**P] = Callable[Concatenate[HttpRequest, User, P], HttpResponseBase]


def problem(request: HttpRequest, *, status: int, title: str, sentence: str, back: str = "/") -> HttpResponse:
    """Return a page that says in one sentence what is wrong, with a way back."""
    return render(request, "problem.html", {"title": title, "sentence": sentence, "back": back}, status=status)


def wrong_method(request: HttpRequest, allowed: tuple[str, ...]) -> HttpResponse:
    """Return the answer to a method that an address does not know (405), with a way to the page that it belongs to."""
    context = {"method": (request.method or "")[:20], "back": _page_above(request.path)}
    response = render(request, "405.html", context, status=405)
    response["Allow"] = ", ".join(allowed)
    return response


def _page_above(path: str) -> str:
    """Return the page whose form posts to an address, as far as its path tells: a phone opens what it closed last."""
    above = path.rstrip("/").rpartition("/")[0] + "/"
    return above if is_valid_path(above) else "/"


def only[**P](*methods: str) -> Callable[[View[P]], View[P]]:
    """Let a view answer these methods alone; HEAD goes with GET."""
    allowed = (*methods, "HEAD") if "GET" in methods else methods

    def gate(view: View[P]) -> View[P]:
        @wraps(view)
        def gated(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method not in allowed:
                return wrong_method(request, allowed)
            return view(request, *args, **kwargs)

        return gated

    return gate


def person_only[**P](view: PersonView[P]) -> View[P]:
    """Give the view the person who is signed in; send everybody else to sign in first."""

    @wraps(view)
    def gated(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if isinstance(request.user, User):
            return view(request, request.user, *args, **kwargs)
        return _sign_in_first(request)

    return gated


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page and from there back; htmx is told so by a header."""
    if request.headers.get("HX-Request") == "true":
        target = f"{reverse('signin')}?{urlencode({'next': _page_around(request)})}"
        return HttpResponse("Sign in first.", status=401, headers={"HX-Redirect": target})
    return redirect_to_login(request.get_full_path() if request.method in ("GET", "HEAD") else "/", reverse("signin"))


def _page_around(request: HttpRequest) -> str:
    """Return the path of the page that asked for a fragment, "/" if it does not say: a fragment is no page to go to."""
    try:
        # Its path alone: never another site.
        return urlsplit(request.headers.get("HX-Current-URL", "")).path or "/"
    except ValueError:
        return "/"
